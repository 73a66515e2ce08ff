"""Whether a sentence says a value, in whatever notation: read apart from the code that is measured."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from evals.research.values import CURRENCIES, MONTHS, ROC, UNITS, Value

NUMBER = re.compile(r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)\s?(billion|million|thousand|億|萬)?")
SCALES = {
    None: Decimal(1),
    "thousand": Decimal(10) ** 3,
    "million": Decimal(10) ** 6,
    "billion": Decimal(10) ** 9,
    "萬": Decimal(10) ** 4,
    "億": Decimal(10) ** 8,
}
HEDGES = re.compile(
    r"\b(?:about|roughly|around|nearly|almost|more than|over|approximately|some)\b|約|將近|近|超過|逾|大概",
    re.I,
)
HEDGE_REACH = 14
TOLERANCE = Decimal("0.06")
PERCENT = re.compile(r"\s?(?:%|％|percent\b|per cent\b)")
POINTS = re.compile(r"\s?(?:percentage points?|個百分點)")
UP = re.compile(
    r"\b(?:r[oi]se|rising|rais|increas|higher|climb|up\b|grew|grow)|上漲|調高|漲|增加|上升|成長|提高|增至",
    re.I,
)
DOWN = re.compile(
    r"\b(?:f[ae]ll|decreas|lower|drop|down\b|declin|reduc|cut)|下跌|調降|跌|減少|下降|下滑|降低|降至", re.I
)
DAYS = (
    re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"),
    re.compile(r"(?P<d>\d{1,2}) (?P<name>[A-Z][a-z]+),? (?P<y>\d{4})"),
    re.compile(r"(?P<name>[A-Z][a-z]+) (?P<d>\d{1,2}), (?P<y>\d{4})"),
    re.compile(r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日"),
    re.compile(r"民國(?P<roc>\d{2,3})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日"),
)
YEAR = re.compile(r"(?<![\d,.])((?:19|20)\d\d)(?![\d,]*\d)(?!\.\d)|民國(\d{2,3})年|(?<!\d)(\d{2,3})年度")


@dataclass(frozen=True)
class Amount:
    """A number in a text.

    Attributes:
        value: of the number with its words.
        hedged: whether it is called approximate.
        start: offset of its first digit.
        end: offset after it.
    """

    value: Decimal
    hedged: bool
    start: int
    end: int

    def is_about(self, other: Decimal) -> bool:
        """Equal, or near enough for a number that is called approximate."""
        if self.value == other:
            return True
        return self.hedged and bool(other) and abs(self.value - other) / other <= TOLERANCE


def amounts(text: str) -> list[Amount]:
    """Every number; 2億3,400萬 is one."""
    found: list[Amount] = []
    open_scale = Decimal(0)
    for match in NUMBER.finditer(text):
        digits, word = match[1].rstrip(","), match[2]
        scale = SCALES[word]
        value = Decimal(digits.replace(",", "")) * scale
        end = match.end() if word else match.start(1) + len(digits)
        if found and found[-1].end == match.start() and scale < open_scale:
            before = found.pop()
            found.append(Amount(before.value + value, before.hedged, before.start, end))
        else:
            near = text[max(0, match.start() - HEDGE_REACH) : match.start()]
            found.append(Amount(value, bool(HEDGES.search(near)), match.start(), end))
        open_scale = scale
    return found


def days(text: str) -> set[date]:
    """Every full date."""
    found = set()
    for pattern in DAYS:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            year = int(parts["roc"]) + ROC if parts.get("roc") else int(parts["y"])
            if parts.get("name"):
                if parts["name"] not in MONTHS:
                    continue
                month = MONTHS.index(parts["name"]) + 1
            else:
                month = int(parts["m"])
            # What is written like a date and is none (31 June) names no day.
            with contextlib.suppress(ValueError):
                found.add(date(year, month, int(parts["d"])))
    return found


def years(text: str) -> set[int]:
    """Every year, of either calendar."""
    return {int(match[1]) if match[1] else int(match[2] or match[3]) + ROC for match in YEAR.finditer(text)}


def says(text: str, value: Value) -> bool:
    """Whether a sentence has a value of this kind; yes or no is told by `evals.research.stated`."""
    if value.kind == "date":
        return value.day in days(text)
    if value.kind == "quote":
        return value.words.casefold() in text.casefold()
    if value.kind == "polarity":
        return False
    return any(_fits(text, amount, value) for amount in amounts(text))


def unexplained(text: str, values: Sequence[Value]) -> list[Decimal]:
    """Figures of a sentence that are none of these values, nor years or days of them."""
    said = {value.day for value in values}
    for pattern in DAYS:
        text = pattern.sub(lambda match: " " if days(match[0]) & said else match[0], text)
    text = YEAR.sub(" ", text)
    numbers = [value for value in values if value.kind not in ("date", "quote", "polarity")]
    return [
        amount.value for amount in amounts(text) if not any(_fits(text, amount, value) for value in numbers)
    ]


def _fits(text: str, amount: Amount, value: Value) -> bool:
    after, before = text[amount.end : amount.end + 24], text[max(0, amount.start - 8) : amount.start]
    if value.kind in ("percent", "change"):
        points = POINTS.match(after) is not None
        percent = PERCENT.match(after) is not None or before.endswith("百分之")
        told = points if value.unit == "points" else percent and not points
        return told and amount.is_about(value.amount) and _direction_fits(text, value.side)
    if value.kind == "money":
        return _currency(before, after) == value.unit and amount.is_about(value.amount)
    if value.kind == "measure":
        unit = _unit(after)
        if unit is None or UNITS[unit].dimension != UNITS[value.unit].dimension:
            return False
        return amount.is_about(value.converted(unit).amount)
    return amount.is_about(value.amount)


def _direction_fits(text: str, side: str) -> bool:
    if not side:
        return True
    return bool((UP if side == "up" else DOWN).search(text))


def _currency(before: str, after: str) -> str | None:
    for code, (signs, around) in CURRENCIES.items():
        for sign in sorted(signs, key=len, reverse=True):
            if before.rstrip().endswith(sign.strip()):
                return code
        for pattern in around:
            head, tail = pattern.split("{n}")
            if after.startswith(tail) and (not head or head in before) and (head or tail != "元"):
                return code
    return None


def _unit(after: str) -> str | None:
    """The unit that follows a number; of several that fit, the longest."""
    text = after.lstrip()
    fitting = [
        (len(label), name)
        for name, unit in UNITS.items()
        for label in (*unit.en, *unit.zh)
        if text.startswith(label)
    ]
    return max(fitting)[1] if fitting else None
