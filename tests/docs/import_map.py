"""Which package imports which, found in the sources and drawn as Mermaid."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.processes import ROOT
from tests.test_floors import statements

FLOORS = (
    ("console", "the local page"),
    ("cli, evals", "commands, measurements"),
    ("graph", "wiring"),
    ("nodes", "what boxes do"),
    ("memory, tools", "what lasts, what acts"),
    ("models", "who answers"),
    ("configs", "what is set"),
)
"""Packages from the top floor to the bottom one."""
PACKAGES = tuple(name for names, _ in FLOORS for name in names.split(", "))
_DRAWN_APART = frozenset({"nodes", "memory", "tools"})
"""Packages whose sub-packages have a map of their own."""


@cache
def _imports() -> frozenset[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Importing and imported unit of every import statement: a package, or package and sub-package."""
    found = set()
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            source = _unit(path.relative_to(ROOT).with_suffix("").parts)
            found |= {(source, _unit(tuple(name.split(".")))) for name in _names(path)}
    return frozenset((source, target) for source, target in found if target[0] in PACKAGES)


def _names(path: Path) -> Iterator[str]:
    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _unit(parts: tuple[str, ...]) -> tuple[str, ...]:
    apart = parts[0] in _DRAWN_APART and len(parts) > 1 and (ROOT / parts[0] / parts[1]).is_dir()
    return parts[:2] if apart else parts[:1]


def package_edges() -> set[tuple[str, str]]:
    """Importing and imported package."""
    return {(source[0], target[0]) for source, target in _imports() if source[0] != target[0]}


def edges_within(package: str) -> set[tuple[str, str]]:
    """Importing and imported sub-package; files that stand in none are the package itself."""
    return {
        (source[-1], target[-1])
        for source, target in _imports()
        if source[0] == target[0] == package and source != target
    }


def map_of_packages() -> str:
    """All packages, floor by floor, and every edge between them."""
    lines = ["flowchart TD"]
    for number, (names, about) in enumerate(FLOORS):
        lines.append(f'    subgraph floor{len(FLOORS) - 1 - number}["{about}"]')
        lines += [f"        {_node(name)}" for name in names.split(", ")]
        lines.append("    end")
    return _text([*lines, *_arrows(package_edges())])


def map_within(package: str) -> str:
    """The sub-packages of one package, and every edge between them."""
    edges = edges_within(package)
    names = sorted({name for edge in edges for name in edge} | {unit.name for unit in _rooms(package)})
    return _text(["flowchart LR", *(f"    {_node(name)}" for name in names), *_arrows(edges)])


def _rooms(package: str) -> Iterator[Path]:
    return (path.parent for path in (ROOT / package).glob("*/__init__.py"))


def _arrows(edges: set[tuple[str, str]]) -> list[str]:
    return [f"    {source}_ --> {target}_" for source, target in sorted(edges)]


def _node(name: str) -> str:
    # The underscore keeps `graph` apart from Mermaid's own word.
    return f'{name}_["{name}"]'


def _text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"
