"""Dates as documents write them, into ISO 8601: 2024-05-01, 2024年5月1日, 民國113年5月1日, May 1, 2024."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from datetime import date, datetime

_MINGUO = 1911
_YEARS = range(1000, 2200)
_CHINESE = re.compile(r"(民國|民国)?\s*(\d{1,4})\s*[年./-]\s*(\d{1,2})\s*[月./-]\s*(\d{1,2})(?!\d)")
_PDF = re.compile(r"(?:D:)?(\d{4})(\d{2})(\d{2})(?=\d{6}|Z|$|[+-])")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_AMBIGUOUS = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}")
_LINE = re.compile(
    r"^[ \t>*_#-]*"
    r"(?:date|published(?: on)?|publication date|(?:[發发][布佈]|刊登|出版)?(?:日期|[時时][間间])|日付)"
    r"[*_ \t]*[:：][*_ \t]*(.{6,40})$",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD = 1_500
_MONTH_OR_YEAR = re.compile(
    r"(?P<minguo>民國|民国)?\s*(?P<year>\d{1,4})\s*(?:[年./-]\s*(?:(?P<month>\d{1,2})\s*月?)?)?"
)
_NAMED_MONTH = re.compile(r"(?P<month>[A-Za-z]{3,9})\.?,?\s+(?P<year>\d{4})")


def iso_date(written: object) -> str | None:
    """A calendar date, `YYYY-MM-DD`; None when it is not told, or could be read in two ways."""
    if isinstance(written, (date, datetime)):
        return written.strftime("%Y-%m-%d") if written.year in _YEARS else None
    text = unicodedata.normalize("NFKC", str(written or "")).strip()[:64]
    if match := _ISO.match(text) or _PDF.match(text):
        return _valid(int(match[1]), int(match[2]), int(match[3]))
    if match := _CHINESE.match(text):
        minguo = bool(match[1]) or (len(match[2]) in (2, 3) and "年" in match[0])
        if not minguo and len(match[2]) < 4:
            return None
        return _valid(int(match[2]) + (_MINGUO if minguo else 0), int(match[3]), int(match[4]))
    return _in_words(text)


def calendar_date(written: object) -> str | None:
    """The same, a month or a year where no day is told: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`."""
    if day := iso_date(written):
        return day
    text = unicodedata.normalize("NFKC", str(written or "")).strip()[:64]
    match = _MONTH_OR_YEAR.fullmatch(text)
    if match is None:
        return _month_in_words(text)
    minguo = bool(match["minguo"]) or (len(match["year"]) in (2, 3) and "年" in text)
    if len(match["year"]) != 4 and not minguo:
        return None
    year, month = int(match["year"]) + (_MINGUO if minguo else 0), match["month"]
    if _valid(year, int(month or 1), 1) is None:
        return None
    return f"{year}-{int(month):02}" if month else str(year)


def days_of(iso: str) -> tuple[date, date]:
    """The first and the last day of what `calendar_date` gives.

    Raises:
        ValueError: this is no such date.
    """
    year, month, day = (int(part) for part in [*iso.split("-"), "0", "0"][:3])
    last = day or monthrange(year, month or 12)[1]
    return date(year, month or 1, day or 1), date(year, month or 12, last)


def dated_line(text: str) -> str:
    """What stands after "Date:" or "日期：" near the beginning of a text; empty if nothing does."""
    match = _LINE.search(text[:_HEAD])
    return match[1].strip() if match and iso_date(match[1].strip()) else ""


def _in_words(text: str) -> str | None:
    ambiguous = _AMBIGUOUS.match(text)
    if ambiguous and int(ambiguous[1]) <= 12 and int(ambiguous[2]) <= 12 and ambiguous[1] != ambiguous[2]:
        return None
    if not re.search(r"\b\d{4}\b", text) or len(re.findall(r"\d+|[A-Za-z]{3,}", text)) < 3:
        # dateutil fills what is missing with today.
        return None
    from dateutil import parser

    try:
        read = parser.parse(text)
    except (ValueError, OverflowError):
        return None
    return _valid(read.year, read.month, read.day)


def _month_in_words(text: str) -> str | None:
    """A month by its name and a year, such as "May 2019"."""
    match = _NAMED_MONTH.fullmatch(text)
    day = _in_words(f"1 {match['month']} {match['year']}") if match else None
    return day[:7] if day else None


def _valid(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat() if year in _YEARS else None
    except ValueError:
        return None
