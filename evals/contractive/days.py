"""The days a reply names. Pure."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in _MONTHS)
_FORMS = (
    re.compile(r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"),
    re.compile(
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{_MONTH})\b\.?,?(?:\s+(?P<year>\d{{4}}))?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<name>{_MONTH})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?P<year>\d{{4}}))?",
        re.IGNORECASE,
    ),
    re.compile(r"(?<!\d)(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4})(?!\d)"),
)
_SLASHED = re.compile(r"(?<![\d/])(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year>\d{4})(?!\d)")


def days(text: str, year: int) -> frozenset[str]:
    """The days a text names, as ISO; what is no day of the calendar as it is written.

    Args:
        text: any.
        year: of a day told without one.
    """
    return frozenset(_days(text, year))


def _days(text: str, year: int) -> Iterator[str]:
    for form in _FORMS:
        for match in form.finditer(text):
            part = match.groupdict()
            month = int(part.get("month") or 0) or _number_of(part.get("name") or "")
            yield _iso(int(part.get("year") or year), month, int(part["day"]), match[0])
    for match in _SLASHED.finditer(text):
        one, two = int(match["one"]), int(match["two"])
        # 05/06/2024 is two days; only where one order is no day is it one.
        for month, day in {(one, two), (two, one)}:
            if month <= len(_MONTHS):
                yield _iso(int(match["year"]), month, day, match[0])


def _number_of(name: str) -> int:
    return next(number for number, month in enumerate(_MONTHS, start=1) if month[:3] == name[:3].lower())


def _iso(year: int, month: int, day: int, written: str) -> str:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return f"no day: {written}"
