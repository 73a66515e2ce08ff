"""Stamps: a point in time as logs write it, exactly, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EPOCH = datetime(1970, 1, 1)
# A leap year, so that every day a calendar can have is a day of it.
_SOME_YEAR = 2024
_HALF_A_YEAR = Fraction(182 * 86400)

_MONTH = "(?P<name>" + "|".join(_MONTHS) + ")"
_DAY = "(?P<weekday>" + "|".join(_DAYS) + ")"
_TIME = r"(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d+))?)?"
_FORMS = (
    rf"(?P<year>\d{{4}})-(?P<month>\d{{2}})-(?P<day>\d{{2}})[T ]{_TIME}",
    rf"(?P<year>\d{{4}})/(?P<month>\d{{2}})/(?P<day>\d{{2}})[T ]{_TIME}",
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})T"
    r"(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})(?:[.,](?P<fraction>\d+))?",
    rf"(?P<day>\d{{1,2}})/{_MONTH}/(?P<year>\d{{4}}):{_TIME}",
    rf"(?:{_DAY}, )?(?P<day>\d{{1,2}}) {_MONTH} (?P<year>\d{{4}}) {_TIME}",
    rf"(?:{_DAY} )?{_MONTH} {{1,2}}(?P<day>\d{{1,2}}) {_TIME} (?P<year>\d{{4}})",
    rf"{_MONTH} {{1,2}}(?P<day>\d{{1,2}}) {_TIME}(?! \d{{4}}\b)",
)
_ANY = tuple(re.compile(r"(?<![\w/.+-])" + form, re.IGNORECASE) for form in _FORMS)
_FIXED = re.compile(r" ?[(\[](?:UTC|GMT)[)\]]|(?: ?(?:UTC|GMT)|[Zz])(?![\w+/-])")
_OFFSET = re.compile(
    r" ?(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>\d{2})(?![\w:])"
    r"|(?P<sign_>[+-])(?P<hours_>\d{2})(?![\w:])"
)
# Names of zones of which the offset is a matter of place and season, and marks of a clock of twelve hours.
_UNFIXED = re.compile(
    r" ?[(\[]?(?:[CEW]E?S?T|EET|CES?T|WES?T|EES?T|[ECMP][SD]T|AK[SD]T|A[ECW]?[SD]T|NZ[SD]?T|BST|IST|JST|KST|"
    r"MSK|HKT|SGT|PKT|HST|BRT|ART|UTC|GMT|[AP]\.?M\.?|[A-Z][a-z]+/[A-Za-z_/]+)(?!\w)"
)
_RUNS_ON = re.compile(r"[\w/]|:\d|[.,]\d|-\d|\+|-\w")
_NUMBER = re.compile(r"[0-9]{9,19}(?:\.[0-9]{1,12})?")
# Largest count since 1970 that is meant in seconds, milliseconds, microseconds, nanoseconds.
_SCALES = ((10**8, 10**11, 1), (10**11, 10**14, 10**3), (10**14, 10**17, 10**6), (10**17, 10**20, 10**9))


@dataclass(frozen=True)
class Stamp:
    """A point in time.

    Attributes:
        seconds: since 1970, of UTC if it has a zone, and else on the clock that wrote it.
        zoned: True if its zone is known.
        dated: False if no year is written, as syslog does; `seconds` are of some leap year then.
    """

    seconds: Fraction
    zoned: bool
    dated: bool = True

    def before(self, other: Stamp) -> bool | None:
        """True if it is earlier, None if that cannot be told from the two alone.

        Two stamps without a year are taken to be of the same year if they are less than half a year apart.
        """
        if self.zoned != other.zoned or self.dated != other.dated:
            return None
        if not self.dated and abs(self.seconds - other.seconds) > _HALF_A_YEAR:
            return None
        return self.seconds < other.seconds


class Written(NamedTuple):
    """A stamp in a text; `stamp` is None if something is written there that is none, as February 30."""

    start: int
    end: int
    stamp: Stamp | None


def stamps_in(text: str) -> list[Written]:
    """Every stamp in a line, in order."""
    found: list[Written] = []
    for one in sorted(_candidates(text), key=lambda one: (one.start, -one.end)):
        if not found or one.start >= found[-1].end:
            found.append(one)
    return found


def stamp_of(written: object) -> Stamp | None:
    """A value that is one stamp and nothing else: text, or a count since 1970."""
    if isinstance(written, bool):
        return None
    if isinstance(written, int | float):
        return epoch_of(repr(written))
    if not isinstance(written, str) or len(written) > 100:
        return None
    text = written.strip()
    for one in stamps_in(text):
        if one.start == 0 and one.end == len(text):
            return one.stamp
    return epoch_of(text)


def epoch_of(text: str) -> Stamp | None:
    """A count since 1970, in the unit in which it is a time between 1973 and 5138; None for other numbers."""
    if not _NUMBER.fullmatch(text):
        return None
    count = Fraction(text)
    for least, bound, parts in _SCALES:
        if least <= count < bound:
            return Stamp(count / parts, True)
    return None


def _candidates(text: str) -> Iterator[Written]:
    for form in _ANY:
        for match in form.finditer(text):
            end, zone = _zone_at(text, match.end())
            stamp = None if zone == "unknown" or _RUNS_ON.match(text, end) else _read(match, zone)
            yield Written(match.start(), end, stamp)


def _zone_at(text: str, at: int) -> tuple[int, int | None | str]:
    """Where the zone ends, and its seconds east of UTC; None if there is none."""
    fixed = _FIXED.match(text, at)
    if fixed:
        return fixed.end(), 0
    offset = _OFFSET.match(text, at)
    if offset:
        sign, hours = offset["sign"] or offset["sign_"], offset["hours"] or offset["hours_"]
        minutes = offset["minutes"] or "00"
        east = int(hours) * 3600 + int(minutes) * 60
        known = int(hours) < 24 and int(minutes) < 60
        return offset.end(), (east if sign == "+" else -east) if known else "unknown"
    unfixed = _UNFIXED.match(text, at)
    return (unfixed.end(), "unknown") if unfixed else (at, None)


def _read(match: re.Match[str], zone: int | None | str) -> Stamp | None:
    parts = match.groupdict()
    month = _MONTHS.index(parts["name"].lower()) + 1 if parts.get("name") else int(parts["month"])
    year = parts.get("year")
    try:
        whole = datetime(
            int(year) if year else _SOME_YEAR,
            month,
            int(parts["day"]),
            int(parts["hour"]),
            int(parts["minute"]),
            int(parts["second"] or 0),
        )
    except ValueError:
        return None
    weekday = parts.get("weekday")
    if weekday and _DAYS.index(weekday.lower()) != whole.weekday():
        return None
    since = whole - _EPOCH
    seconds = Fraction(since.days * 86400 + since.seconds)
    if parts["fraction"]:
        seconds += Fraction(int(parts["fraction"][:30]), 10 ** len(parts["fraction"][:30]))
    return Stamp(seconds - zone if isinstance(zone, int) else seconds, zone is not None, year is not None)
