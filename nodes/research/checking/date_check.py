"""Does the source give the claim's dates? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.dates import day_of, moments
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import fold
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, conflicts, holds
from nodes.research.checking.ownership import former
from nodes.research.checking.sources import Document, Passage

# A date that only says since when, or with when something is compared.
_SINCE = re.compile(
    r"(?:\b(?:since|began in|begun in|founded in|than in|from|compared (?:with|to)|versus|against)\b[^,;.]{0,14}|(?:自|从|较|比)[^,。;]{0,3})$",
    re.IGNORECASE,
)
# Months after its end in which "the quarter" or "the year" still is the last one.
PERIOD_BEHIND = 6
_QUARTER = re.compile(r"\bquarter|季")
_HALF = re.compile(r"\bhalf\b|半年|中期")
_WHOLE_YEAR = re.compile(
    r"\byear-end\b|\bend of (?:the|last) year\b|\bfull[- ]year\b|\bannual\b|\blast year\b|\bthe year\b|全年|年末|年底|去年|上年|年度|年报"
)


def date_findings(claim: Facts, view: View, further: Sequence[Passage]) -> list[Finding]:
    """The claim's dates that neither the passage nor what surrounds it gives.

    Args:
        claim: the claim.
        view: the passage it may rest on.
        further: passages that bear out others of its facts.
    """
    found = []
    for moment in claim.moments:
        if moment.relative and moment.empty:
            continue
        if finding := _finding(moment, claim, view, further):
            found.append(replace(finding, at=moment.start))
    return found


def _finding(moment: Moment, claim: Facts, view: View, further: Sequence[Passage]) -> Finding | None:
    if _vague(moment) and not any(
        one.season or one.half or one.month or one.quarter or one.through for one in view.facts.moments
    ):
        return None
    years = view.document.years | {one.year for one in _around(view) if one.year and not one.relative}
    years |= _year_before(view)
    here = _like(moment, _here(claim, view))
    if _quarter_in_months(moment, claim, here):
        return None
    if any(_holds(moment, one, years) for one in here) or moment.text.lower() in view.facts.low:
        return None
    elsewhere = _like(moment, [one for passage in further for one in passage.facts.moments])
    if any(_holds(moment, one, years) for one in elsewhere):
        return None
    others = {passage.document for passage in further} - {view.core.document}
    if any(by_publication(moment, view.sources.documents[number]) for number in others):
        return None
    against = [one for one in here if conflicts(moment, one) and not _since(one, view)]
    if moment.relative:
        # "The quarter before" is counted from a day the claim does not tell; a mere day does not contradict it.
        against = [one for one in against if not one.day or moment.day or re.search(r"\d{4}", one.text)]
        given = [one for one in claim.moments if not one.relative]
        against = [one for one in against if all(conflicts(other, one) for other in given)]
    mine = [one for one in claim.moments if one is not moment]
    free = [one for one in against if not any(not conflicts(other, one) for other in mine)]
    if free and _same_grain(moment, free):
        return Finding(
            "conflict", f"the source has {_nearest(moment, free).text.strip()}, not {moment.text.strip()}"
        )
    if not here and (told := _titled(moment, view)):
        return Finding("conflict", f"the source is about {told}, not {moment.text.strip()}")
    if _surroundings_hold(moment, view, years, bool(against)):
        return _governed(moment, view) if not here or not against else None
    return _nowhere(moment, claim, view, against)


def _like(moment: Moment, others: list[Moment]) -> list[Moment]:
    """For "the first six months" the like periods, if there are any; else all dates."""
    return [one for one in others if one.through] or others if moment.through else others


def _quarter_in_months(moment: Moment, claim: Facts, here: Sequence[Moment]) -> bool:
    """True if a claim tells a quarter of the source by its first and last month: April to June."""
    told = {one.month for one in claim.moments}
    return any(
        one.quarter and not one.month and moment.month and not (moment.year and one.year and moment.year != one.year)
        and {3 * one.quarter - 2, 3 * one.quarter} <= told and (moment.month + 2) // 3 == one.quarter
        for one in here
    )  # fmt: skip


def _vague(moment: Moment) -> bool:
    """A season or a half without a year, which may be a half of a game."""
    return bool(moment.season or (moment.half and "年" not in moment.text)) and not moment.year


def _here(claim: Facts, view: View) -> list[Moment]:
    """Dates of the passage; what it only compares with counts where the claim compares too."""
    compared = len(claim.moments) > 1 or any(
        former(two, view.facts) and matches(one, two)
        for one in claim.quantities
        for two in view.facts.quantities
    )
    return [one for one in view.facts.moments if not one.empty and (compared or not one.prior)]


def _around(view: View) -> list[Moment]:
    return [one for passage in view.near for one in passage.facts.moments if not one.empty]


def _since(moment: Moment, view: View) -> bool:
    return _SINCE.search(view.facts.text[max(0, moment.start - 24) : moment.start]) is not None


def _titled(moment: Moment, view: View) -> int | None:
    """The year a source's title names instead of the claim's, where nothing nearer names the claim's."""
    told = {one.year for one in moments(fold(view.document.item.name)) if one.year}
    written = day_of(view.document.item.date)
    if not told or not moment.year or moment.year in told or (written and written.year == moment.year):
        return None
    near = any(one.year == moment.year and not one.relative for one in _around(view))
    return None if near else min(told)


def _surroundings_hold(moment: Moment, view: View, years: frozenset[int], against: bool) -> bool:
    """True if what stands around the passage, the source's own date, or any other part of it gives the date."""
    if any(_holds(moment, one, years) for one in _like(moment, _around(view))) or by_publication(
        moment, view.document
    ):
        return True
    if _period_before(moment, view):
        return True
    elsewhere = [one for passage in view.document.passages for one in passage.facts.moments]
    return not against and any(_holds(moment, one, years) for one in _like(moment, elsewhere))


def _governed(moment: Moment, view: View) -> Finding | None:
    """The passage goes on about a year named before it, which may be another."""
    governing = None if [one for one in view.facts.moments if not one.empty] else _governing(view)
    if governing and moment.year and governing.year and conflicts(moment, governing):
        return Finding(
            "conflict", f"the source speaks of {governing.text.strip()} here, not of {moment.text.strip()}"
        )
    return None


def _nowhere(moment: Moment, claim: Facts, view: View, against: Sequence[Moment]) -> Finding:
    if against:
        return Finding(
            "conflict", f"the source has {_nearest(moment, against).text.strip()}, not {moment.text.strip()}"
        )
    if moment.relative:
        return Finding("soft", f"{moment.text.strip()} cannot be placed")
    known = [one for one in [*view.facts.moments, *_around(view)] if not one.empty]
    partly = [one for one in known if not conflicts(moment, one) and one.year == moment.year]
    if partly and claim.chinese != view.facts.chinese:
        return Finding("soft", f"the source gives {partly[0].text.strip()} only")
    return Finding("missing", f"{moment.text.strip()} does not stand in the source")


def _holds(claim: Moment, source: Moment, years: frozenset[int]) -> bool:
    if holds(claim, source, years):
        return True
    # "Last March" of a writer whose day is unknown may be of any year.
    return (
        source.relative
        and source.year is None
        and not source.empty
        and holds(replace(claim, year=None), source, years)
    )


def _same_grain(moment: Moment, others: Sequence[Moment]) -> bool:
    """True if one of them tells the same part of a date: year against year, month against month."""
    return any(
        (moment.year and one.year and moment.year != one.year) or (moment.month and one.month) or (moment.day and one.day)
        or (moment.quarter and (one.quarter or one.month)) or (moment.half and one.half)
        or (moment.season and one.season) or (moment.through and one.through)
        for one in others
    )  # fmt: skip


def _nearest(moment: Moment, others: Sequence[Moment]) -> Moment:
    return min(others, key=lambda one: (abs((one.year or moment.year or 0) - (moment.year or 0)), one.start))


def by_publication(moment: Moment, document: Document) -> bool:
    """True if the day a source was written lies in the date, or its title or first lines name the year."""
    day = day_of(document.item.date)
    if day and holds(moment, Moment(0, 0, "", day.year, day.month, day.day), document.years):
        return True
    return bool(moment.year and moment.year in document.years and replace(moment, year=None).empty)


def _year_before(view: View) -> set[int]:
    """The year before the source's, if the passage names a part of a year that lies behind its day only then."""
    day = day_of(view.document.item.date)
    if day is None:
        return set()
    last = [
        one.month or 3 * (one.quarter or 0) or 6 * (one.half or 0)
        for one in view.facts.moments
        if not one.year
    ]
    return {day.year - 1} if any(month > day.month for month in last) else set()


def _period_before(moment: Moment, view: View) -> bool:
    """True if a source that speaks of "the quarter" or "the year" was written soon after the one the claim names."""
    day = day_of(view.document.item.date)
    if day is None or not moment.year or moment.month or moment.day or moment.season:
        return False
    last = 3 * (moment.quarter or 0) or 6 * (moment.half or 0) or moment.through or 12
    behind = (day.year - moment.year) * 12 + day.month - last
    if not 0 < behind <= PERIOD_BEHIND or any(one.year for one in view.facts.moments if not one.relative):
        return False
    worded = _QUARTER if moment.quarter or moment.through else _HALF if moment.half else _WHOLE_YEAR
    return worded.search(f"{view.facts.low}\n{view.near_low}") is not None


def _governing(view: View) -> Moment | None:
    """The last year named before the passage in its paragraph, which goes on holding."""
    before = [
        one
        for one in view.document.passages[max(0, view.core.number - 3) : view.core.number]
        if one.sentence.paragraph == view.core.sentence.paragraph
    ]
    for passage in reversed(before):
        dated = [one for one in passage.facts.moments if one.year]
        if dated:
            return dated[-1] if len({one.year for one in dated}) == 1 else None
    return None
