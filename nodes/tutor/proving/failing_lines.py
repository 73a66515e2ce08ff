"""What a line of a program does when it runs: nothing, or fail, as far as that can be known."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Literal, NamedTuple

from nodes.tutor.proving.evaluation import Fails, applied
from nodes.tutor.proving.interpreting import Interpreter
from nodes.tutor.proving.operations import each
from nodes.tutor.proving.program import Call, Running
from nodes.tutor.proving.python_source import Function

Outcome = Fails | Literal["fine", "open"]
_BLOCKS = ("body", "orelse", "finalbody")


class _Around(NamedTuple):
    """A statement around a line, and the block of it the line is in; a handler's block is the handler."""

    node: ast.stmt
    block: str | ast.ExceptHandler


def outcome_of(call: Call, interpreter: Interpreter) -> Outcome:
    """What the line does; "fine" only if it certainly does not fail."""
    found = _statement_at(list(call.running.scope.body), call.line)
    if found is None:
        return "open"
    around, statement = found
    try:
        return _in_loops(statement, around, around, call.running, interpreter)
    except Fails as failure:
        return failure


def _statement_at(body: list[ast.stmt], line: int) -> tuple[list[_Around], ast.stmt] | None:
    around: list[_Around] = []
    while True:
        node = next((one for one in body if one.lineno <= line <= (one.end_lineno or one.lineno)), None)
        if node is None:
            return None
        inner = next(
            ((block, found) for block, found in _blocks(node) if found[0].lineno <= line <= _last(found)),
            None,
        )
        if inner is None:
            return around, node
        around.append(_Around(node, inner[0]))
        body = inner[1]


def _last(body: list[ast.stmt]) -> int:
    return body[-1].end_lineno or body[-1].lineno


def _blocks(node: ast.stmt) -> Iterator[tuple[str | ast.ExceptHandler, list[ast.stmt]]]:
    if isinstance(node, Function | ast.ClassDef):
        return
    for name in _BLOCKS:
        body = getattr(node, name, None)
        if body:
            yield name, body
    for handler in getattr(node, "handlers", ()):
        yield handler, handler.body
    for case in getattr(node, "cases", ()):
        yield "case", case.body


def _in_loops(
    statement: ast.stmt,
    rest: list[_Around],
    around: list[_Around],
    running: Running,
    interpreter: Interpreter,
) -> Outcome:
    """The statement at every round of the loops around it that can be known; the first that fails counts."""
    for at, one in enumerate(rest):
        if not isinstance(one.node, ast.For) or one.block != "body":
            continue
        rounds = each(interpreter, one.node.target, one.node.iter, running)
        if rounds is None:
            return "open"
        outcome: Outcome = "fine"
        for one_round in rounds:
            outcome = _in_loops(statement, rest[at + 1 :], around, one_round, interpreter)
            if outcome != "fine":
                return outcome
        return outcome
    return _outcome(statement, around, running, interpreter)


def _outcome(
    statement: ast.stmt, around: list[_Around], running: Running, interpreter: Interpreter
) -> Outcome:
    if isinstance(statement, ast.Raise):
        return _raised(statement, around, running, interpreter)
    if isinstance(statement, ast.Assert):
        test = interpreter.known(statement.test, running)
        if test is None:
            return "open"
        message = _text(statement.msg, running, interpreter) if statement.msg is not None else ""
        return "fine" if test.data else Fails("AssertionError", message, test.keys)
    return _evaluated(statement, running, interpreter)


def _evaluated(statement: ast.stmt, running: Running, interpreter: Interpreter) -> Outcome:
    if isinstance(statement, ast.For):
        return "open" if each(interpreter, statement.target, statement.iter, running) is None else "fine"
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        left = ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement.target)
        whole = ast.copy_location(ast.BinOp(left, statement.op, statement.value), statement)
        return "open" if interpreter.value(whole, running) is None or interpreter.doubtful else "fine"
    expressions = _expressions(statement)
    if not expressions:
        return "open"
    values = [interpreter.value(one, running) for one in expressions]
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple | ast.List):
        return _unpacked(statement, running, interpreter)
    simple = not isinstance(statement, ast.Assign) or isinstance(
        statement.targets[0], ast.Name | ast.Attribute
    )
    return "open" if interpreter.doubtful or None in values or not simple else "fine"


def _expressions(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.With):
        return [item.context_expr for item in statement.items]
    if isinstance(statement, ast.If | ast.While):
        return [statement.test]
    value = getattr(statement, "value", None)
    return [value] if isinstance(value, ast.expr) else []


def _unpacked(statement: ast.Assign, running: Running, interpreter: Interpreter) -> Outcome:
    """`a, b = value`, which fails for other numbers of parts."""
    target = statement.targets[0]
    found = interpreter.known(statement.value, running)
    assert isinstance(target, ast.Tuple | ast.List)
    if found is None or any(isinstance(one, ast.Starred) for one in target.elts):
        return "open"
    count = len(target.elts)
    parts = applied(lambda one: list(iter(one)), found)
    if parts is None:
        return "open"
    given = len(parts.data)
    if given < count:
        return Fails("ValueError", f"not enough values to unpack (expected {count}, got {given})", found.keys)
    if given > count:
        return Fails("ValueError", f"too many values to unpack (expected {count})", found.keys)
    return "open" if interpreter.doubtful else "fine"


def _raised(
    statement: ast.Raise, around: list[_Around], running: Running, interpreter: Interpreter
) -> Outcome:
    """`raise` under conditions, or in a handler: what made the program get there made it fail."""
    name, message = _exception(statement, running, interpreter)
    if name is None:
        return "open"
    inner = True
    reason: Fails | None = None
    for one in reversed(around):
        if isinstance(one.block, ast.ExceptHandler) and inner:
            caught = _caught(one, running, interpreter)
            return Fails(name, message, caught.keys) if caught is not None else "open"
        if not isinstance(one.node, ast.If):
            continue
        test = interpreter.known(one.node.test, running)
        if test is None:
            if inner:
                return "open"
            continue
        if bool(test.data) is not (one.block == "body"):
            return "fine" if inner and not interpreter.doubtful else "open"
        if inner:
            reason = Fails(name, message, test.keys)
        inner = False
    return reason or "open"


def _exception(
    statement: ast.Raise, running: Running, interpreter: Interpreter
) -> tuple[str | None, str | None]:
    """Type and message of what is raised; None if not known."""
    raised = statement.exc
    made = raised.func if isinstance(raised, ast.Call) else raised
    name = made.attr if isinstance(made, ast.Attribute) else getattr(made, "id", None)
    if not isinstance(raised, ast.Call) or raised.keywords or len(raised.args) > 1:
        return name, None
    return name, _text(raised.args[0], running, interpreter) if raised.args else ""


def _text(node: ast.expr, running: Running, interpreter: Interpreter) -> str | None:
    doubtful = interpreter.doubtful
    found = interpreter.known(node, running)
    interpreter.doubtful = doubtful
    return str(found.data) if found is not None else None


def _caught(one: _Around, running: Running, interpreter: Interpreter) -> Fails | None:
    """What the statements of a `try` fail with, if the handler around the line is the one for it."""
    assert isinstance(one.node, ast.Try) and isinstance(one.block, ast.ExceptHandler)
    for statement in one.node.body:
        try:
            outcome = _outcome(statement, [], running, interpreter)
        except Fails as failure:
            outcome = failure
        if isinstance(outcome, Fails):
            first = next((own for own in one.node.handlers if _catches(own, outcome.exception)), None)
            return outcome if first is one.block else None
    return None


def _catches(handler: ast.ExceptHandler, exception: str) -> bool:
    """True if a handler is for an exception, by the names of both and the built-in families."""
    if handler.type is None:
        return True
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "") for one in named}
    raised = getattr(builtins, exception, None)
    families = (
        {base.__name__ for base in raised.__mro__} if isinstance(raised, type) else {exception, "Exception"}
    )
    return bool(names & families)
