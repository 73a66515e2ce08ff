"""The date an answer gives, and whether two are the same day, month or year. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.notation import closed_up
from nodes.contractive.reading.wording import REMEMBERED
from nodes.reflective.number_words import written_dates
from nodes.research.checking.dates import moments
from nodes.research.checking.folding import fold

Day = tuple[int | None, int | None, int | None]
_SLASHED = re.compile(
    r"(?<![\d/.-])(?P<one>\d{1,2})(?P<sign>[/.-])(?P<two>\d{1,2})(?P=sign)(?P<year>\d{4})(?![\d/-])"
)
_ISO = re.compile(
    r"(?<![\d/.-])(?P<year>\d{4})(?P<sign>[/.-])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?![\d/-])"
)
_MONTHLY = re.compile(r"(?<![\d/.-])(?P<month>0?[1-9]|1[0-2])[/.](?P<year>(?:1[5-9]|20)\d\d)(?![\d/-]|\.\d)")
_BARE_YEAR = re.compile(
    r"(?<![\d.,])(?:in |im jahr |en )?(?:(?P<before>公元前|西元前)\s?\d{1,4}年?|(?P<year>\d{3,4}|\d{1,4}(?=\s?(?:ad|ce|bc|bce)\b))(?:年)?\s?(?P<era>ad|ce|bc|bce)?)(?![\d.,]\d|\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date as far as it is told.

    Attributes:
        days: year, month, day each; two where day and month may have changed places.
    """

    days: frozenset[Day]

    @property
    def sure(self) -> bool:
        """True if it can be read in one way only."""
        return len(self.days) == 1


@lru_cache(maxsize=REMEMBERED)
def dated(answer: str, want: Asked) -> Dated | None:
    """The first date of an answer that its question does not name; None if it names none."""
    text = closed_up(fold(answer))
    if (iso := _ISO.search(text)) and 1 <= int(iso["month"]) <= 12 and 1 <= int(iso["day"]) <= 31:
        return Dated(frozenset({(int(iso["year"]), int(iso["month"]), int(iso["day"]))}))
    if slashed := _SLASHED.search(text):
        return _either(int(slashed["one"]), int(slashed["two"]), int(slashed["year"]), slashed["sign"])
    if monthly := _MONTHLY.search(text):
        return Dated(frozenset({(int(monthly["year"]), int(monthly["month"]), None)}))
    if written := written_dates(text):
        year, month, day = (int(part) for part in written[0][1].split("-"))
        return Dated(frozenset({(year, month, day)}))
    found = [
        (one.year, one.month, one.day)
        for one in moments(text)
        if (one.year or one.month)
        and not one.relative
        and not one.decade
        and not one.quarter
        and not one.half
    ]
    given = {(one.year, one.month, one.day) for one in moments(want.text)}
    new = [day for day in found if day not in given] or (found if want.wanted in ("date", "year") else [])
    if new:
        # A year beside its full date says no more than the date.
        fullest = max(new, key=lambda day: sum(part is not None for part in day))
        return Dated(frozenset({fullest if new[0][0] in (None, fullest[0]) else new[0]}))
    if want.wanted in ("year", "date") and (bare := _BARE_YEAR.search(text)):
        before = bool(bare["before"]) or (bare["era"] or "").lower() in ("bc", "bce")
        year = int(re.sub(r"\D", "", bare[0]))
        return Dated(frozenset({(-year if before else year, None, None)}))
    return None


def _either(one: int, two: int, year: int, sign: str) -> Dated | None:
    """Day and month in either order; with points the day comes first."""
    orders = [(one, two)] if sign == "." else [(one, two), (two, one)]
    days = frozenset((year, month, day) for day, month in orders if 1 <= month <= 12 and 1 <= day <= 31)
    return Dated(days) if days else None


def same_date(one: Dated, other: Dated, want: Asked) -> bool | None:
    """True if two dates are one as far as the question asks, False if not, None if they could be.

    A date that tells less than the other could be the same: it is not known to be.
    """
    if want.wanted == "year":
        years, others = {day[0] for day in one.days}, {day[0] for day in other.days}
        return years == others if None not in years | others else None
    if one.days == other.days:
        return True if one.sure else None
    pairs = [(first, second) for first in one.days for second in other.days]
    if all(_conflict(first, second) for first, second in pairs):
        return False
    return None


def _conflict(one: Day, other: Day) -> bool:
    return any(a is not None and b is not None and a != b for a, b in zip(one, other, strict=True))


def days_apart(one: Dated, other: Dated) -> float:
    """1 if the years differ, 2/3 if the months do, 1/3 if only the days do; the nearest of several readings."""
    return min(_apart(first, second) for first in one.days for second in other.days)


def _apart(one: Day, other: Day) -> float:
    for parts, (a, b) in zip((3, 2, 1), zip(one, other, strict=True), strict=True):
        if a is not None and b is not None and a != b:
            return parts / 3
    return 0.0
