"""Calls: functions that are known to do the same every time, and those that read a configuration."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from nodes.tutor.proving import evaluation
from nodes.tutor.proving.configuration_files import FileName, files_named
from nodes.tutor.proving.containers import full_name, item
from nodes.tutor.proving.evaluation import Datum, Fails, applied
from nodes.tutor.proving.interpreting import Interpreter, Member, Opaque, Read
from nodes.tutor.proving.opening import fail_to_open
from nodes.tutor.proving.program import Running, Source, argument_of, binding_of, parameters
from nodes.tutor.proving.python_source import Function, statements

_LOADS = re.compile(r"load|read|parse|open|conf|cfg|setting|option", re.IGNORECASE)


def read_call(interpreter: Interpreter, node: ast.Call, running: Running) -> Read:
    """`f(...)`: what is known to give the same every time, or what may read a configuration."""
    full = full_name(interpreter, node.func, running)
    fail_to_open(interpreter, node, full, running)
    if full in ("os.getenv", "os.environ.get") and interpreter.settings.kind == "env":
        return _got(interpreter, Datum(interpreter.settings.value, frozenset(), ()), node, running)
    if full == "isinstance" and len(node.args) == 2:
        return _is_instance(interpreter, node.args[0], node.args[1], running)
    act = evaluation.FUNCTIONS.get(full) or evaluation.LIBRARY.get(full)
    if act is not None:
        return _applied(interpreter, act, node, running)
    if isinstance(node.func, ast.Attribute) and not full:
        return _method(interpreter, node.func, node, running)
    called = _called(interpreter, node, running)
    _arguments(interpreter, node, running)
    interpreter.doubtful = True
    return called


def _is_instance(
    interpreter: Interpreter, tested: ast.expr, kinds: ast.expr, running: Running
) -> Datum | None:
    names = [full_name(interpreter, one, running) for one in getattr(kinds, "elts", [kinds])]
    found = interpreter.known(tested, running)
    if found is None or not all(name in evaluation.TYPES for name in names):
        return None
    return Datum(isinstance(found.data, tuple(evaluation.TYPES[name] for name in names)), found.keys)


def _called(interpreter: Interpreter, node: ast.Call, running: Running) -> Read:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    found = interpreter.value(node.func, running) if isinstance(node.func, ast.Name) else None
    if isinstance(found, Member) and len(node.args) == 1:
        given = interpreter.known(node.args[0], running)
        if given is not None and all(given.data != one.data for one in found.values.values()):
            raise Fails("ValueError", f"{given.data!r} is not a valid {found.name}", given.keys)
        return None
    function = _function(interpreter, node.func, running)
    if function is not None:
        return _returned(interpreter, node, *function, running)
    # What a function of another kind, or a hook, makes of a file is not what stands in it.
    hooked = any((given.arg or "object_").startswith(("object_", "parse_")) for given in node.keywords)
    if hooked or not _LOADS.search(name):
        return None
    return Opaque(name, _files_behind(interpreter, node, running), True)


def _files_behind(interpreter: Interpreter, node: ast.expr, running: Running) -> tuple[FileName, ...]:
    """Names of files in an expression, and in what the names in it were made from."""
    found = list(files_named(node, running.source))
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            value = interpreter.elsewhere(one, running)
            found += value.files if isinstance(value, Opaque) else ()
    return tuple(found)


def _function(interpreter: Interpreter, node: ast.expr, running: Running) -> tuple[Function, Source] | None:
    if not isinstance(node, ast.Name):
        return None
    source = running.source
    bound = binding_of(source.module, node.id)
    if isinstance(bound, ast.ImportFrom):
        imported = interpreter.program.imported(source, bound)
        alias = next((one for one in bound.names if (one.asname or one.name) == node.id), None)
        if imported is None or alias is None:
            return None
        source, bound = imported, binding_of(imported.module, alias.name)
    return (bound, source) if isinstance(bound, Function) else None


def _returned(
    interpreter: Interpreter, node: ast.Call, function: Function, source: Source, running: Running
) -> Read:
    returns = [one.node for one in statements(function) if isinstance(one.node, ast.Return)]
    if len(returns) != 1 or not isinstance(returns[0], ast.Return) or returns[0].value is None:
        return None
    bound: dict[str, Any] = {}
    for name in parameters(function):
        given = argument_of(node, function, name, False)
        bound[name] = interpreter.elsewhere(given, running) if given is not None else None
    found = interpreter.elsewhere(returns[0].value, Running(source, (source.module, function), None, bound))
    if isinstance(found, Opaque):
        files = (
            found.files
            or tuple(files_named(function, source))
            or _files_of_arguments(interpreter, node, running)
        )
        return Opaque(found.name, files, found.whole)
    return found


def _files_of_arguments(interpreter: Interpreter, node: ast.Call, running: Running) -> tuple[FileName, ...]:
    return tuple(name for one in node.args for name in _files_behind(interpreter, one, running))


def _arguments(interpreter: Interpreter, node: ast.Call, running: Running) -> list[Read]:
    return [
        interpreter.value(one, running) for one in (*node.args, *(given.value for given in node.keywords))
    ]


def _applied(
    interpreter: Interpreter, act: Callable[..., Any], node: ast.Call, running: Running
) -> Datum | None:
    values = _arguments(interpreter, node, running)
    plain = [one for one in values if isinstance(one, Datum)]
    if len(plain) < len(values) or any(given.arg is None for given in node.keywords):
        return None
    names = [given.arg for given in node.keywords if given.arg is not None]
    count = len(node.args)

    def called(*data: Any) -> Any:
        return act(*data[:count], **dict(zip(names, data[count:], strict=True)))

    return applied(called, *plain)


def _method(interpreter: Interpreter, func: ast.Attribute, node: ast.Call, running: Running) -> Read:
    base = interpreter.value(func.value, running)
    reads = func.attr == "get" or func.attr in evaluation.CONVERTED
    base = interpreter.configuration(base) if reads else base
    if isinstance(base, Datum) and isinstance(base.data, dict) and reads:
        return _got(interpreter, base, node, running)
    if isinstance(base, Datum):
        return _plain_method(interpreter, base, func.attr, node, running)
    _arguments(interpreter, node, running)
    interpreter.doubtful = True
    if base is None or isinstance(base, Opaque):
        if not _LOADS.search(func.attr):
            return None
        files = _files_behind(interpreter, node, running)
        return Opaque(func.attr, files or (base.files if isinstance(base, Opaque) else ()), True)
    return None


def _plain_method(interpreter: Interpreter, base: Datum, name: str, node: ast.Call, running: Running) -> Read:
    if isinstance(base.data, dict) and base.place is not None and not hasattr(base.data, name):
        return None
    applied(lambda one: (getattr(one, name), None)[1], base)
    if name not in evaluation.METHODS.get(type(base.data), ()):
        _arguments(interpreter, node, running)
        return None
    values = _arguments(interpreter, node, running)
    plain = [one for one in values if isinstance(one, Datum)]
    if len(plain) < len(values) or node.keywords:
        return None

    def called(one: Any, *given: Any) -> Any:
        found = getattr(one, name)(*given)
        return list(found) if name in ("keys", "values", "items") else found

    return applied(called, base, *plain)


def _got(interpreter: Interpreter, base: Datum, node: ast.Call, running: Running) -> Read:
    """`get` of a mapping or of configparser, and the methods of configparser that convert as well."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else "get"
    given = [interpreter.known(one, running) for one in node.args]
    if not given or any(one is None for one in given):
        return None
    parts = [one for one in given if one is not None]
    is_ini = interpreter.settings.kind == "ini" and base.place is not None and len(base.place) <= 1
    if name in evaluation.CONVERTED and not is_ini:
        return None
    if is_ini and base.place == () and len(parts) == 2:
        section = evaluation.item(base, parts[0])
        base, parts = (section, parts[1:]) if section is not None else (base, [])
    if not parts or (node.keywords and not _has(interpreter, base, parts[0])):
        return None
    if _has(interpreter, base, parts[0]):
        found = item(interpreter, base, parts[0])
        act = evaluation.CONVERTED.get(name)
        return found if act is None or found is None else applied(act, found)
    if name != "get" or is_ini:
        return None
    return parts[1] if len(parts) > 1 else Datum(None)


def _has(interpreter: Interpreter, base: Datum, key: Datum) -> bool:
    try:
        return item(interpreter, base, key) is not None
    except Fails:
        return False
