"""A date as far as a text tells it, and what two of them have in common. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

# The months a season may take in, north of the equator, with the one before and after.
_SEASON_MONTHS = {1: (2, 3, 4, 5, 6), 2: (5, 6, 7, 8, 9), 3: (8, 9, 10, 11, 12), 4: (11, 12, 1, 2, 3)}
_SEASON_HALF = {1: 1, 3: 2}


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as far as a text tells it.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        text: as written.
        year: of the common era.
        month: 1 to 12.
        day: 1 to 31.
        quarter: 1 to 4.
        half: 1 or 2.
        relative: worded from the writer's day ("last year"); its fields hold only if that day is known.
        prior: the year before another the sentence names.
        days: how far it may be off, in days: a weekday does not tell the week.
        decade: the year begins a decade.
        season: 1, spring, to 4, winter.
        through: the months from January to this one.
    """

    start: int
    end: int
    text: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    half: int | None = None
    relative: bool = False
    days: int = 0
    prior: bool = False
    decade: bool = False
    season: int | None = None
    through: int | None = None

    @property
    def empty(self) -> bool:
        """True if no field is known."""
        return not any((self.year, self.month, self.day, self.quarter, self.half, self.season, self.through))


def conflicts(claim: Moment, source: Moment) -> bool:
    """True if no day lies in both."""
    if claim.decade or source.decade:
        decades = (
            claim.year and source.year and claim.year - claim.year % 10 != source.year - source.year % 10
        )
        return bool(decades)
    if claim.year and source.year and claim.year != source.year:
        return True
    if claim.day and source.day and (claim.days or source.days) and claim.month and source.month:
        off = abs((claim.month - source.month) * 30 + claim.day - source.day)
        return off > max(claim.days, source.days) + 1
    if claim.month and source.month and claim.month != source.month:
        return True
    if claim.day and source.day and claim.day != source.day:
        return True
    one, two = _quarter(claim), _quarter(source)
    if one and two and one != two:
        return True
    if claim.season and source.season and claim.season != source.season:
        return True
    if claim.through and source.through and claim.through != source.through:
        return True
    halves = _half(claim), _half(source)
    return bool(halves[0] and halves[1] and halves[0] != halves[1])


def holds(claim: Moment, source: Moment, years: Iterable[int]) -> bool:
    """True if the source's date says all the claim's date says.

    Args:
        claim: what a sentence says.
        source: what the source says.
        years: that a date without a year may belong to.
    """
    if conflicts(claim, source):
        return False
    if claim.year and not source.year and (claim.year not in years or source.empty):
        return False
    if claim.decade:
        return bool(source.year)
    if claim.month and not source.month:
        return False
    if claim.day and not source.day:
        return False
    if claim.quarter and not _quarter(source):
        return False
    if claim.half and not (_half(source) or _SEASON_HALF.get(source.season or 0) == claim.half):
        return False
    if claim.season and source.season is None and source.month not in _SEASON_MONTHS[claim.season]:
        return False
    if claim.through and claim.through not in (source.through, source.month, _last_month(source)):
        return False
    # "March" says nothing of 2023 alone.
    return not replace(claim, decade=False).empty


def _last_month(moment: Moment) -> int | None:
    """The month a quarter or the first half ends with."""
    return moment.quarter * 3 if moment.quarter else 6 if moment.half == 1 else None


def _quarter(moment: Moment) -> int | None:
    return moment.quarter or ((moment.month + 2) // 3 if moment.month else None)


def _half(moment: Moment) -> int | None:
    quarter = _quarter(moment)
    return moment.half or ((quarter + 1) // 2 if quarter else 1 if moment.through == 6 else None)
