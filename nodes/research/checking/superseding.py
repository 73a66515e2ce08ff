"""What a newer passage has instead of what a claim says. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from nodes.research.checking import revisions, turnarounds
from nodes.research.checking.alignment import View, coverage
from nodes.research.checking.attributes import (
    ANY,
    Attribute,
    around,
    alike,
    attribute,
    nouns_after,
    own_clause,
    strict,
)
from nodes.research.checking.bygone import has_now
from nodes.research.checking.dates import Moment, conflicts, day_of, holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import fold
from nodes.research.checking.name_check import person
from nodes.research.checking.names import held
from nodes.research.checking.number_check import matches
from nodes.research.checking.offices import another_holds
from nodes.research.checking.polarity_check import polarity_findings
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.states import over
from nodes.research.checking.timing import Timing, gone, reported
from nodes.research.checking.topics import Topics

SAME_FACT = 0.5
SAME_PASSAGE = 0.3
SAME_SENTENCE = 0.75
# Months after which another number of the same is a later state of it, not another view.
OUTDATED = 4
# Units in which any source gives many different things.
_LOOSE = ("currency", "percent", "time", "months", "rank", "score", "magnitude")
_REVISED = re.compile(
    r"\b(?:updated?|revis(?:ed|es|ion)|correct(?:ed|ion)|now|latest|restated|adjusted|raised|lowered|no longer|superse\w+|new figures?|final|instead|delayed|postponed|changed)\b|更新|修正|更正|最新|上修|下修|调整|原先|先前|目前|现为|重新|最终|已改|变更|改为|延后|推迟|延至|修订",
    re.IGNORECASE,
)
_DISPUTED = re.compile(
    r"\b(?:disput\w+|reject(?:s|ed) the|contest(?:s|ed)|challeng\w+|critics|alleg\w+|rumou?r\w*|claims?|unconfirmed|independent (?:estimate|study|report)|according to (?:critics|opponents))\b|质疑|民间|传闻|谣|网传|据传|独立调查|反驳|未经证实|爆料|不实",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Older:
    """A claim, the older source it rests on, and what a newer one is looked for in."""

    claim: Facts
    document: Document
    written: date
    timing: Timing
    subject: frozenset[str]
    sources: Sources
    topics: Topics

    def attribute(self, passage: Passage, start: int = 0, end: int = 0) -> Attribute:
        """What the claim says, or of what it gives the value between two offsets, beside a newer passage."""
        titles = [self.document.about, self.sources.documents[passage.document].about]
        return attribute(self.claim, start, end, self.subject, titles)

    def attributes(self, value: Quantity, passage: Passage) -> list[Attribute]:
        """What the claim gives a number of, in its own words and in those of the source it rests on."""
        found = [
            self.attribute(passage, value.start, value.end),
            strict(self.claim, value.start, value.end, self.subject),
        ]
        found += [strict(facts, one.start, one.end, self.subject) for facts, one in self._wordings(value)]
        return [found[0], *(told for told in found[1:] if told.words)]

    def _wordings(self, value: Quantity) -> list[tuple[Facts, Quantity]]:
        """The sentence of the older source that gives a number, and the number there."""
        found = [
            (coverage(self.claim, [one.facts], "", self.sources), one.facts, other)
            for one in self.document.passages
            for other in one.facts.quantities
            if other.dimension == value.dimension
            and (matches(value, other) or (value.soft and not revisions.far(value, other)))
        ]
        best = max(found, key=lambda each: each[0], default=None)
        return [best[1:]] if best and best[0] >= SAME_PASSAGE else []

    @property
    def ahead(self) -> list[Moment]:
        """Dates of the claim that were still to come when its source was written."""
        return [
            moment
            for moment in self.claim.moments
            if moment.year and not moment.relative and not gone(moment, self.written)
        ]


def superseded(older: Older, passage: Passage) -> str:
    """What a newer passage has instead of what a claim says.

    Args:
        older: the claim and the source it rests on.
        passage: of a newer source, on the same subject.

    Returns:
        That, in words; "" if it has nothing else.
    """
    other = _of_another(older, passage, 0, own_clause(passage.facts.text, 0)[1])
    if other or (older.timing != "now" and _another_date(older, passage)):
        return ""
    for number in _held_out(older.claim):
        found = revisions.instead_of_number(number, older.claim, passage.facts)
        if found and _replaces_former(older, passage, found[1]) and _telling(older, number, passage):
            return f"{found[0].text.strip()} instead of {number.text.strip()}"
        if one := _now_has(older, number, passage):
            return f"{one.text.strip()} instead of {number.text.strip()}"
    for moment in older.ahead:
        near = [one.facts for one in older.sources.documents[passage.document].near(passage)]
        if instead := revisions.instead_of_date(moment, older.claim, passage.facts, near):
            return f"{instead} instead of {moment.text.strip()}"
    told = older.attribute(passage)
    if older.timing == "dated" and not older.claim.quantities and revisions.corrected(passage.facts):
        if word := turnarounds.dropped(older.claim, told, older.subject, passage, older.sources, now=False):
            return f'"{word}" of it'
    if older.timing == "dated" and _REVISED.search(passage.facts.text) and _of_that_date(older, passage):
        return _another_value(older, passage) if _replaces(older, passage) else ""
    if older.timing not in ("now", "present") or _another_period(older, passage):
        return ""
    takes_place = _replaces(older, passage)
    return _turned(older, passage, takes_place) or (_another_value(older, passage) if takes_place else "")


def _now_has(older: Older, number: Quantity, passage: Passage, *, beside: bool = False) -> Quantity | None:
    """The number a source has now where it recalls a claim's, if the claim speaks of what is."""
    if older.timing not in ("now", "present") or number.soft or _another_period(older, passage):
        return None
    document = older.sources.documents[passage.document]
    near = [one.facts for one in document.near(passage)] if beside else []
    told = older.attributes(number, passage)
    written = day_of(document.item.date)
    return has_now(number, told, older.claim, passage.facts, near, written, older.sources)


def recalled_only(older: Older) -> tuple[Passage, str] | None:
    """The passage by which the very source a claim rests on has something else now, with what that is.

    Returns:
        None if the source gives what the claim says as what still holds.
    """
    if older.timing not in ("now", "present") or (older.timing == "present" and reported(older.claim)):
        return None
    passages = older.document.passages
    for number in older.claim.quantities:
        holding = [one for one in passages if any(matches(number, two) for two in one.facts.quantities)]
        found = [(one, _now_has(older, number, one, beside=True)) for one in holding]
        if found and found[0][1] and all(has for _, has in found):
            return found[0][0], f"{found[0][1].text.strip()} instead of {number.text.strip()}"
    for moment in older.ahead:
        holding = [
            one for one in passages if any(revisions.same_date(moment, two) for two in one.facts.moments)
        ]
        has = [revisions.instead_of_date(moment, older.claim, one.facts, []) for one in holding]
        if has and all(has):
            return holding[0], f"{has[0]} instead of {moment.text.strip()}"
    return None


def _held_out(claim: Facts) -> list[Quantity]:
    """The numbers a claim gives as what holds, without those it gives as what held before."""
    return [one for one in claim.quantities if not revisions.former(claim, one.start, one.end)]


def _telling(older: Older, number: Quantity, passage: Passage) -> bool:
    """True if a number is none that stands for many things, or the words around it are the claim's too."""
    if number.dimension not in revisions.COUNTED or number.value >= 13:
        return True
    told = older.attribute(passage, number.start, number.end)
    return around(told, older.claim, passage.facts, _place(number, passage), older.sources) >= 0.3


def _place(number: Quantity, passage: Passage) -> int:
    return next((one.start for one in passage.facts.quantities if matches(number, one)), 0)


def _replaces_former(older: Older, passage: Passage, period: bool) -> bool:
    """True if a number told as a former one was replaced, and does not merely stand for an earlier period."""
    if older.timing == "now":
        return True
    if older.timing == "present":
        return not period and not _another_period(older, passage)
    return revisions.corrected(passage.facts) and not period


def _another_value(older: Older, passage: Passage) -> str:
    """The number or date a passage gives of the very thing a claim gives one of."""
    claim, sources = older.claim, older.sources
    about = sources.documents[passage.document].about
    near = coverage(claim, [passage.facts], about, sources) >= SAME_PASSAGE
    for number in _held_out(claim):
        if (
            number.dimension == "rank"
            or _of_other_years(claim, passage)
            or _elsewhere(older, number, passage)
        ):
            continue
        apart = about if older.timing == "now" else ""
        for own, told in enumerate(older.attributes(number, passage)):
            if not own and not near:
                continue
            one = revisions.other_number(number, told, claim, passage, sources, apart)
            if one and not _of_another(older, passage, *own_clause(passage.facts.text, one.start)):
                return f"{one.text.strip()} instead of {number.text.strip()}"
        if one := _sole(older, number, passage):
            return f"{one.text.strip()} instead of {number.text.strip()}"
    for moment in older.ahead:
        told = older.attribute(passage, moment.start, moment.end)
        if other := revisions.other_date(moment, told, claim, passage, sources, near=near):
            return f"{other.text.strip()} instead of {moment.text.strip()}"
        if near and revisions.postponed(told, claim, passage, sources):
            return f"it later than {moment.text.strip()}"
    return ""


def _sole(older: Older, number: Quantity, passage: Passage) -> Quantity | None:
    """The only number of a source that measures or counts what the only one of the older source does."""
    newer = older.sources.documents[passage.document]
    if (
        number.soft
        or not older.topics.same(older.document, newer)
        or revisions.change_of(older.claim, number.start)
    ):
        return None
    nouns = nouns_after(older.claim, number.start, number.end)
    counted = number.dimension in revisions.COUNTED
    if (counted and (not nouns or nouns <= ANY)) or number.dimension.startswith(_LOOSE):
        return None
    mine, theirs = (_measures(number, nouns, document, counted) for document in (older.document, newer))
    theirs = [
        (place, one) for place, one in theirs if not _of_another(older, place, 0, len(place.facts.text))
    ]
    if len(mine) != 1 or len(theirs) != 1 or theirs[0][0] is not passage or not matches(number, mine[0][1]):
        return None
    one, facts = theirs[0][1], passage.facts
    if one.soft or revisions.change_of(facts, one.start):
        return None
    if any(matches(mine, one) for mine in older.claim.quantities):
        return None
    return None if revisions.former(facts, one.start, one.end) else one


def _measures(
    number: Quantity, nouns: frozenset[str], document: Document, counted: bool
) -> list[tuple[Passage, Quantity]]:
    """The numbers of a source that may be one with a number, and the sentences they stand in."""
    return [
        (passage, one)
        for passage in document.passages
        for one in passage.facts.quantities
        if revisions.comparable(number, one)
        and (not counted or alike(nouns, nouns_after(passage.facts, one.start, one.end)))
    ]


def _elsewhere(older: Older, number: Quantity, passage: Passage) -> bool:
    """True if a claim's clause gives a number of one its source is about, and a passage is about others."""
    first, last = own_clause(older.claim.text, number.start)
    low = older.claim.low[first:last]
    whose = {word for word in older.subject if word in low}
    newer = older.sources.documents[passage.document]
    theirs = older.topics.main(newer)
    return bool(whose) and not whose & theirs and not any(word in passage.facts.low for word in whose)


def _turned(older: Older, passage: Passage, takes_place: bool) -> str:
    """What became of what a claim states, if a passage tells that it ended, was dropped, or came about."""
    claim, sources = older.claim, older.sources
    told = older.attribute(passage)
    now = older.timing == "now"
    known = [one.name for one in older.document.roster]
    if who := another_holds(claim, passage, known, older.subject, now):
        return f"another state ({who})"
    every = attribute(claim, 0, 0, older.subject)
    if word := turnarounds.dropped(claim, told, older.subject, passage, sources, now=now) or (
        turnarounds.dropped(claim, every, older.subject, passage, sources, now=now)
    ):
        return f'"{word}" of it'
    about = sources.documents[passage.document].about
    if takes_place and (word := over(claim, older.subject, passage, about, sources)):
        return f'"{word}" of it'
    return _changed(older, passage, told) if takes_place else ""


def _changed(older: Older, passage: Passage, told: Attribute) -> str:
    """What a passage says happened, was settled, or is the contrary of what a claim says; "" if nothing."""
    claim, sources = older.claim, older.sources
    document = sources.documents[passage.document]
    now = older.timing == "now"
    if event := turnarounds.happened(claim, told, passage, document.about, sources):
        return f"that it happened ({event})"
    if word := turnarounds.resolved(claim, told, passage, document.about, sources):
        return f'"{word}" of it'
    if claim.quantities and not now:
        return ""
    if word := turnarounds.contrary(claim, told, passage, document.about, sources):
        return f'the contrary ("{word}")'
    if claim.quantities or coverage(claim, [passage.facts], document.about, sources) < SAME_FACT:
        return ""
    found = polarity_findings(claim, [passage], sources)
    return next((f"the contrary ({one.text})" for one in found if one.severity == "conflict"), "")


def _replaces(older: Older, passage: Passage) -> bool:
    """True if a newer passage takes the place of an older one, instead of telling of another view."""
    newer = older.sources.documents[passage.document]
    if _DISPUTED.search(passage.facts.text) or _DISPUTED.search(fold(newer.item.name)):
        return False
    if older.timing == "now" or older.topics.version(newer, older.document):
        return True
    return (
        _REVISED.search(passage.facts.text) is not None or _months_between(older.document, newer) >= OUTDATED
    )


def _months_between(older: Document, newer: Document) -> float:
    one, two = day_of(older.item.date), day_of(newer.item.date)
    return (two - one).days / 30.4 if one and two else 0.0


def _another_date(older: Older, passage: Passage) -> bool:
    """True if a claim names a past day or period and a passage speaks of others only."""
    own = [one for one in older.claim.moments if one.year and not one.relative and gone(one, older.written)]
    theirs = [one for one in passage.facts.moments if one.year]
    return bool(own and theirs) and not any(holds(mine, one, ()) for mine in own for one in theirs)


def _of_that_date(older: Older, passage: Passage) -> bool:
    """True if a passage names every past date a claim names: its number is of that date too."""
    own = [one for one in older.claim.moments if one.year and not one.relative]
    return bool(own) and all(any(holds(mine, one, ()) for one in passage.facts.moments) for mine in own)


def _of_other_years(claim: Facts, passage: Passage) -> bool:
    """True if claim and passage name dates, and none of them may be one."""
    own = [one for one in claim.moments if one.year and not one.relative]
    theirs = [one for one in passage.facts.moments if one.year and not one.relative]
    return bool(own and theirs) and not any(holds(mine, one, ()) for mine in own for one in theirs)


def _another_period(older: Older, passage: Passage) -> bool:
    """True if the two sources report on different quarters, halves or seasons."""
    if older.timing == "now":
        return False
    newer = older.sources.documents[passage.document]
    pair = [_periods(older.document), _periods(newer)]
    return bool(pair[0] and pair[1]) and not any(
        not conflicts(one, two) for one in pair[0] for two in pair[1]
    )


def _periods(document: Document) -> list[Moment]:
    first = document.passages[:2]
    return [one for part in first for one in part.facts.moments if one.quarter or one.half]


def _of_another(older: Older, passage: Passage, start: int, end: int) -> bool:
    """True if a part of a passage is about one that neither the claim nor its source's title names."""
    claim, facts = older.claim, passage.facts
    document = older.sources.documents[passage.document]
    if any(held(name.text, facts.low) for name in claim.names) or document.chinese:
        return False
    for name in facts.names:
        if not start <= name.start < end:
            continue
        if not name.sure or held(name.text, claim.low) or held(name.text, older.document.about):
            continue
        if held(name.text, document.about):
            continue
        view = View(passage, document, older.sources)
        if not person(name, view) and (
            name.start < start + 30 or re.search(r"\b(?:in|at|of|for) (?:the )?$", facts.text[: name.start])
        ):
            return True
    return False


def agrees(older: Older, passage: Passage) -> bool:
    """True if a newer passage says the same, as what still holds."""
    claim, facts = older.claim, passage.facts
    about = older.sources.documents[passage.document].about
    ahead = older.ahead
    if not claim.quantities and not ahead:
        return coverage(claim, [facts], about, older.sources) >= SAME_SENTENCE
    numbers = all(
        any(
            matches(mine, one) and not revisions.former(facts, one.start, one.end) for one in facts.quantities
        )
        for mine in claim.quantities
    )
    dates = all(
        any(
            revisions.same_date(mine, one) and not revisions.former(facts, one.start, one.end)
            for one in facts.moments
        )
        for mine in ahead
    )
    return numbers and dates and coverage(claim, [facts], about, older.sources) >= SAME_PASSAGE
