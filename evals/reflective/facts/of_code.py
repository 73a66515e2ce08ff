"""Facts about Python code, read by Python's own parser."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from evals.reflective.facts.registry import fact
from evals.reflective.facts.tree import chosen, text_of


def trees(root: Path, glob: str = "*.py", under: str = "src") -> Iterable[tuple[str, ast.Module]]:
    """Python files with their syntax trees."""
    return ((path, ast.parse(text_of(root, path))) for path in chosen(root, glob, under))


@fact
def number_of_functions(root: Path, path: str = "", under: str = "src", kind: str = "function") -> int:
    """Functions, methods included, or classes of a file or of all Python files below a directory."""
    wanted = ast.ClassDef if kind == "class" else (ast.FunctionDef, ast.AsyncFunctionDef)
    parsed = [ast.parse(text_of(root, path))] if path else [tree for _, tree in trees(root, under=under)]
    return sum(isinstance(node, wanted) for tree in parsed for node in ast.walk(tree))


@fact
def names_defined(root: Path, path: str, kind: str = "function") -> list[str]:
    """Functions of a module's own level, its methods, or its classes."""
    if kind == "function":
        return _functions(root, path)
    classes = [node for node in ast.parse(text_of(root, path)).body if isinstance(node, ast.ClassDef)]
    if kind == "class":
        return sorted(node.name for node in classes)
    return sorted(one.name for node in classes for one in node.body if isinstance(one, ast.FunctionDef))


def _functions(root: Path, path: str) -> list[str]:
    tree = ast.parse(text_of(root, path))
    return sorted(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@fact
def first_functions(root: Path, path: str, n: int) -> list[str]:
    """The functions of a module that come first in order of their names."""
    return _functions(root, path)[:n]


@fact
def defined_in(root: Path, name: str) -> list[str]:
    """Modules that define a function or class."""
    return [
        path
        for path, tree in trees(root)
        if any(getattr(node, "name", None) == name for node in ast.walk(tree) if isinstance(node, ast.stmt))
    ]


@fact
def constant_value(root: Path, name: str) -> int:
    """The number a constant is set to."""
    return next(
        int(ast.literal_eval(node.value))
        for _, tree in trees(root)
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name
    )


@fact
def importers(root: Path, module: str, under: str = "src") -> list[str]:
    """Python files that import a module."""
    return [
        path
        for path, tree in trees(root, under=under)
        if any(
            (isinstance(node, ast.Import) and any(alias.name == module for alias in node.names))
            or (isinstance(node, ast.ImportFrom) and node.module == module)
            for node in ast.walk(tree)
        )
    ]


@fact
def module_with_most_functions(root: Path) -> list[str]:
    """Modules that define most functions, methods not included."""
    counts = {
        path: sum(isinstance(node, ast.FunctionDef) for node in tree.body) for path, tree in trees(root)
    }
    return [path for path, count in counts.items() if count == max(counts.values())]


@fact
def untested_modules(root: Path) -> list[str]:
    """Modules of the package that have no test file of their own."""
    tested = {Path(path).stem.removeprefix("test_") for path in chosen(root, "test_*.py", "tests")}
    return [p for p in chosen(root, "*.py", "src") if Path(p).stem not in tested | {"__init__"}]
