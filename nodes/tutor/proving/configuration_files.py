"""Names of configuration files in the source of a program, and whether they are of a certain file."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from nodes.tutor.proving.configuration_lines import kind_of
from nodes.tutor.proving.places import below
from nodes.tutor.proving.program import Program, Source, binding_of

_JOINS = frozenset(("join", "joinpath", "Path", "PurePath", "PosixPath"))
_SAME = frozenset(("resolve", "absolute", "expanduser", "abspath", "realpath", "str", "fspath", "normpath"))
_READS = frozenset(("get", "getenv"))
_DEEPEST = 12


@dataclass(frozen=True)
class FileName:
    """The name of a file, as far as a source tells it.

    Attributes:
        text: its end, or all of it.
        whole: False if something unknown stands before.
        placed: True if it begins at the sandbox, and not where the program was started.
        source: the file it stands in.
    """

    text: str
    whole: bool
    placed: bool
    source: str


@dataclass(frozen=True)
class _Path:
    text: str
    whole: bool = True
    placed: bool = False

    def joined(self, following: _Path) -> _Path:
        if not following.whole or following.text.startswith("/") or following.placed:
            return following
        text = posixpath.join(self.text, following.text) if self.text else following.text
        return _Path(text, self.whole, self.placed)

    def with_parent(self) -> _Path:
        return _Path(
            posixpath.dirname(self.text), self.placed or (self.whole and "/" in self.text), self.placed
        )


@lru_cache(maxsize=256)
def files_named(node: ast.AST, source: Source) -> Sequence[FileName]:
    """Every configuration file that something in a source names."""
    return tuple(_named(node, source))


def _named(root: ast.AST, source: Source) -> Iterator[FileName]:
    pending: list[ast.AST] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        path = _path_of(node, source, 0) if isinstance(node, ast.expr) else None
        if path is not None and _is_configuration(path.text):
            yield FileName(path.text, path.whole, path.placed, source.path)
            continue
        pending.extend(ast.iter_child_nodes(node))


def _is_configuration(text: str) -> bool:
    name = posixpath.basename(text)
    return bool(name) and not any(mark.isspace() for mark in text) and kind_of(text) is not None


def _path_of(node: ast.expr, source: Source, depth: int) -> _Path | None:
    if depth > _DEEPEST:
        return None
    if isinstance(node, ast.Constant):
        return _Path(node.value) if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return _formatted(node, source, depth)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Add):
        return _two(node, source, depth)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return _path_of(node.values[-1], source, depth + 1)
    if isinstance(node, ast.Name):
        return _of_name(node.id, source, depth)
    if isinstance(node, ast.Attribute) and node.attr == "parent":
        path = _path_of(node.value, source, depth + 1)
        return path.with_parent() if path is not None else None
    if isinstance(node, ast.Subscript):
        return _of_parents(node, source, depth)
    return _of_call(node, source, depth) if isinstance(node, ast.Call) else None


def _of_name(name: str, source: Source, depth: int) -> _Path | None:
    if name == "__file__":
        return _Path(source.path, True, True)
    bound = binding_of(source.module, name)
    if isinstance(bound, ast.Assign | ast.AnnAssign) and bound.value is not None:
        target = bound.targets[0] if isinstance(bound, ast.Assign) else bound.target
        return _path_of(bound.value, source, depth + 1) if isinstance(target, ast.Name) else None
    return None


def _formatted(node: ast.JoinedStr, source: Source, depth: int) -> _Path | None:
    text, whole = "", True
    for part in node.values:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        path = _path_of(inner, source, depth + 1)
        if path is None:
            text, whole = "", False
        else:
            text += path.text
    # What is left after something unknown may be the end of a longer name.
    return _Path(text if whole else "*" + text, whole)


def _two(node: ast.BinOp, source: Source, depth: int) -> _Path | None:
    left, right = _path_of(node.left, source, depth + 1), _path_of(node.right, source, depth + 1)
    if right is None:
        return None
    if isinstance(node.op, ast.Div):
        return left.joined(right) if left is not None else _Path(right.text, False)
    return (
        _Path(left.text + right.text, left.whole, left.placed)
        if left is not None
        else _Path("*" + right.text, False)
    )


def _of_parents(node: ast.Subscript, source: Source, depth: int) -> _Path | None:
    """`path.parents[n]`."""
    parents, index = node.value, node.slice
    if not (
        isinstance(parents, ast.Attribute) and parents.attr == "parents" and isinstance(index, ast.Constant)
    ):
        return None
    path = _path_of(parents.value, source, depth + 1)
    if path is None or not isinstance(index.value, int) or not 0 <= index.value < _DEEPEST:
        return None
    for _ in range(index.value + 1):
        path = path.with_parent()
    return path


def _of_call(node: ast.Call, source: Source, depth: int) -> _Path | None:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    base = node.func.value if isinstance(node.func, ast.Attribute) else None
    if name in ("cwd", "getcwd"):
        return _Path("")
    if name in _READS and len(node.args) == 2:
        return _path_of(node.args[1], source, depth + 1)
    if name in _SAME or name == "dirname":
        inner = node.args[0] if node.args else base
        path = _path_of(inner, source, depth + 1) if inner is not None else None
        return path.with_parent() if path is not None and name == "dirname" else path
    if name not in _JOINS or (not node.args and name != "joinpath"):
        return None
    parts = [*([base] if name == "joinpath" and base is not None else []), *node.args]
    joined = _path_of(parts[0], source, depth + 1) or _Path("", False)
    for part in parts[1:]:
        following = _path_of(part, source, depth + 1)
        if following is None:
            return None
        joined = joined.joined(following) if joined.text or joined.whole else _Path(following.text, False)
    return joined


def is_file(named: FileName, path: str, program: Program) -> Literal["yes", "no", "open"]:
    """Whether a name in a source is of a certain file of the sandbox."""
    if not named.whole:
        end = named.text.removeprefix("*")
        fits = path.endswith(end) if named.text.startswith("*") else ("/" + path).endswith("/" + end)
        return "open" if fits else "no"
    text = named.text
    if text.startswith("/"):
        if program.root is None or not text.startswith(program.root):
            return "open" if posixpath.normpath(text).endswith("/" + path) else "no"
        return "yes" if below(".", text.removeprefix(program.root)) == path else "no"
    if named.placed or program.relative:
        return "yes" if below(".", text) == path else "no"
    # Started from an unknown directory: the sandbox, or one that leads to the source.
    directories = ["", *_ancestors(named.source)]
    places = [below(directory or ".", text) for directory in directories]
    if path not in places:
        return "no"
    rivals = [place for place in places if place != path and program.world.lines_text(place) is not None]
    return "open" if rivals else "yes"


def _ancestors(path: str) -> list[str]:
    parts = posixpath.dirname(path).split("/") if posixpath.dirname(path) else []
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
