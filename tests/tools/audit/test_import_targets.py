"""Imports and the files they name: checked by examples, and against Python's own import machinery."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.audit.import_targets import imports_of
from tools.audit.python_facts import Imported


def targets(tree: str, file: str, *asked: Imported) -> list[tuple[str, str | None]]:
    files: dict[str, list[Imported]] = {name: [] for name in tree.split()}
    files[file] = list(asked)
    return [(one.module, one.target) for one in imports_of(files)]


def absolute(module: str, *names: str) -> Imported:
    return Imported(1, 0, module, names, False)


def relative(level: int, module: str = "", *names: str) -> Imported:
    return Imported(1, level, module, names, False)


@pytest.mark.parametrize(
    ("tree", "file", "asked", "found"),
    [
        ("a.py b.py", "a.py", absolute("b"), [("b", "b.py")]),
        ("a.py p/__init__.py p/b.py", "a.py", absolute("p.b"), [("p.b", "p/b.py")]),
        (
            "a.py p/__init__.py p/b.py",
            "a.py",
            absolute("p", "b", "c"),
            [("p.b", "p/b.py"), ("p", "p/__init__.py")],
        ),
        ("a.py p/__init__.py p/b.py", "a.py", absolute("p", "b"), [("p.b", "p/b.py")]),
        ("a.py p/__init__.py p/b.py", "a.py", absolute("p", "*"), [("p", "p/__init__.py")]),
        ("a.py p/__init__.py p.py", "a.py", absolute("p"), [("p", "p/__init__.py")]),
        ("a.py", "a.py", absolute("os.path"), [("os.path", None)]),
        ("a.py", "a.py", absolute("numpy", "array"), [("numpy", None)]),
        ("src/p/__init__.py src/p/a.py tests/t.py", "tests/t.py", absolute("p.a"), [("p.a", "src/p/a.py")]),
        ("lib/p/__init__.py lib/p/a.py t.py", "t.py", absolute("p.a"), [("p.a", "lib/p/a.py")]),
        ("x/p/__init__.py y/p/__init__.py t.py", "t.py", absolute("p"), [("p", None)]),
        ("x/p/__init__.py y/p/__init__.py y/t.py", "y/t.py", absolute("p"), [("p", "y/p/__init__.py")]),
        ("ns/p/__init__.py ns/p/a.py t.py", "t.py", absolute("ns.p.a"), [("ns.p.a", "ns/p/a.py")]),
        ("ns/a.py ns/b.py t.py", "t.py", absolute("ns", "a"), [("ns.a", "ns/a.py")]),
        ("scripts/a.py scripts/b.py", "scripts/a.py", absolute("b"), [("b", "scripts/b.py")]),
        ("p/__init__.py p/a.py p/b.py", "p/a.py", absolute("b"), [("b", None)]),
        ("p/__init__.py p/a.py p/b.py", "p/a.py", relative(1, "", "b"), [("p.b", "p/b.py")]),
        ("p/__init__.py p/a.py p/b.py", "p/a.py", relative(1, "b", "c"), [("p.b", "p/b.py")]),
        ("p/__init__.py p/a.py", "p/a.py", relative(1, "", "c"), [("p", "p/__init__.py")]),
        ("p/__init__.py p/b.py", "p/__init__.py", relative(1, "b", "c"), [("p.b", "p/b.py")]),
        (
            "p/__init__.py p/q/__init__.py p/q/a.py p/b.py",
            "p/q/a.py",
            relative(2, "b", "c"),
            [("p.b", "p/b.py")],
        ),
        (
            "lib/p/__init__.py lib/p/a.py lib/p/b.py",
            "lib/p/a.py",
            relative(1, "", "b"),
            [("p.b", "lib/p/b.py")],
        ),
        ("ns/q/a.py ns/q/b.py", "ns/q/a.py", relative(1, "b", "c"), [("ns.q.b", "ns/q/b.py")]),
        ("p/__init__.py p/a.py", "p/a.py", relative(3, "x", "y"), [("...x", None)]),
        ("a.py types.py", "a.py", absolute("types"), [("types", "types.py")]),
        ("p/a.py p/types.py", "p/a.py", absolute("types"), [("types", None)]),
        ("q/logging.py t.py", "t.py", absolute("logging"), [("logging", None)]),
    ],
)
def test_targets(tree: str, file: str, asked: Imported, found: list[tuple[str, str | None]]) -> None:
    assert targets(tree, file, asked) == found


def test_a_tree_that_is_itself_a_package_goes_by_the_name_it_is_asked_for() -> None:
    tree = "__init__.py a.py b/__init__.py b/c.py"
    asked = [
        absolute("mine.b.c"),
        absolute("mine", "b"),
        absolute("mine"),
        absolute("other.a"),
        relative(1, "b", "x"),
    ]
    assert targets(tree, "a.py", *asked, absolute("mine.b", "c")) == [
        ("mine.b.c", "b/c.py"),
        ("mine.b", "b/__init__.py"),
        ("mine", "__init__.py"),
        ("other.a", None),
        ("mine.b", "b/__init__.py"),
        ("mine.b.c", "b/c.py"),
    ]


def test_targets_are_the_files_python_itself_imports(tmp_path: Path) -> None:
    tree = "p/__init__.py p/a.py p/q/__init__.py p/q/b.py n/c.py n/m/d.py e.py"
    for name in tree.split():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    modules = ["p", "p.a", "p.q", "p.q.b", "n.c", "n.m.d", "e"]
    program = (
        "import importlib, sys; [print(importlib.import_module(name).__file__) for name in sys.argv[1:]]"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *modules], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    loaded = [str(Path(line).relative_to(tmp_path)) for line in done.stdout.splitlines()]
    assert targets(tree, "e.py", *map(absolute, modules)) == list(zip(modules, loaded, strict=True))
