"""What is documented: the docstrings of Python files, and the texts for people at the top of the tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from configs.audit import AuditSettings
from tools.audit.crew import Crew
from tools.audit.report import Definition, Documentation, Place, ProjectText, Skipped
from tools.audit.sources import Source, Unusable

Kind: TypeAlias = Literal["readme", "licence", "changelog", "contributing"]
KIND_BY_STEM: dict[str, Kind] = {
    "readme": "readme",
    "license": "licence",
    "licence": "licence",
    "copying": "licence",
    "changelog": "changelog",
    "changes": "changelog",
    "history": "changelog",
    "contributing": "contributing",
}
TEXT_SUFFIXES = frozenset({"", ".md", ".markdown", ".rst", ".txt", ".org", ".adoc"})
LOCALS = "<locals>"
Defined: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def documentation(
    root: Path, files: Sequence[Source], settings: AuditSettings, crew: Crew
) -> tuple[Documentation, tuple[Skipped, ...]]:
    """Look for docstrings in the Python files of a tree, and for a README and its like at its top.

    Args:
        root: of the tree.
        files: of the tree, of any language.
        settings: limits.
        crew: in whose processes files are parsed.
    """
    python = [source for source in files if source.language == "python"]
    found, skipped = crew.over(definitions_in, python, kernel="documentation")
    return (
        Documentation(
            files=tuple(source.file for source, _ in found),
            definitions=tuple(one for _, definitions in found for one in definitions),
            texts=texts_at(root, settings.most_bytes),
        ),
        tuple(skipped),
    )


def definitions_in(source: Source, _settings: AuditSettings) -> tuple[Definition, ...]:
    """The definitions of a file; runs in a worker.

    Raises:
        Unusable: it is no Python that can be parsed.
    """
    try:
        return definitions(source.path.read_bytes(), source.file)
    except SyntaxError as error:
        raise Unusable("syntax", f"line {error.lineno or 1}: {error.msg}", error.lineno or 1) from error


def definitions(text: bytes | str, file: str) -> tuple[Definition, ...]:
    """The definitions of a source text, by place.

    Args:
        text: of the file.
        file: its path, relative to the root.

    Raises:
        SyntaxError: it is no Python.
        RecursionError: it is nested too deeply.
    """
    tree = ast.parse(text)
    lines = len((text if isinstance(text, bytes) else text.encode("utf-8", "replace")).splitlines())
    module = dotted(file)
    inside = not any(_private(part) for part in module.split("."))
    whole = Definition(
        kind="module",
        name=module,
        place=Place(file=file, line=1, end_line=max(1, lines)),
        line=1,
        public=inside,
        documented=_documented(tree),
    )
    return whole, *_within(tree.body, file, "", "module", inside)


def _within(
    body: Sequence[ast.AST], file: str, prefix: str, around: str, public: bool
) -> Iterator[Definition]:
    """The definitions below some statements, however they are indented."""
    for node in body:
        if not isinstance(node, Defined):
            below = [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr)]
            yield from _within(below, file, prefix, around, public)
            continue
        is_class = isinstance(node, ast.ClassDef)
        name = f"{prefix}{node.name}"
        seen = public and around != "function" and not _private(node.name) and not _exempt(node)
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        yield Definition(
            kind="class" if is_class else "method" if around == "class" else "function",
            name=name,
            place=Place(file=file, line=first, end_line=node.end_lineno or node.lineno),
            line=node.lineno,
            public=seen,
            documented=_documented(node),
        )
        below_name = f"{name}." if is_class else f"{name}.{LOCALS}."
        yield from _within(node.body, file, below_name, "class" if is_class else "function", seen)


def _private(name: str) -> bool:
    """True for a name with an underscore before it; special names are no one's secret."""
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__") and len(name) > 4)


def _exempt(node: Defined) -> bool:
    """True for what is explained elsewhere: special methods, setters and deleters, overloads."""
    special = node.name.startswith("__") and node.name.endswith("__")
    if isinstance(node, ast.ClassDef):
        return False
    marks = {_last_name(one) for one in node.decorator_list}
    return special or bool(marks & {"overload", "setter", "deleter"})


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _documented(node: ast.Module | Defined) -> bool:
    first = node.body[0] if node.body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
        and bool(first.value.value.strip())
    )


def dotted(file: str) -> str:
    """The dotted path of a file below the root; a package is named by its folder."""
    parts = file.removesuffix(".pyi").removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def texts_at(root: Path, most_bytes: int) -> tuple[ProjectText, ...]:
    """README, licence, changelog and the like at the top of a tree; links are not followed.

    Args:
        root: of the tree; one that is a file has none.
        most_bytes: of a text that are read to count its lines.
    """
    if not root.is_dir():
        return ()
    found = []
    for path in sorted(root.iterdir(), key=lambda one: one.name):
        kind = KIND_BY_STEM.get(path.stem.lower())
        if kind is None or path.suffix.lower() not in TEXT_SUFFIXES or not path.name.isprintable():
            continue
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as stream:
            lines = len(stream.read(most_bytes).splitlines())
        found.append(ProjectText(kind=kind, place=Place(file=path.name, line=1, end_line=max(1, lines))))
    return tuple(found)
