"""Functions, classes and imports of a Python file, in one walk over its syntax tree without recursion.

Cyclomatic complexity is counted as radon 6 does: one for a function, and one more for each `if`, `elif`,
loop, `else` of a loop, `except`, `else` of a `try`, `case` but a catch-all, `and`, `or`, conditional
expression, comprehension, each of its `if`s, and `assert`. Functions and classes within a function,
decorators, defaults, what stands inside an `assert`, and a `try` with `except*` are not counted in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_BLOCKS = (*_LOOPS, ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Match)
_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)


@dataclass
class FunctionFacts:
    """A function or method: see `report.Function`; `first` is its first decorator's line."""

    name: str
    first: int
    line: int
    last: int
    parameters: int
    cyclomatic: int = 1
    nesting: int = 0


@dataclass
class ClassFacts:
    """A class: see `report.Class`."""

    name: str
    first: int
    last: int
    bases: tuple[str, ...]
    methods: int = 0


@dataclass(frozen=True)
class Imported:
    """An import statement's request, as it is written.

    Attributes:
        line: where it stands.
        level: number of leading dots.
        module: behind them; may be empty then.
        names: that are taken from it; empty for `import module`.
        lazy: it stands in a function, or under `if TYPE_CHECKING:`.
    """

    line: int
    level: int
    module: str
    names: tuple[str, ...]
    lazy: bool


@dataclass(frozen=True)
class Facts:
    """All of one file, in the order of their lines."""

    functions: list[FunctionFacts] = field(default_factory=list)
    classes: list[ClassFacts] = field(default_factory=list)
    imports: list[Imported] = field(default_factory=list)


@dataclass(frozen=True)
class _Within:
    """What a statement stands in."""

    function: FunctionFacts | None = None
    class_: ClassFacts | None = None
    prefix: str = ""
    depth: int = 0
    lazy: bool = False


def facts_of(tree: ast.Module) -> Facts:
    """Walk over a syntax tree."""
    facts = Facts()
    waiting: list[tuple[ast.stmt, _Within]] = [(node, _Within()) for node in tree.body]
    while waiting:
        node, within = waiting.pop()
        if isinstance(node, _FUNCTIONS):
            inner = _function(node, within, facts)
            waiting.extend((child, inner) for child in node.body)
        elif isinstance(node, ast.ClassDef):
            inner = _class(node, within, facts)
            waiting.extend((child, inner) for child in node.body)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            facts.imports.extend(_imports(node, within))
        else:
            _count(node, within)
            waiting.extend(_below(node, within))
    facts.functions.sort(key=lambda function: function.line)
    facts.classes.sort(key=lambda class_: class_.first)
    facts.imports.sort(key=lambda imported: imported.line)
    return facts


def _function(node: FunctionNode, within: _Within, facts: Facts) -> _Within:
    name = within.prefix + node.name
    function = FunctionFacts(
        name,
        _first(node),
        node.lineno,
        node.end_lineno or node.lineno,
        _parameters(node, is_method=within.class_ is not None),
    )
    facts.functions.append(function)
    if within.class_ is not None:
        within.class_.methods += 1
    return _Within(function, None, f"{name}.<locals>.", 0, lazy=True)


def _first(node: FunctionNode | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _parameters(node: FunctionNode, *, is_method: bool) -> int:
    arguments = node.args
    positional = len(arguments.posonlyargs) + len(arguments.args)
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list)
    if is_method and not static and positional:
        positional -= 1
    return positional + len(arguments.kwonlyargs) + bool(arguments.vararg) + bool(arguments.kwarg)


def _class(node: ast.ClassDef, within: _Within, facts: Facts) -> _Within:
    name = within.prefix + node.name
    bases = tuple(ast.unparse(base) for base in node.bases)
    class_ = ClassFacts(name, _first(node), node.end_lineno or node.lineno, bases)
    facts.classes.append(class_)
    return _Within(None, class_, f"{name}.", 0, within.lazy)


def _imports(node: ast.Import | ast.ImportFrom, within: _Within) -> Iterator[Imported]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Imported(node.lineno, 0, alias.name, (), within.lazy)
    else:
        names = tuple(alias.name for alias in node.names)
        yield Imported(node.lineno, node.level, node.module or "", names, within.lazy)


def _below(node: ast.stmt, within: _Within) -> Iterator[tuple[ast.stmt, _Within]]:
    """Statements right below a statement, with what they stand in."""
    if not isinstance(node, _BLOCKS):
        return
    inner = replace(within, depth=within.depth + 1)
    if within.function is not None:
        within.function.nesting = max(within.function.nesting, inner.depth)
    if isinstance(node, ast.If):
        body = replace(inner, lazy=True) if _is_type_checking(node.test) else inner
        yield from ((child, body) for child in node.body)
        # An `elif` is an `if` below, in the same column.
        same = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        is_elif = same and node.orelse[0].col_offset == node.col_offset
        yield from ((child, within if is_elif else inner) for child in node.orelse)
        return
    for statements in _bodies(node):
        yield from ((child, inner) for child in statements)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(node, ast.Match):
        yield from (case.body for case in node.cases)
        return
    for name in ("body", "orelse", "finalbody"):
        yield getattr(node, name, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body


def _is_type_checking(test: ast.expr) -> bool:
    name = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return name == "TYPE_CHECKING"


def _count(node: ast.stmt, within: _Within) -> None:
    """Add to the function around it what a statement decides, without the statements below it."""
    if within.function is None:
        return
    if isinstance(node, ast.Assert):
        within.function.cyclomatic += 1
        return
    decisions = _decisions(_expressions(node))
    if isinstance(node, ast.If):
        decisions += 1
    elif isinstance(node, _LOOPS):
        decisions += 1 + bool(node.orelse)
    elif isinstance(node, ast.Try):
        decisions += len(node.handlers) + bool(node.orelse)
    elif isinstance(node, ast.Match):
        catches_all = any(getattr(case.pattern, "pattern", False) is None for case in node.cases)
        decisions += max(0, len(node.cases) - catches_all)
    within.function.cyclomatic += decisions


def _expressions(node: ast.AST) -> list[ast.AST]:
    """Nodes below a statement that hold no statement."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.excepthandler, ast.match_case)):
            found.extend(_expressions(child))
        elif not isinstance(child, ast.stmt):
            found.append(child)
    return found


def _decisions(waiting: list[ast.AST]) -> int:
    decisions = 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, _LEAVES):
            continue
        if isinstance(node, ast.BoolOp):
            decisions += len(node.values) - 1
        elif isinstance(node, ast.IfExp):
            decisions += 1
        elif isinstance(node, ast.comprehension):
            decisions += 1 + len(node.ifs)
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                waiting.append(value)
            elif isinstance(value, list):
                waiting.extend(one for one in value if isinstance(one, ast.AST))
    return decisions
