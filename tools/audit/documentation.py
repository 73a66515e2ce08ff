"""What is documented: the docstrings of Python files, and the texts for people at the top of the tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from configs.audit import AuditSettings
from configs.redaction import escaped
from tools.audit.crew import Crew
from tools.audit.labels import label
from tools.audit.languages import PYTHON
from tools.audit.reading import read
from tools.audit.report import Definition, Documentation, LeftOut, Place, ProjectText, Skipped
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
    python = [source for source in files if source.language == PYTHON]
    found, skipped = crew.over(definitions_in, python, kernel="documentation")
    texts, unread = texts_at(root, settings.most_bytes)
    return (
        Documentation(
            files=tuple(source.file for source, _ in found),
            definitions=tuple(one for _, definitions in found for one in definitions),
            texts=texts,
        ),
        (*skipped, *unread),
    )


def definitions_in(source: Source, settings: AuditSettings) -> tuple[Definition, ...]:
    """The definitions of a file; runs in a worker.

    Raises:
        Unusable: it cannot be read, or is no Python that can be parsed.
    """
    text = read(source, settings)
    if text.problem:
        raise Unusable("encoding", text.problem)
    try:
        return definitions(text.text, source.file)
    except SyntaxError as error:
        line = min(max(error.lineno or 1, 1), text.text.count("\n") + 1)
        raise Unusable("syntax", f"Python cannot parse it: {escaped(error.msg)}.", line) from error
    except ValueError as error:
        raise Unusable("syntax", f"Python cannot parse it: {escaped(str(error))}.") from error
    except (RecursionError, MemoryError) as error:
        raise Unusable("crashed", "Python's parser cannot take it: it is nested too deeply.") from error


def definitions(text: str, file: str) -> tuple[Definition, ...]:
    """The definitions of a source text, by their lines.

    Args:
        text: of the file; lines end with a line feed.
        file: its path, relative to the root.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds what no source text may.
        RecursionError, MemoryError: it is nested too deeply for Python's parser.
    """
    tree = ast.parse(text)
    module = dotted(file)
    public = not any(_private(part) for part in module.split("."))
    whole = Definition(
        kind="module",
        name=module,
        place=Place(file=file, line=1, end_line=max(1, text.count("\n") + (not text.endswith("\n")))),
        line=1,
        public=public,
        documented=_documented(tree),
    )
    found = sorted(_below(tree, file, public), key=lambda one: (one.line, one.place.end_line))
    return whole, *found


@dataclass(frozen=True)
class _Within:
    """What a statement stands in: the names before its own, and whether that is a class or a function."""

    prefix: str
    kind: Literal["module", "class", "function"]
    public: bool


def _below(tree: ast.Module, file: str, public: bool) -> Iterator[Definition]:
    """Everything defined in a module, however it is indented; without recursion, for nothing bounds depth."""
    waiting: list[tuple[ast.AST, _Within]] = [(one, _Within("", "module", public)) for one in tree.body]
    while waiting:
        node, within = waiting.pop()
        if isinstance(node, Defined):
            one = _definition(node, within, file)
            is_class = isinstance(node, ast.ClassDef)
            prefix = f"{one.name}." if is_class else f"{one.name}.{LOCALS}."
            inner = _Within(prefix, "class" if is_class else "function", one.public)
            waiting.extend((child, inner) for child in node.body)
            yield one
        else:
            below = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))
            waiting.extend((child, within) for child in below)


def _definition(node: Defined, within: _Within, file: str) -> Definition:
    is_class = isinstance(node, ast.ClassDef)
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return Definition(
        kind="class" if is_class else "method" if within.kind == "class" else "function",
        name=f"{within.prefix}{node.name}",
        place=Place(file=file, line=first, end_line=node.end_lineno or node.lineno),
        line=node.lineno,
        public=within.public
        and within.kind != "function"
        and not _private(node.name)
        and not _explained_elsewhere(node),
        documented=_documented(node),
    )


def _private(name: str) -> bool:
    """True for a name with an underscore before it; special names are no one's secret."""
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__") and len(name) > 4)


def _explained_elsewhere(node: Defined) -> bool:
    """True for special methods, which the language explains, setters, deleters, and overloads."""
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
    parts = file.removesuffix(".pyw").removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def texts_at(root: Path, most_bytes: int) -> tuple[tuple[ProjectText, ...], tuple[Skipped, ...]]:
    """README, licence, changelog and the like at the top of a tree, and those that could not be read.

    Nothing may be said to be missing that is there: a link, which is not followed, is told as left out.

    Args:
        root: of the tree; one that is a file has none.
        most_bytes: of a text that are read to count its lines.

    Raises:
        OSError: the directory cannot be listed.
    """
    if not root.is_dir():
        return (), ()
    found, skipped = [], []
    for path in sorted(root.iterdir(), key=lambda one: one.name):
        kind = KIND_BY_STEM.get(path.stem.lower())
        if kind is None or path.suffix.lower() not in TEXT_SUFFIXES:
            continue
        name = label(path.name)
        if path.is_symlink():
            skipped.append(_unread(name, "link", "It is a link, which is not followed."))
        elif path.is_file():
            try:
                with path.open("rb") as stream:
                    lines = len(stream.read(most_bytes).splitlines())
            except OSError as error:
                skipped.append(_unread(name, "unreadable", f"It cannot be read: {error.strerror or error}."))
                continue
            found.append(ProjectText(kind=kind, place=Place(file=name, line=1, end_line=max(1, lines))))
    return tuple(found), tuple(skipped)


def _unread(file: str, reason: LeftOut, what: str) -> Skipped:
    return Skipped(file=file, kernel="documentation", reason=reason, what=what)
