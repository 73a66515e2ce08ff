"""Operators, texts with places in them, lists, and what goes through lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from nodes.tutor.proving import evaluation
from nodes.tutor.proving.configuration_lines import KeyPath
from nodes.tutor.proving.evaluation import Datum, applied
from nodes.tutor.proving.interpreting import Interpreter, Read
from nodes.tutor.proving.program import Running

_FORMAT = re.compile(r"[<>=^]?[+ -]?0?\d{0,2},?(?:\.\d{1,2})?[a-zA-Z%]?")


def read_constant(interpreter: Interpreter, node: ast.Constant, running: Running) -> Read:
    """A number, a text, true, false or none."""
    return Datum(node.value) if isinstance(node.value, evaluation.PLAIN) else None


def read_sequence(interpreter: Interpreter, node: ast.List | ast.Tuple | ast.Set, running: Running) -> Read:
    """`[a, b]`, `(a, b)`, `{a, b}`."""
    values = [interpreter.known(one, running) for one in node.elts]
    known = [one for one in values if one is not None]
    if len(known) < len(values):
        return None
    kind = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
    return applied(lambda *data: kind(data), *known)


def read_dictionary(interpreter: Interpreter, node: ast.Dict, running: Running) -> Read:
    """`{a: b}`; values may be unknown, keys not."""
    keys = [interpreter.known(one, running) if one is not None else None for one in node.keys]
    if any(key is None for key in keys):
        return None
    doubtful = interpreter.doubtful
    data: dict[Any, Any] = {}
    used: frozenset[KeyPath] = frozenset()
    for key, value in zip(keys, node.values, strict=True):
        read = interpreter.value(value, running)
        assert key is not None
        # Values that are not known, functions for instance, do not keep a key from being looked up.
        data[key.data] = read.data if isinstance(read, Datum) else NotImplemented
        used |= key.keys | (read.keys if isinstance(read, Datum) else frozenset())
    interpreter.doubtful = doubtful
    return Datum(data, used)


def read_formatted(interpreter: Interpreter, node: ast.JoinedStr, running: Running) -> Read:
    """`f"..."`."""
    parts = [interpreter.known(one, running) for one in node.values]
    known = [one for one in parts if one is not None]
    return applied(lambda *data: "".join(data), *known) if len(known) == len(parts) else None


def read_formatted_value(interpreter: Interpreter, node: ast.FormattedValue, running: Running) -> Read:
    """`{a:spec}` in such a text."""
    found = interpreter.known(node.value, running)
    spec = interpreter.known(node.format_spec, running) if node.format_spec is not None else Datum("")
    if found is None or spec is None or not _FORMAT.fullmatch(spec.data):
        return None
    if node.conversion == ord("r"):
        return applied(lambda one, how: format(repr(one), how), found, spec)
    return applied(format, found, spec) if node.conversion == -1 else None


def read_binary(interpreter: Interpreter, node: ast.BinOp, running: Running) -> Read:
    """`a + b` and its like."""
    left, right = interpreter.known(node.left, running), interpreter.known(node.right, running)
    return evaluation.binary(node.op, left, right) if left is not None and right is not None else None


def read_await(interpreter: Interpreter, node: ast.Await | ast.Starred, running: Running) -> Read:
    """`await a`, `*a`: what it gives is not known, but what is in it comes first."""
    interpreter.value(node.value, running)
    return None


def read_unary(interpreter: Interpreter, node: ast.UnaryOp, running: Running) -> Read:
    """`-a`, `not a`."""
    operand = interpreter.known(node.operand, running)
    return evaluation.unary(node.op, operand) if operand is not None else None


def read_boolean(interpreter: Interpreter, node: ast.BoolOp, running: Running) -> Read:
    """`a and b`, `a or b`: made from the part that decides."""
    keys: frozenset[KeyPath] = frozenset()
    stops = isinstance(node.op, ast.Or)
    last: Datum | None = None
    for part in node.values:
        last = interpreter.known(part, running)
        if last is None:
            return None
        if bool(last.data) is stops:
            return last
        keys |= last.keys
    return Datum(last.data, keys, last.place) if last is not None else None


def read_comparison(interpreter: Interpreter, node: ast.Compare, running: Running) -> Read:
    """`a < b < c`."""
    left = interpreter.known(node.left, running)
    keys: frozenset[KeyPath] = frozenset()
    for op, other in zip(node.ops, node.comparators, strict=True):
        right = interpreter.known(other, running)
        found = evaluation.compared(op, left, right) if left is not None and right is not None else None
        if found is None:
            return None
        if not found.data:
            return found
        keys, left = keys | found.keys, right
    return Datum(True, keys)


def read_choice(interpreter: Interpreter, node: ast.IfExp, running: Running) -> Read:
    """`a if b else c`."""
    test = interpreter.known(node.test, running)
    if test is None:
        return None
    return interpreter.value(node.body if test.data else node.orelse, running)


def read_comprehension(
    interpreter: Interpreter, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, running: Running
) -> Read:
    """`[f(a) for a in b]`."""
    if len(node.generators) != 1 or node.generators[0].ifs:
        return None
    rounds = each(interpreter, node.generators[0].target, node.generators[0].iter, running)
    if rounds is None:
        return None
    values = [interpreter.known(node.elt, one) for one in rounds]
    known = [one for one in values if one is not None]
    return applied(lambda *data: list(data), *known) if len(known) == len(values) else None


def each(
    interpreter: Interpreter, target: ast.expr, iterated: ast.expr, running: Running
) -> Iterator[Running] | None:
    """The scope at every round of a loop; None if what it goes through is not known.

    Raises:
        Fails: it cannot be gone through.
    """
    found = interpreter.known(iterated, running)
    if found is None:
        return None
    items = applied(lambda one: list(iter(one)), found)
    if items is None or not isinstance(target, ast.Name):
        return None
    if found.place is not None and isinstance(found.data, list):
        rounds = [evaluation.item(found, Datum(at)) for at in range(len(items.data))]
    else:
        rounds = [Datum(one, items.keys) for one in items.data]
    return (running.with_bound({target.id: one}) for one in rounds)
