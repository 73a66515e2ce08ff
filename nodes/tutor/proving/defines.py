"""Defines: a function or class that a Python file defines at its top level, or inside another, dotted."""

from __future__ import annotations

import ast
from typing import NamedTuple

from nodes.tutor.claims import Claim
from nodes.tutor.proving import paths
from nodes.tutor.proving.python_source import (
    Function,
    Placed,
    Scope,
    calls_by_name,
    is_python,
    names_bound,
    parsed,
    statements,
)
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

_DYNAMIC = frozenset(
    ("exec", "eval", "globals", "locals", "vars", "setattr", "delattr", "__dict__", "modules")
)
_KINDS: dict[str | None, tuple[type[ast.AST], ...]] = {
    "function": (ast.FunctionDef, ast.AsyncFunctionDef),
    "class": (ast.ClassDef,),
    None: (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
}


class _Standing(NamedTuple):
    """What a name stands for when a scope has been run.

    Attributes:
        definition: the last one in the text.
        certain: True if nothing else can stand for the name.
        bound: True if the name is bound in some other way than by an import.
    """

    definition: ast.ClassDef | Function | None
    certain: bool
    bound: bool


def prove_defines(claim: Claim, world: World) -> Verdict:
    """The file has a `def`, `async def` or `class` of this name, and the name still stands for it."""
    path = paths.normal(claim.subject)
    if path is None or not is_python(path) or not isinstance(claim.value, str):
        return undecidable("A Python file and a name are needed.")
    known = world.lines_text(path)
    module = parsed(known.value) if known is not None else None
    if known is None or module is None:
        return undecidable(f"The whole of {path} would have to be seen, without errors of syntax.")
    names = claim.value.split(".")
    if claim.unit not in _KINDS or not all(name.isidentifier() for name in names):
        return undecidable("A name is needed, and function or class as the unit.")
    standing = _last_of(module, names)
    if standing is None or (standing.definition is None and not standing.bound):
        return _not_found(path, module, names, known.used)
    if standing.definition is None or not standing.certain:
        return undecidable(f"Whether {claim.value} stands for a definition depends on how the file is run.")
    if isinstance(standing.definition, _KINDS[claim.unit]):
        return validated(f"Line {standing.definition.lineno} of {path} defines it.", known.used)
    return refuted(f"Line {standing.definition.lineno} of {path} defines something else.", known.used)


def _last_of(module: ast.Module, names: list[str]) -> _Standing | None:
    """What a dotted name stands for; None if a part before the last is no definition."""
    scope: Scope = module
    certain = True
    standing = None
    for at, name in enumerate(names):
        standing = _in_scope(scope, name, set() if at else _reached_from_inside(module))
        certain = certain and standing.certain
        if standing.definition is None:
            return standing if at == len(names) - 1 or not standing.certain else None
        scope = standing.definition
    assert standing is not None
    return standing._replace(certain=certain)


def _in_scope(scope: Scope, name: str, reached: set[str]) -> _Standing:
    defined: Placed | None = None
    others: list[Placed] = []
    bound = mixed = False
    for placed in statements(scope):
        if isinstance(placed.node, Function | ast.ClassDef) and placed.node.name == name:
            # Which of two kinds it is in the end may depend on the conditions around them.
            kinds = {isinstance(one.node, ast.ClassDef) for one in (defined, placed) if one is not None}
            mixed = mixed or len(kinds) > 1
            defined = placed
        elif names_bound(placed.node) & {name, "*"}:
            others.append(placed)
            bound = bound or not isinstance(placed.node, ast.Import | ast.ImportFrom)
    if defined is None:
        return _Standing(None, name not in reached, bound or name in reached)
    after = any(
        other.node.lineno > defined.node.lineno or set(other.loops) & set(defined.loops) for other in others
    )
    node = defined.node
    assert isinstance(node, Function | ast.ClassDef)
    return _Standing(node, defined.runs and not (after or mixed) and name not in reached, True)


def _reached_from_inside(module: ast.Module) -> set[str]:
    """Names of the module that functions in it may bind anew."""
    return {name for node in ast.walk(module) if isinstance(node, ast.Global) for name in node.names}


def _not_found(path: str, module: ast.Module, names: list[str], used: frozenset[str]) -> Verdict:
    inside = [
        node
        for node in ast.walk(module)
        if isinstance(node, Function | ast.ClassDef) and node.name == names[-1]
    ]
    if inside:
        where = f"Line {inside[0].lineno} of {path}"
        return undecidable(f"{where} defines {names[-1]} inside something else: write the name dotted.")
    if calls_by_name(module, _DYNAMIC):
        return undecidable(f"{path} makes names while it runs; its text does not tell them all.")
    return refuted(f"No line of {path} defines it.", used)
