"""What is documented, held against ruff's own rules for docstrings and against `ast`."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.audit.documentation import definitions, dotted, texts_at

ROOT = Path(__file__).resolve().parent.parent.parent.parent
RULES = "D100,D101,D102,D103,D104,D106"
MADE = '''
import typing

def plain(): pass

def explained():
    """It is."""
    def inner(): pass

def blank():
    """   """

class Box:
    class Lid:
        def close(self): pass
    class _Hidden:
        def shut(self): pass
    def open(self): pass
    def _tap(self): pass
    def __repr__(self): return ""
    @property
    def size(self): return 1
    @size.setter
    def size(self, value): pass
    @typing.overload
    def weigh(self, a: int): ...
    def weigh(self, a): ...

if plain:
    class Sometimes:
        """Explained."""
        async def go(self): pass
else:
    def otherwise(): pass
'''


def undocumented(root: Path) -> set[tuple[str, int]]:
    return {
        (one.place.file, one.line)
        for path in root.rglob("*.py")
        for one in definitions(path.read_text(), path.relative_to(root).as_posix())
        if one.public and not one.documented
    }


def by_ruff(root: Path) -> set[tuple[str, int]]:
    argv = ["ruff", "check", "--isolated", "--no-cache", "--ignore-noqa", "--select", RULES]
    program = Path(sys.executable).with_name("ruff")
    argv[0] = str(program) if program.exists() else "ruff"
    done = subprocess.run(
        [*argv, "--output-format", "json", "."], cwd=root, capture_output=True, text=True, check=False
    )
    found = json.loads(done.stdout)
    return {
        (Path(one["filename"]).relative_to(root.resolve()).as_posix(), one["location"]["row"])
        for one in found
    }


def test_what_is_public_and_undocumented_is_what_ruff_says(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    for name in ("a.py", "_private.py", "pkg/__init__.py", "pkg/b.py"):
        (tmp_path / name).write_text(MADE.replace('"""   """', '"""It is."""'))
    found = undocumented(tmp_path)
    assert found == by_ruff(tmp_path) and len(found) > 20


def test_a_blank_docstring_explains_nothing() -> None:
    assert {one.name: one.documented for one in definitions(MADE, "a.py")}["blank"] is False


def test_this_repository_agrees_with_ruff() -> None:
    folder = ROOT / "models"
    (missing, ruffs) = undocumented(folder), by_ruff(folder)
    assert missing == ruffs
    assert sum(1 for path in folder.rglob("*.py")) > 10


NAMES = st.sampled_from(["run", "_hidden", "Box", "__init__", "close"])


@st.composite
def sources(draw: st.DrawFn, depth: int = 0) -> list[str]:
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kind, name = draw(st.sampled_from(["def", "class", "async def", "if"])), draw(NAMES)
        head = "if 1:" if kind == "if" else f"class {name}:" if kind == "class" else f"{kind} {name}():"
        body = draw(st.sampled_from([['"""Explained."""'], ["pass"]]))
        below = draw(sources(depth + 1)) if depth < 2 and draw(st.booleans()) else []
        lines += [head, *(f"    {line}" for line in [*body, *below])]
    return lines


@settings(max_examples=40)
@given(sources())
def test_every_definition_is_found_with_its_line_and_its_docstring(lines: list[str]) -> None:
    text = "\n".join(lines)
    nodes = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    found = definitions(text, "a.py")[1:]
    assert sorted((one.line, one.documented) for one in found) == sorted(
        (node.lineno, ast.get_docstring(node) is not None) for node in nodes
    )
    assert all(1 <= one.place.line <= one.line <= one.place.end_line <= len(lines) for one in found)


def test_depth_is_no_matter() -> None:
    nested = "\n".join(f"{' ' * depth}class C{depth}:" for depth in range(90)) + f"\n{' ' * 90}pass\n"
    assert len(definitions(nested, "a.py")) == 91


@pytest.mark.parametrize(
    ("file", "module"),
    [("a.py", "a"), ("pkg/__init__.py", "pkg"), ("pkg/b.py", "pkg.b"), ("__init__.py", "__init__")],
)
def test_modules_are_named_as_they_are_imported(file: str, module: str) -> None:
    assert dotted(file) == module


def test_texts_at_the_top(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("a\nb\n")
    (tmp_path / "License").write_text("")
    (tmp_path / "readme.py").write_text("")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "README.md").write_text("")
    os.symlink("/etc/hostname", tmp_path / "CHANGELOG.md")
    (tmp_path / "CONTRIBUTING.md").mkdir()
    texts, unread = texts_at(tmp_path, 1000)
    found = [(one.kind, one.place.file, one.place.end_line) for one in texts]
    assert found == [("licence", "License", 1), ("readme", "README.md", 2)]
    assert [(one.file, one.reason) for one in unread] == [("CHANGELOG.md", "link")]
