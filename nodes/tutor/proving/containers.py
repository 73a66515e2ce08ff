"""Parts of things: items, attributes, and the full names of what is imported."""

from __future__ import annotations

import ast
import builtins

from nodes.tutor.proving import evaluation
from nodes.tutor.proving.configuration_lines import KeyPath
from nodes.tutor.proving.evaluation import Datum, Fails, applied
from nodes.tutor.proving.interpreting import Interpreter, Member, Opaque, Read
from nodes.tutor.proving.program import Running, binding_of, parameters
from nodes.tutor.proving.python_source import Function, statements

_WRAPPED = frozenset(("config", "cfg", "conf", "settings", "options", "data", "values"))


def read_subscript(interpreter: Interpreter, node: ast.Subscript, running: Running) -> Read:
    """`a[b]`."""
    base = interpreter.configuration(interpreter.value(node.value, running))
    if isinstance(node.slice, ast.Slice):
        return None
    index = interpreter.known(node.slice, running)
    if isinstance(base, Member) and index is not None:
        return _member(interpreter, base, index)
    if not isinstance(base, Datum) or index is None:
        return None
    return item(interpreter, base, index)


def _member(interpreter: Interpreter, base: Member, index: Datum) -> Read:
    if index.data in base.values:
        return None
    raise Fails("KeyError", repr(index.data), index.keys)


def item(interpreter: Interpreter, base: Datum, index: Datum) -> Datum | None:
    """`base[index]`, with the rules of configparser for a file of that kind."""
    if interpreter.settings.kind == "ini" and base.place is not None and len(base.place) == 1:
        return _option(interpreter, base.place[0], index)
    return evaluation.item(base, index)


def _option(interpreter: Interpreter, section: str | int, index: Datum) -> Datum | None:
    for part in (section, "DEFAULT"):
        for key, text in interpreter.settings.value.get(part, {}).items():
            if isinstance(index.data, str) and key.lower() == index.data.lower():
                # A percent sign may stand for another option.
                path: KeyPath = (part, key)
                return None if "%" in text else Datum(text, index.keys | {path}, path)
    raise Fails("KeyError", repr(index.data), index.keys)


def read_attribute(interpreter: Interpreter, node: ast.Attribute, running: Running) -> Read:
    """`a.b`: of an object, a configuration, or the environment."""
    own = _own_attribute(interpreter, node, running)
    if own is not None:
        return own
    if is_environment(interpreter, node, running):
        return (
            Datum(interpreter.settings.value, frozenset(), ()) if interpreter.settings.kind == "env" else None
        )
    base = interpreter.value(node.value, running)
    if isinstance(base, Opaque):
        document = interpreter.configuration(base)
        if isinstance(document, Datum) and isinstance(document.data, dict) and node.attr in document.data:
            return item(interpreter, document, Datum(node.attr))
        return Opaque(node.attr, base.files) if node.attr in _WRAPPED else None
    if isinstance(base, Datum) and isinstance(base.data, dict):
        inside = base.place is not None and node.attr in base.data
        return item(interpreter, base, Datum(node.attr)) if inside else None
    if isinstance(base, Datum):
        return applied(lambda one: getattr(one, node.attr), base)
    return None


def _own_attribute(interpreter: Interpreter, node: ast.Attribute, running: Running) -> Read:
    """What a method's own object was given under a name, if it is given it once."""
    classes = [one for one in running.chain if isinstance(one, ast.ClassDef)]
    function = running.scope
    if not classes or not isinstance(function, Function) or not isinstance(node.value, ast.Name):
        return None
    if parameters(function)[:1] != [node.value.id]:
        return None
    given = []
    for method in (one for one in classes[-1].body if isinstance(one, Function)):
        for placed in statements(method):
            targets = getattr(placed.node, "targets", None) or [getattr(placed.node, "target", None)]
            if any(isinstance(one, ast.Attribute) and one.attr == node.attr for one in targets):
                given.append((method, placed.node))
    if not given:
        return Opaque(node.attr)
    method, statement = given[0]
    value = getattr(statement, "value", None)
    if len(given) > 1 or not isinstance(statement, ast.Assign | ast.AnnAssign) or value is None:
        return None
    at = running.chain.index(classes[-1])
    call = running.call if method is function else None
    return interpreter.elsewhere(value, Running(running.source, (*running.chain[: at + 1], method), call))


def is_environment(interpreter: Interpreter, node: ast.expr, running: Running) -> bool:
    """True for `os.environ`."""
    return full_name(interpreter, node, running) == "os.environ"


def full_name(interpreter: Interpreter, node: ast.expr, running: Running) -> str:
    """The dotted name of something imported or built in; "" for anything else."""
    if isinstance(node, ast.Attribute):
        base = full_name(interpreter, node.value, running)
        return f"{base}.{node.attr}" if base else ""
    if not isinstance(node, ast.Name) or node.id in running.bound:
        return ""
    for scope in reversed(running.chain):
        bound = binding_of(scope, node.id)
        if bound is False or (isinstance(scope, Function) and node.id in parameters(scope)):
            return ""
        if isinstance(bound, ast.Import):
            alias = next(one for one in bound.names if (one.asname or one.name.split(".")[0]) == node.id)
            return alias.name if alias.asname else node.id
        if isinstance(bound, ast.ImportFrom):
            taken = next((one for one in bound.names if (one.asname or one.name) == node.id), None)
            return f"{bound.module}.{taken.name}" if taken is not None and not bound.level else ""
        if bound is not None:
            return ""
    return node.id if hasattr(builtins, node.id) else ""
