"""Is there a newer version of what a sentence says? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from nodes.research.checking import revisions, turnarounds
from nodes.research.checking.alignment import View, coverage
from nodes.research.checking.dates import Moment, conflicts, day_of, holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import fold
from nodes.research.checking.name_check import person
from nodes.research.checking.names import held
from nodes.research.checking.number_check import matches
from nodes.research.checking.polarity_check import polarity_findings
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.timing import Timing, gone, reported, timing
from nodes.research.checking.topics import Topics

SAME_FACT = 0.5
SAME_PASSAGE = 0.4
HELD = 0.5
LOOKED_AT = 32
SHORT = 60
# Months after which another number of the same is a later state of it, not another view.
OUTDATED = 4
_REVISED = re.compile(
    r"\b(?:updated?|revis(?:ed|es|ion)|correct(?:ed|ion)|now|latest|restated|adjusted|raised|lowered|no longer|superse\w+|new figures?|final|instead|delayed|postponed|changed)\b|更新|修正|更正|最新|上修|下修|调整|原先|先前|目前|现为|重新|最终|已改|变更|改为|延后|推迟|延至|修订",
    re.IGNORECASE,
)
_DISPUTED = re.compile(
    r"\b(?:disput\w+|reject(?:s|ed) the|contest(?:s|ed)|challeng\w+|critics|alleg\w+|rumou?r\w*|claims?|unconfirmed|independent (?:estimate|study|report)|according to (?:critics|opponents))\b|质疑|民间|传闻|谣|网传|据传|独立调查|反驳|未经证实|爆料|不实",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Older:
    """A claim, the older source it rests on, and what a newer one is looked for in."""

    claim: Facts
    document: Document
    written: date
    timing: Timing
    subject: frozenset[str]
    sources: Sources
    topics: Topics

    def attribute(self, passage: Passage, start: int = 0, end: int = 0) -> revisions.Attribute:
        """What the claim says, or of what it gives the value between two offsets, beside a newer passage."""
        titles = [self.document.about, self.sources.documents[passage.document].about]
        return revisions.attribute(self.claim, start, end, self.subject, titles)


def newer_version(
    claim: Facts, supporting: Sequence[Passage], cited: Sequence[int], sources: Sources, topics: Topics
) -> tuple[Passage, str] | None:
    """A newer source's passage that says otherwise of the same, when the claim does not say "then".

    Args:
        claim: the claim, which nothing in its own sources contradicts.
        supporting: passages that bear it out.
        cited: numbers of the sources it cites.
        sources: all sources.
        topics: what each of them is about.

    Returns:
        The newer passage, and what it has instead; None if the claim is not out of date, or says of what
        date it is.
    """
    older = _older(claim, supporting, cited, sources, topics)
    if older is None:
        return None
    newest: tuple[date, Passage, str] | None = None
    agreed = older.written
    for day, passage in _newer(older):
        told = _told(older, passage)
        if told and (newest is None or day > newest[0]):
            newest = (day, passage, told)
        elif not told and _agrees(older, passage):
            agreed = max(agreed, day)
    # Where the latest to speak of it still says so, it is not out of date.
    return newest[1:] if newest and newest[0] >= agreed else None


def _older(
    claim: Facts, supporting: Sequence[Passage], cited: Sequence[int], sources: Sources, topics: Topics
) -> _Older | None:
    """The oldest source a claim rests on; None if it has no date, or the claim tells of then."""
    resting = {passage.document for passage in supporting}
    for score, passage in sources.best(claim, set(cited), limit=12):
        about = sources.documents[passage.document].about
        if score and coverage(claim, [passage.facts], about, sources) >= HELD:
            resting.add(passage.document)
    dated = [(day, number) for number in resting if (day := day_of(sources.documents[number].item.date))]
    if not dated or len(claim.terms) < 2:
        return None
    written, number = min(dated)
    document = sources.documents[number]
    when = timing(claim, written)
    if when == "then" or (when in ("dated", "past") and reported(claim)):
        return None
    return _Older(claim, document, written, when, topics.main(document), sources, topics)


def _newer(older: _Older) -> Iterator[tuple[date, Passage]]:
    """Passages of newer sources that speak of what a claim speaks of, with the day of their source."""
    days = older.topics.newer(older.written)
    found = [passage for _, passage in older.sources.best(older.claim, set(days), limit=LOOKED_AT)]
    for number in {passage.document: None for passage in found}:
        document = older.sources.documents[number]
        told_of = older.topics.told_of(older.claim, older.document, document)
        # A short source is read whole: "It had been promised for 2025" shares no word with what it revises.
        whole = len(document.passages) <= SHORT
        for passage in document.passages if whole else (one for one in found if one.document == number):
            if told_of(passage):
                yield days[number], passage


def _told(older: _Older, passage: Passage) -> str:
    """What a newer passage has instead of what a claim says; "" if it has nothing else."""
    if (older.timing != "now" and _another_date(older, passage)) or _of_another(older, passage):
        return ""
    for number in older.claim.quantities:
        found = revisions.instead_of_number(number, older.claim, passage.facts)
        if found and _replaces_former(older, passage, found[1]) and _telling(older, number, passage):
            return f"{found[0].text.strip()} instead of {number.text.strip()}"
    for moment in _ahead(older):
        near = [one.facts for one in older.sources.documents[passage.document].near(passage)]
        if instead := revisions.instead_of_date(moment, older.claim, passage.facts, near):
            return f"{instead} instead of {moment.text.strip()}"
    if older.timing not in ("now", "present") or _another_period(older, passage):
        return ""
    return _turned(older, passage) or (_another_value(older, passage) if _replaces(older, passage) else "")


def _telling(older: _Older, number: Quantity, passage: Passage) -> bool:
    """True if a number is none that stands for many things, or the words around it are the claim's too."""
    if number.dimension not in revisions.COUNTED or number.value >= 13:
        return True
    told = older.attribute(passage, number.start, number.end)
    return revisions.around(told, older.claim, passage.facts, _place(number, passage), older.sources) >= 0.3


def _place(number: Quantity, passage: Passage) -> int:
    return next((one.start for one in passage.facts.quantities if matches(number, one)), 0)


def _replaces_former(older: _Older, passage: Passage, period: bool) -> bool:
    """True if a number told as a former one was replaced, and does not merely stand for an earlier period."""
    if older.timing == "now":
        return True
    if older.timing == "present":
        return not period and not _another_period(older, passage)
    return revisions.corrected(passage.facts) and not period


def _ahead(older: _Older) -> list[Moment]:
    """Dates of a claim that were still to come when its source was written."""
    return [
        moment
        for moment in older.claim.moments
        if moment.year and not moment.relative and not gone(moment, older.written)
    ]


def _another_value(older: _Older, passage: Passage) -> str:
    """The number or date a passage gives of the very thing a claim gives one of."""
    claim, sources = older.claim, older.sources
    about = sources.documents[passage.document].about
    near = coverage(claim, [passage.facts], about, sources) >= SAME_PASSAGE
    for number in claim.quantities if near else ():
        if number.soft or number.dimension == "rank" or _of_other_years(claim, passage):
            continue
        told = older.attribute(passage, number.start, number.end)
        apart = about if older.timing == "now" else ""
        if one := revisions.other_number(number, told, claim, passage, sources, apart):
            return f"{one.text.strip()} instead of {number.text.strip()}"
    for moment in _ahead(older):
        told = older.attribute(passage, moment.start, moment.end)
        if other := revisions.other_date(moment, told, claim, passage, sources, near=near):
            return f"{other.text.strip()} instead of {moment.text.strip()}"
        if near and revisions.postponed(told, claim, passage, sources):
            return f"it later than {moment.text.strip()}"
    return ""


def _turned(older: _Older, passage: Passage) -> str:
    """What became of what a claim states, if a passage tells that it ended, was dropped, or came about."""
    claim, sources = older.claim, older.sources
    document = sources.documents[passage.document]
    told = older.attribute(passage)
    now = older.timing == "now"
    if who := turnarounds.another_holds(claim, passage, now):
        return f"another state ({who})"
    if word := turnarounds.dropped(claim, told, older.subject, passage, sources, now=now):
        return f'"{word}" of it'
    if now or _replaces(older, passage):
        if event := turnarounds.happened(claim, told, passage, document.about, sources):
            return f"that it happened ({event})"
        if now and (word := turnarounds.resolved(claim, told, passage, document.about, sources)):
            return f'"{word}" of it'
        if not claim.quantities or now:
            if word := turnarounds.contrary(claim, told, passage, document.about, sources):
                return f'the contrary ("{word}")'
        if not claim.quantities and coverage(claim, [passage.facts], document.about, sources) >= SAME_FACT:
            for one in polarity_findings(claim, View(passage, document, sources), SAME_FACT):
                if one.severity == "conflict":
                    return f"the contrary ({one.text})"
    return ""


def _replaces(older: _Older, passage: Passage) -> bool:
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


def _another_date(older: _Older, passage: Passage) -> bool:
    """True if a claim names a past day or period and a passage speaks of others only."""
    own = [one for one in older.claim.moments if one.year and not one.relative and gone(one, older.written)]
    theirs = [one for one in passage.facts.moments if one.year]
    return bool(own and theirs) and not any(holds(mine, one, ()) for mine in own for one in theirs)


def _of_other_years(claim: Facts, passage: Passage) -> bool:
    """True if claim and passage name dates, and none of them may be one."""
    own = [one for one in claim.moments if one.year and not one.relative]
    theirs = [one for one in passage.facts.moments if one.year and not one.relative]
    return bool(own and theirs) and not any(holds(mine, one, ()) for mine in own for one in theirs)


def _another_period(older: _Older, passage: Passage) -> bool:
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


def _of_another(older: _Older, passage: Passage) -> bool:
    """True if a passage is about one that neither the claim nor its source's title names."""
    claim, facts = older.claim, passage.facts
    document = older.sources.documents[passage.document]
    if any(held(name.text, facts.low) for name in claim.names) or document.chinese:
        return False
    for name in facts.names:
        if not name.sure or held(name.text, claim.low) or held(name.text, older.document.about):
            continue
        if held(name.text, document.about):
            continue
        view = View(passage, document, older.sources)
        if not person(name, view) and (
            name.start < 30 or re.search(r"\b(?:in|at|of|for) (?:the )?$", facts.text[: name.start])
        ):
            return True
    return False


def _agrees(older: _Older, passage: Passage) -> bool:
    """True if a newer passage says the same, as what still holds."""
    claim, facts = older.claim, passage.facts
    about = older.sources.documents[passage.document].about
    ahead = _ahead(older)
    if not claim.quantities and not ahead:
        return coverage(claim, [facts], about, older.sources) >= 0.75
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
