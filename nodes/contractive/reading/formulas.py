"""Formulas: the same if they have the same values. Pure; nothing of them is run.

Two formulas are worked out at fixed points by a walk over their syntax tree that knows arithmetic, roots and
logarithms, and no names but their variables (the test of polynomial identity of Schwartz, 1980, and Zippel, 1979).
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable

LONGEST = 200
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "log": math.log, "ln": math.log, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "abs": abs,
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]+")
_FORMULA = re.compile(r"[\w\s()^*/+\-=.,·×÷√π²³⁴!|{}]+")
# A variable beside a sign or a factor; "5 m" and "12km" are amounts.
_TELLING = re.compile(
    r"[A-Za-zπ]\s?[²³⁴^(+*/]|[)+*/√-]\s?[A-Za-zπ]|[\d)]\s?[xyzabnk](?![A-Za-z])|[xyznπ]\s?-"
)
_POINTS = (1.37, 2.71, 4.19)
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
_LARGEST_POWER = 64


def is_formula(text: str) -> bool:
    """True for something like 2x, O(log n) or πr²: signs of mathematics, and no words."""
    if len(text) > LONGEST or not _FORMULA.fullmatch(text) or not _TELLING.search(text.rpartition("=")[2]):
        return False
    return all(
        len(word) <= 2 or word.lower() in _FUNCTIONS or word.lower() == "pi" for word in _WORD.findall(text)
    )


def same_formula(one: str, other: str) -> bool | None:
    """True if two formulas agree at every point, False if they differ, None if one cannot be worked out."""
    first, second = _normal(one), _normal(other)
    if first == second:
        return True
    try:
        trees = [ast.parse(text, mode="eval").body for text in (first, second)]
        values = [[_value(tree, point) for point in _POINTS] for tree in trees]
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(*values, strict=True))


def _normal(text: str) -> str:
    """A formula as Python would write it: its last side, powers and products written out."""
    text = text.rpartition("=")[2].strip()
    for old, new in (
        ("²", "**2"),
        ("³", "**3"),
        ("⁴", "**4"),
        ("^", "**"),
        ("·", "*"),
        ("×", "*"),
        ("÷", "/"),
        ("π", "pi"),
        ("{", "("),
        ("}", ")"),
    ):
        text = text.replace(old, new)
    text = re.sub(r"√\s*\(", "sqrt(", text)
    text = re.sub(r"√\s*(\w+)", r"sqrt(\1)", text)
    text = re.sub(r"\b(log|ln|sin|cos|tan)\s+(\w+)", r"\1(\2)", text)
    text = re.sub(r"(?<=\d)\s*(?=[A-Za-z(])", "*", text)
    text = re.sub(r"(?<=\))\s*(?=[\w(])", "*", text)
    return re.sub(r"\s+", "", re.sub(r"(?<=[A-Za-z])\s+(?=[A-Za-z(])", "*", text))


def _value(node: ast.expr, point: float) -> float:
    """The value of a tree with its variables at a point that depends on their names.

    Raises:
        ValueError: it holds something that is no arithmetic.
    """
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id="pi"):
            return math.pi
        case ast.Name(id=name):
            return point + sum(ord(sign) for sign in name) / 97
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, point)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power = _value(right, point)
            if abs(power) > _LARGEST_POWER:
                raise ValueError("too high a power")
            return math.pow(_value(left, point), power)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATIONS:
            return _OPERATIONS[type(sign)](_value(left, point), _value(right, point))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            return _called(name, _value(argument, point))
    raise ValueError("no arithmetic")


def _called(name: str, argument: float) -> float:
    """A function's value; of one that is not known, such as O in O(n), one that differs with name and argument."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](argument)
    return argument * 31 + sum(ord(sign) for sign in name)
