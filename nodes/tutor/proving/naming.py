"""What the names of a program stand for."""

from __future__ import annotations

import ast

from nodes.tutor.proving import evaluation
from nodes.tutor.proving.configuration_files import files_named
from nodes.tutor.proving.evaluation import Datum
from nodes.tutor.proving.interpreting import Interpreter, Member, Opaque, Read
from nodes.tutor.proving.program import Running, argument_of, binding_of, parameters
from nodes.tutor.proving.python_source import Function, statements

_ENUMS = frozenset(("Enum", "StrEnum", "IntEnum"))


def read_name(interpreter: Interpreter, node: ast.Name, running: Running) -> Read:
    """A name."""
    return named(interpreter, node.id, running, node.lineno)


def named(interpreter: Interpreter, name: str, running: Running, line: int | None) -> Read:
    """What a name stands for, on a line of its own scope or anywhere below it."""
    if name in running.bound:
        found: Read = running.bound[name]
        return found
    for depth in range(len(running.chain), 0, -1):
        scope, own = running.chain[depth - 1], depth == len(running.chain)
        if isinstance(scope, ast.ClassDef) and not own:
            continue
        outer = Running(running.source, running.chain[:depth], running.call)
        bound = binding_of(scope, name)
        given = isinstance(scope, Function) and name in parameters(scope)
        if bound is False or (bound is not None and given):
            return None
        if isinstance(bound, ast.stmt):
            late = own and line is not None and bound.lineno >= line
            return None if late else _bound(interpreter, bound, name, outer)
        if given and isinstance(scope, Function):
            return _argument(interpreter, scope, name, outer) if own else Opaque(name)
    return None


def _bound(interpreter: Interpreter, bound: ast.stmt, name: str, running: Running) -> Read:
    if isinstance(bound, ast.ImportFrom):
        return _imported(interpreter, bound, name, running)
    if isinstance(bound, ast.ClassDef):
        return _enumeration(interpreter, bound, running)
    if isinstance(bound, ast.With):
        opened = [item.context_expr for item in bound.items]
        return Opaque(name, tuple(file for one in opened for file in files_named(one, running.source)))
    value = getattr(bound, "value", None)
    if not isinstance(bound, ast.Assign | ast.AnnAssign) or value is None:
        return None
    targets = bound.targets if isinstance(bound, ast.Assign) else [bound.target]
    for target in targets:
        if isinstance(target, ast.Name) and target.id == name:
            return interpreter.elsewhere(value, running)
        if isinstance(target, ast.Tuple):
            return _unpacked(interpreter, target, interpreter.elsewhere(value, running), name)
    return None


def _unpacked(interpreter: Interpreter, target: ast.Tuple, found: Read, name: str) -> Read:
    names = [one.id if isinstance(one, ast.Name) else "" for one in target.elts]
    if not isinstance(found, Datum) or not isinstance(found.data, list | tuple):
        return None
    if len(found.data) != len(names) or name not in names:
        return None
    return evaluation.item(found, Datum(names.index(name)))


def _imported(interpreter: Interpreter, node: ast.ImportFrom, name: str, running: Running) -> Read:
    source = interpreter.program.imported(running.source, node)
    if source is None:
        return Opaque(name)
    original = next((alias.name for alias in node.names if (alias.asname or alias.name) == name), None)
    if original is None:
        return None
    return named(interpreter, original, Running(source, (source.module,)), None)


def _enumeration(interpreter: Interpreter, node: ast.ClassDef, running: Running) -> Read:
    bases = {base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases}
    if not bases & _ENUMS:
        return None
    values = {}
    for placed in statements(node):
        statement = placed.node
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            value = interpreter.elsewhere(statement.value, running)
            if not isinstance(value, Datum):
                return None
            values[statement.targets[0].id] = value
        elif not isinstance(statement, ast.Pass) and not (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        ):
            return None
    return Member(values, node.name)


def _argument(interpreter: Interpreter, function: Function, name: str, running: Running) -> Read:
    """What a parameter was given by the call before, if that call was seen."""
    before = interpreter.program.calls[running.call - 1] if running.call else None
    if before is None:
        return Opaque(name)
    called = {function.name} if function.name != "__init__" else {getattr(running.chain[-2], "name", "")}
    found = [
        call
        for call in ast.walk(before.running.source.module)
        if isinstance(call, ast.Call)
        and call.lineno <= before.line <= (call.end_lineno or 0)
        and (call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", ""))
        in called
    ]
    if len(found) != 1:
        return Opaque(name)
    given = argument_of(found[0], function, name, len(running.chain) > 2)
    return interpreter.elsewhere(given, before.running) if given is not None else None
