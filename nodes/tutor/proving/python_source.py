"""Python files as syntax trees: which statements of a file are run, and which never are."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_LONGEST = 400_000
_SUFFIXES = (".py", ".pyi", ".pyw")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | ast.ClassDef | Function


class Placed(NamedTuple):
    """A statement of a scope, at any depth of its blocks.

    Attributes:
        node: the statement.
        runs: False if a condition that is known before the program starts may leave it out.
        loops: the loops of the scope around it.
    """

    node: ast.stmt
    runs: bool
    loops: tuple[ast.stmt, ...]


def is_python(path: str) -> bool:
    """True for the name of a Python file."""
    return path.endswith(_SUFFIXES)


@lru_cache(maxsize=64)
def parsed(text: str) -> ast.Module | None:
    """The tree of a source text; None if it is none, or too large or too deep to be read."""
    if len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def has_odd_line_ends(text: str) -> bool:
    r"""True if Python counts its lines in another way than "\n" does."""
    return "\r" in text.replace("\r\n", "\n")


def statements(scope: Scope) -> Iterator[Placed]:
    """Every statement of a scope in the order of the text, without those of functions and classes in it."""
    pending: list[Placed] = [Placed(node, True, ()) for node in reversed(scope.body)]
    _leave_out_after_end(pending)
    while pending:
        placed = pending.pop()
        yield placed
        inner = [
            Placed(node, placed.runs and runs, loops)
            for node, runs, loops in _blocks(placed.node, placed.loops)
        ]
        pending.extend(reversed(inner))


def _leave_out_after_end(pending: list[Placed]) -> None:
    """What follows a `raise` of the scope itself is never run."""
    for at in range(len(pending) - 1, -1, -1):
        if isinstance(pending[at].node, ast.Raise | ast.Return):
            pending[:at] = [placed._replace(runs=False) for placed in pending[:at]]
            return


def _blocks(node: ast.stmt, loops: tuple[ast.stmt, ...]) -> Iterator[Placed]:
    if isinstance(node, Function | ast.ClassDef):
        return
    known = constant_truth(node.test) if isinstance(node, ast.If | ast.While) else None
    if isinstance(node, ast.For | ast.AsyncFor) and isinstance(node.iter, ast.List | ast.Tuple):
        known = bool(node.iter.elts)
    inside = (*loops, node) if isinstance(node, ast.For | ast.AsyncFor | ast.While) else loops
    for child in getattr(node, "body", ()):
        yield Placed(child, known is not False, inside)
    for handler in getattr(node, "handlers", ()):
        yield from (Placed(child, True, loops) for child in handler.body)
    for case in getattr(node, "cases", ()):
        yield from (Placed(child, True, loops) for child in case.body)
    for child in getattr(node, "orelse", ()):
        yield Placed(child, known is not True or isinstance(node, ast.For | ast.AsyncFor), loops)
    for child in getattr(node, "finalbody", ()):
        yield Placed(child, True, loops)


def constant_truth(test: ast.expr) -> bool | None:
    """What a condition is before the program starts: constants and TYPE_CHECKING; None for all others."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        known = constant_truth(test.operand)
        return None if known is None else not known
    if isinstance(test, ast.BoolOp):
        parts = [constant_truth(part) for part in test.values]
        deciding = isinstance(test.op, ast.Or)
        if deciding in parts:
            return deciding
        return None if None in parts else not deciding
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return False if name == "TYPE_CHECKING" else None


def nodes_of(node: ast.AST) -> Iterator[ast.AST]:
    """A node and everything below it, but nothing of functions and classes inside it."""
    pending: list[ast.AST] = [node]
    while pending:
        one = pending.pop()
        yield one
        for child in ast.iter_child_nodes(one):
            if not isinstance(child, Function | ast.ClassDef | ast.Lambda):
                pending.append(child)


def names_bound(node: ast.stmt) -> set[str]:
    """Names a statement binds or deletes by itself, not by the statements in its blocks; "*" for any name."""
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    bound = {handler.name for handler in getattr(node, "handlers", ()) if handler.name}
    for part in _own_parts(node):
        for one in nodes_of(part):
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
                bound.add(one.id)
            elif isinstance(one, ast.MatchAs | ast.MatchStar) and one.name:
                bound.add(one.name)
            elif isinstance(one, ast.MatchMapping) and one.rest:
                bound.add(one.rest)
    if isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name):
        bound.discard(node.target.id)
    return bound


def _own_parts(node: ast.stmt) -> Iterator[ast.AST]:
    """Expressions and patterns of a statement, without its blocks."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.match_case):
            yield child.pattern
        elif not isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _without_comprehension_targets(child)


def _without_comprehension_targets(node: ast.AST) -> Sequence[ast.AST]:
    """What a comprehension binds is its own, but for `:=` in it."""
    inside = [one for one in ast.walk(node) if isinstance(one, ast.comprehension)]
    return [node] if not inside else [one for one in ast.walk(node) if isinstance(one, ast.NamedExpr)]


def calls_by_name(module: ast.Module, names: frozenset[str]) -> bool:
    """True if anything in a file mentions one of these names: its text does not tell all then."""
    return any(
        (isinstance(one, ast.Name) and one.id in names)
        or (isinstance(one, ast.Attribute) and one.attr in names)
        for one in ast.walk(module)
    )
