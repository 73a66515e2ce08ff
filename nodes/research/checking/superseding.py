"""What a newer passage has instead of what a claim says. Pure."""

from __future__ import annotations

import re

from nodes.research.checking import turnarounds
from nodes.research.checking.alignment import coverage
from nodes.research.checking.attributes import (
    Attribute,
    around,
    attribute,
    own_clause,
)
from nodes.research.checking.counterparts import elsewhere, held_out, now_has, sole
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import fold
from nodes.research.checking.former_values import corrected, former
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import holds
from nodes.research.checking.offices import another_holds
from nodes.research.checking.older import SAME_PASSAGE, Older, another_period, of_another
from nodes.research.checking.other_dates import instead_of_date, other_date, postponed, same_date
from nodes.research.checking.other_numbers import COUNTED, instead_of_number, other_number
from nodes.research.checking.polarity_check import polarity_findings
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Document, Passage
from nodes.research.checking.states import over
from nodes.research.checking.timing import gone

SAME_FACT = 0.5
SAME_SENTENCE = 0.75
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


def superseded(older: Older, passage: Passage) -> str:
    """What a newer passage has instead of what a claim says.

    Args:
        older: the claim and the source it rests on.
        passage: of a newer source, on the same subject.

    Returns:
        That, in words; "" if it has nothing else.
    """
    other = of_another(older, passage, 0, own_clause(passage.facts.text, 0)[1])
    if other or (older.timing != "now" and _another_date(older, passage)):
        return ""
    for number in held_out(older.claim):
        found = instead_of_number(number, older.claim, passage.facts)
        if found and _replaces_former(older, passage, found[1]) and _telling(older, number, passage):
            return f"{found[0].text.strip()} instead of {number.text.strip()}"
        if one := now_has(older, number, passage):
            return f"{one.text.strip()} instead of {number.text.strip()}"
    for moment in older.ahead:
        near = [one.facts for one in older.sources.documents[passage.document].near(passage)]
        if instead := instead_of_date(moment, older.claim, passage.facts, near):
            return f"{instead} instead of {moment.text.strip()}"
    if older.timing == "dated" and (taken_back := _taken_back(older, passage)) is not None:
        return taken_back
    if older.timing not in ("now", "present") or another_period(older, passage):
        return ""
    takes_place = _replaces(older, passage)
    return _turned(older, passage, takes_place) or (_another_value(older, passage) if takes_place else "")


def _taken_back(older: Older, passage: Passage) -> str | None:
    """What a correction has instead of what a claim says of a past date; None if it corrects nothing of it."""
    claim, facts = older.claim, passage.facts
    if not claim.quantities and corrected(facts):
        told = older.attribute(passage)
        if word := turnarounds.dropped(claim, told, older.subject, passage, older.sources, now=False):
            return f'"{word}" of it'
    if _REVISED.search(facts.text) and _of_that_date(older, passage):
        return _another_value(older, passage) if _replaces(older, passage) else ""
    return None


def _telling(older: Older, number: Quantity, passage: Passage) -> bool:
    """True if a number is none that stands for many things, or the words around it are the claim's too."""
    if number.dimension not in COUNTED or number.value >= 13:
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
        return not period and not another_period(older, passage)
    return corrected(passage.facts) and not period


def _another_value(older: Older, passage: Passage) -> str:
    """The number or date a passage gives of the very thing a claim gives one of."""
    claim, sources = older.claim, older.sources
    about = sources.documents[passage.document].about
    near = coverage(claim, [passage.facts], about, sources) >= SAME_PASSAGE
    for number in held_out(claim):
        if number.dimension == "rank" or _of_other_years(claim, passage) or elsewhere(older, number, passage):
            continue
        apart = about if older.timing == "now" else ""
        for own, told in enumerate(older.attributes(number, passage)):
            if not own and not near:
                continue
            one = other_number(number, told, claim, passage, sources, apart)
            if one and not of_another(older, passage, *own_clause(passage.facts.text, one.start)):
                return f"{one.text.strip()} instead of {number.text.strip()}"
        if one := sole(older, number, passage):
            return f"{one.text.strip()} instead of {number.text.strip()}"
    for moment in older.ahead:
        told = older.attribute(passage, moment.start, moment.end)
        if other := other_date(moment, told, claim, passage, sources, near=near):
            return f"{other.text.strip()} instead of {moment.text.strip()}"
        if near and postponed(told, claim, passage, sources):
            return f"it later than {moment.text.strip()}"
    return ""


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


def agrees(older: Older, passage: Passage) -> bool:
    """True if a newer passage says the same, as what still holds."""
    claim, facts = older.claim, passage.facts
    about = older.sources.documents[passage.document].about
    ahead = older.ahead
    if not claim.quantities and not ahead:
        return coverage(claim, [facts], about, older.sources) >= SAME_SENTENCE
    numbers = all(
        any(matches(mine, one) and not former(facts, one.start, one.end) for one in facts.quantities)
        for mine in claim.quantities
    )
    dates = all(
        any(same_date(mine, one) and not former(facts, one.start, one.end) for one in facts.moments)
        for mine in ahead
    )
    return numbers and dates and coverage(claim, [facts], about, older.sources) >= SAME_PASSAGE
