"""Operations of Python on plain values, bounded: what they give, or the exception they raise.

Nothing of the program is run. An operation that is not listed here, or would be large, gives nothing.
"""

from __future__ import annotations

import ast
import ipaddress
import math
import operator
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from nodes.tutor.proving.configuration_lines import KeyPath

# Characters of a text, items of a list, bits of a number.
_LARGEST = 5_000
_MOST_BITS = 20_000
PLAIN = (int, float, str, list, tuple, dict, Decimal, Fraction, date, time, timedelta, type(None), set)
RAISED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True)
class Datum:
    """A value of the program that is known.

    Attributes:
        data: the value.
        keys: of the configuration it was made from.
        place: of the configuration it is, unchanged; None for anything else.
    """

    data: Any
    keys: frozenset[KeyPath] = frozenset()
    place: KeyPath | None = None


class Fails(Exception):
    """An operation of the program raises.

    Attributes:
        exception: its type, without its module.
        message: None if it is not known.
        keys: of the configuration whose value makes it fail.
    """

    def __init__(self, exception: str, message: str | None, keys: frozenset[KeyPath]) -> None:
        super().__init__(exception)
        self.exception = exception
        self.message = message
        self.keys = keys


def small(value: object) -> bool:
    """True if a value can be worked on in no time."""
    if isinstance(value, str | list | tuple | dict | set):
        return len(value) <= _LARGEST
    if isinstance(value, Decimal):
        # An integer made of it has as many digits as its exponent says.
        return not value.is_finite() or abs(value.adjusted()) <= _LARGEST
    if isinstance(value, int):
        return value.bit_length() <= _MOST_BITS
    return isinstance(value, PLAIN)


def applied(
    act: Callable[..., Any], *operands: Datum, blamed: frozenset[KeyPath] | None = None
) -> Datum | None:
    """What an operation gives; None if that cannot be known.

    Args:
        act: the operation, on plain values.
        operands: its operands.
        blamed: the keys whose values make it fail, if it does; those of all operands if not given.

    Raises:
        Fails: it raises.
    """
    keys = frozenset[KeyPath]().union(*(operand.keys for operand in operands))
    if not all(small(operand.data) for operand in operands):
        return None
    try:
        result = act(*(operand.data for operand in operands))
    except RAISED as error:
        raise Fails(type(error).__name__, str(error), keys if blamed is None else blamed) from error
    return Datum(result, keys) if isinstance(result, PLAIN) and small(result) else None


_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda one, other: one is other,
    ast.IsNot: lambda one, other: one is not other,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


def binary(op: ast.operator, left: Datum, right: Datum) -> Datum | None:
    """`left op right`.

    Raises:
        Fails: it raises; a division by zero is the divisor's doing.
    """
    if isinstance(op, ast.Pow | ast.LShift | ast.Mult | ast.Mod) and not _bounded(op, left.data, right.data):
        return None
    act = _BINARY.get(type(op))
    divides = isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and right.data == 0
    return None if act is None else applied(act, left, right, blamed=right.keys if divides else None)


def _bounded(op: ast.operator, left: object, right: object) -> bool:
    """True if what a growing operation gives is small, or it fails."""
    if isinstance(op, ast.Mod):
        # What a text's own format asks for can be of any width.
        return not isinstance(left, str)
    if isinstance(op, ast.Mult):
        sizes = [len(one) if isinstance(one, str | list | tuple) else one for one in (left, right)]
        grows = any(isinstance(one, str | list | tuple) for one in (left, right))
        whole = all(isinstance(size, int) for size in sizes)
        return not grows or not whole or sizes[0] * sizes[1] <= _LARGEST  # type: ignore[operator]
    if not isinstance(left, int) or not isinstance(right, int):
        return not isinstance(left, Decimal | Fraction) and not isinstance(right, Decimal | Fraction)
    grown = max(left.bit_length(), 1) * abs(right) if isinstance(op, ast.Pow) else left.bit_length() + right
    return grown <= _MOST_BITS


def unary(op: ast.unaryop, operand: Datum) -> Datum | None:
    """`op operand`.

    Raises:
        Fails: it raises.
    """
    return applied(_UNARY[type(op)], operand)


def compared(op: ast.cmpop, left: Datum, right: Datum) -> Datum | None:
    """`left op right` of a comparison.

    Raises:
        Fails: it raises.
    """
    if isinstance(op, ast.Eq | ast.NotEq) and (isinstance(left.data, dict) or isinstance(right.data, dict)):
        return None
    return applied(_COMPARE[type(op)], left, right)


def item(container: Datum, index: Datum) -> Datum | None:
    """`container[index]`.

    A key that a mapping of the configuration has not is set by no line of it, so nothing there is to blame.

    Raises:
        Fails: it raises.
    """
    blamed = container.keys | index.keys
    if isinstance(container.data, dict):
        blamed = index.keys if container.place is None else index.keys - container.keys
    found = applied(lambda one, at: (one[at],), container, index, blamed=blamed)
    if found is None or not isinstance(found.data[0], PLAIN):
        return None
    if (
        container.place is not None
        and isinstance(index.data, str | int)
        and isinstance(container.data, dict | list)
    ):
        at = index.data
        if isinstance(container.data, list) and isinstance(at, int):
            at %= len(container.data)
        place = (*container.place, at)
        return Datum(found.data[0], index.keys | {place}, place)
    return Datum(found.data[0], found.keys)


def _boolean(text: str) -> bool:
    """`getboolean` of configparser."""
    known = {
        "1": True,
        "yes": True,
        "true": True,
        "on": True,
        "0": False,
        "no": False,
        "false": False,
        "off": False,
    }
    if text.lower() not in known:
        raise ValueError(f"Not a boolean: {text}")
    return known[text.lower()]


def _sleep(seconds: object) -> object:
    """What `time.sleep` checks; nobody waits."""
    if not isinstance(seconds, int | float):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    return NotImplemented


CONVERTED: Mapping[str, Callable[[str], Any]] = {"getint": int, "getfloat": float, "getboolean": _boolean}
"""Reading methods of configparser, and what they do with the text."""

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "len": len,
    "abs": abs,
    "min": min,
    "max": max,
    "sum": sum,
    "list": list,
    "tuple": tuple,
    "dict": dict,
    "set": set,
    "sorted": sorted,
    "ord": ord,
    "hex": hex,
    "divmod": divmod,
    "range": range,
    "chr": chr,
}
"""Built-in functions that are the same for the same values, and quick on small ones."""

TYPES: Mapping[str, type] = {
    one.__name__: one for one in (int, float, bool, str, list, dict, tuple, set, bytes)
}
"""Built-in types a value may be tested for."""

LIBRARY: Mapping[str, Callable[..., Any]] = {
    "decimal.Decimal": Decimal,
    "fractions.Fraction": lambda *given: Fraction(*given) if _short(given) else NotImplemented,
    "datetime.datetime.strptime": datetime.strptime,
    "datetime.datetime.fromisoformat": datetime.fromisoformat,
    "datetime.date.fromisoformat": date.fromisoformat,
    "datetime.time.fromisoformat": time.fromisoformat,
    "datetime.timedelta": timedelta,
    "uuid.UUID": uuid.UUID,
    "math.sqrt": math.sqrt,
    "math.log": math.log,
    "math.log10": math.log10,
    "math.log2": math.log2,
    "time.sleep": _sleep,
    "ipaddress.ip_address": ipaddress.ip_address,
    "ipaddress.ip_network": ipaddress.ip_network,
}
"""Functions of the standard library that check what they are given, by their full names."""

METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        "lower upper casefold strip lstrip rstrip split rsplit partition rpartition startswith endswith "
        "isdigit isdecimal isnumeric isalpha isalnum index find count title capitalize removeprefix "
        "removesuffix splitlines encode join".split()
    ),
    list: frozenset(("index", "count", "copy")),
    dict: frozenset(("get", "keys", "values", "items", "copy")),
}
"""Methods that change nothing, and give nothing much larger than what they are given."""


def _short(given: tuple[object, ...]) -> bool:
    return all(not isinstance(one, str) or (len(one) < 40 and "e" not in one.lower()) for one in given)
