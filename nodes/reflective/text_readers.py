"""Readers of plain text: the output as it is, a column of numbers, the longest line."""

from __future__ import annotations

import re
from decimal import Context, Decimal, localcontext

from memory.recipes.recipe import AnswerTemplate

Row = dict[str, str | int]
MOST_CHARACTERS = 100_000
CUT = "\n(Cut here; the output goes on.)"
PLAIN_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,200}(?:\.[0-9]{0,200})?|\.[0-9]{1,200})")
# Above the digits of any sum of such numbers, so that none is rounded.
EXACT = Context(prec=1000)


def output(text: str, _: AnswerTemplate) -> list[Row]:
    """One row: the whole text, without "./" in front of its lines; none where nothing was printed."""
    lines = [line.removesuffix("\r") for line in text.rstrip("\n").split("\n")]
    if lines == [""]:
        return [{"text": "(an empty line)"}] if text else []
    whole = "\n".join(line[2:] if re.match(r"\./[^/]", line) else line for line in lines)
    if len(whole) > MOST_CHARACTERS:
        whole = whole[: whole.rfind("\n", 0, MOST_CHARACTERS)] + CUT
    return [{"text": whole}]


def numbers(text: str, _: AnswerTemplate) -> list[Row]:
    """One row with sum, mean, greatest, least and how many; none unless every filled line is a number."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines or not all(PLAIN_NUMBER.fullmatch(line) for line in lines):
        return []
    values = [Decimal(line) for line in lines]
    with localcontext(EXACT):
        total = sum(values, Decimal(0))
        mean = (total / len(values)).quantize(Decimal("1e-9"))
    row = {"sum": total, "mean": mean, "greatest": max(values), "least": min(values)}
    return [{name: plain(value) for name, value in row.items()} | {"amount": len(values)}]


def plain(value: Decimal) -> str:
    """A number without an exponent and without zeros behind its last digit."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def longest_line(text: str, _: AnswerTemplate) -> list[Row]:
    """The longest line in characters, the first of several, and its length."""
    return _extreme(text, longest=True)


def shortest_line(text: str, _: AnswerTemplate) -> list[Row]:
    """The shortest line that is not empty, the first of several, and its length."""
    return _extreme(text, longest=False)


def _extreme(text: str, *, longest: bool) -> list[Row]:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    filled = [line for line in lines if line.strip()]
    if not filled:
        return []
    found = max(filled, key=len) if longest else min(filled, key=len)
    return [{"text": found, "length": len(found)}]
