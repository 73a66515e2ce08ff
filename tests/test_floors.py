"""The house keeps its floors: imports go down only, names are ours, rooms are named for what they hold."""

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The console stands on the command line: it shows the pages that one writes.
FLOORS = {
    "configs": 0,
    "models": 1,
    "memory": 2,
    "tools": 2,
    "nodes": 3,
    "graph": 4,
    "cli": 5,
    "evals": 5,
    "console": 6,
}
NAMELESS = {"utils", "helpers", "common", "core", "misc", "manager"}
SOURCES = sorted(path for package in FLOORS for path in (ROOT / package).rglob("*.py"))


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Every statement below a node; an import is never within an expression, so none is walked."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        below = getattr(node, field, [])
        for one in below if isinstance(below, list) else []:
            if isinstance(one, ast.stmt):
                yield one
            yield from statements(one)


def test_an_import_is_seen_wherever_it_stands() -> None:
    places = (
        "{}",
        "if x:\n {}",
        "if x: pass\nelif y: pass\nelse:\n {}",
        "for x in y: pass\nelse:\n {}",
        "while x:\n {}",
        "with x:\n {}",
        "try:\n {}\nexcept E: pass",
        "try: pass\nexcept E:\n {}",
        "try: pass\nexcept* E:\n {}",
        "try: pass\nexcept E: pass\nelse:\n {}",
        "try: pass\nfinally:\n {}",
        "match x:\n case 1:\n  {}",
        "class A:\n async def f():\n  async with x:\n   {}",
        "def f():\n async def g():\n  async for x in y:\n   {}",
    )
    for place in places:
        seen = [
            node for node in statements(ast.parse(place.format("import a"))) if isinstance(node, ast.Import)
        ]
        assert len(seen) == 1, place


def imported_packages(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    names = set()
    for node in statements(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add((node.module or "").split(".")[0])
    return names & set(FLOORS)


def test_imports_go_down_the_floors_only() -> None:
    upward = []
    for path in SOURCES:
        package = path.relative_to(ROOT).parts[0]
        above = {name for name in imported_packages(path) - {package} if FLOORS[name] >= FLOORS[package]}
        upward += [f"{path.relative_to(ROOT)} imports {name}" for name in sorted(above)]
    assert upward == []


@pytest.mark.parametrize("package", sorted(FLOORS))
def test_every_package_is_the_one_of_this_repository(package: str) -> None:
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None
    assert Path(spec.origin).resolve().is_relative_to(ROOT)


def test_every_source_file_is_seen() -> None:
    assert len(SOURCES) > 40


def test_no_room_is_nameless() -> None:
    nameless = [
        p for p in SOURCES if NAMELESS & {part.removesuffix(".py") for part in p.relative_to(ROOT).parts}
    ]
    assert nameless == []


def test_tests_mirror_the_folders() -> None:
    for package in FLOORS:
        assert list((ROOT / "tests" / package).rglob("test_*.py")), f"tests/{package} holds no test"
