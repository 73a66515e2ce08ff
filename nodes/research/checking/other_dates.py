"""Has a newer passage another date where a claim has what was planned before? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.attributes import (
    EMPTY,
    SAME_ATTRIBUTE,
    WHEN,
    Attribute,
    around,
    clause_at,
)
from nodes.research.checking.facts import Facts
from nodes.research.checking.former_values import former
from nodes.research.checking.moment import Moment, conflicts
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term

_POSTPONED = re.compile(
    r"\b(?:postpon\w+|delay(?:ed|s)|deferr\w+|push(?:ed)? back|put (?:back|off)|slipp?(?:ed|s)?|held up|later than|(?:weeks?|months?|years?) late|behind schedule|overdue)\b|晚了|迟了|逾期|落后|推迟|延后|延期|延宕|顺延|展延|往后延|跳票|延至|延到",
    re.IGNORECASE,
)
# When something can be used, however it is worded; when work on it begins is another date.
_READY = re.compile(
    r"\b(?:re-?open\w*|open(?:s|ed|ing)?|used?|in use|service|passengers?|runs?|running|operat\w+|complet\w+|finish\w*|ready|inaugurat\w+|deliver\w*|move in|go live|commission\w*|launch\w*|results|publish\w*|in place|board)\b|启用|通车|完工|投产|运营|营运|开通|开幕|落成|竣工|商转|并网|开业|交付|投用|建成|完成|上线|通航|开馆|开放",
    re.IGNORECASE,
)
# A date that took the place of another.
_MOVED = re.compile(
    r"\bnow (?:to|due|expected|scheduled|planned|set|likely|not (?:before|until))\b|\b(?:postpon\w+|delay\w*|deferr\w+|put back|push(?:ed)? back|later than planned|at the earliest|slip(?:s|ped)|behind schedule|(?:weeks?|months?|years?) late|another window|rescheduled|moved to)\b|延后|推迟|延至|延到|顺延|展延|延宕|改订|改到|改为|跳票|改期|最快",
    re.IGNORECASE,
)
_SEASON = re.compile(
    r"(?:spring|summer|autumn|winter|fall|end|early|late|first|new|middle|start|年底|年初|年中|春|夏|秋|冬)$",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:construction|(?:ground)?work|digging|building) (?:is |are )?(?:\w+ )?(?:to )?(?:begin|start|commence)\w*|\b(?:begin|start)\w* (?:construction|building|work)|动工|开工|破土|招标|决标|施工",
    re.IGNORECASE,
)


def same_date(one: Moment, other: Moment) -> bool:
    """True if two dates may be one, and share a year."""
    return bool(one.year and one.year == other.year and not conflicts(one, other))


def other_date(
    moment: Moment, told: Attribute, claim: Facts, passage: Passage, sources: Sources, *, near: bool
) -> Moment | None:
    """The date a passage gives of the very thing a claim gives one of.

    Args:
        moment: the claim's.
        told: what it is the date of.
        claim: the claim.
        passage: of a newer source.
        sources: all sources.
        near: enough of the claim's words stand in the passage to go by the words around the date.
    """
    facts = passage.facts
    if any(same_date(moment, one) and not former(facts, one.start, one.end) for one in facts.moments):
        return None
    for one in facts.moments:
        if one.relative or not one.year or not conflicts(moment, one) or former(facts, one.start, one.end):
            continue
        if any(same_date(other, one) for other in claim.moments):
            continue
        moved = _MOVED.search(facts.text) is not None and _later(one, moment)
        if (
            (moved and _ahead_of(claim, facts))
            or _one_event(claim, moment, facts, one)
            or (near and told.words and around(told, claim, facts, one.start, sources) >= SAME_ATTRIBUTE)
        ):
            return one
    return None


def _later(one: Moment, other: Moment) -> bool:
    return (one.year or 0, one.month or 0) > (other.year or 0, other.month or 0)


def _ahead_of(claim: Facts, facts: Facts) -> bool:
    """True if neither of two sentences tells when work on something begins, or both do."""
    return bool(_BEGUN.search(claim.text)) == bool(_BEGUN.search(facts.text))


def _one_event(claim: Facts, mine: Moment, facts: Facts, theirs: Moment) -> bool:
    """True if both dates are those from which on something can be used."""
    parts = []
    for text, moment in ((claim.text, mine), (facts.text, theirs)):
        first, last = clause_at(text, moment.start)
        parts.append(text[first:last])
    if not all(_READY.search(part) and not _BEGUN.search(part) for part in parts):
        return False
    things = [word for word in claim.terms if _thing(word, claim)]
    return not things or any(word.key in facts.keys or word.concepts & _concepts(facts) for word in things)


def _thing(word: Term, claim: Facts) -> bool:
    """True if a word may be what is opened, not how, when or whose."""
    text = claim.text[word.start : word.end]
    named = any(name.start <= word.start < name.end for name in claim.names)
    return not (
        named or WHEN.match(word.key) or _READY.search(text) or _SEASON.match(text) or word.concepts & EMPTY
    )


def _concepts(facts: Facts) -> frozenset[str]:
    return frozenset().union(*(word.concepts for word in facts.terms))


def instead_of_date(moment: Moment, claim: Facts, facts: Facts, near: Sequence[Facts]) -> str:
    """What stands for a claim's date in a passage that gives it as the date planned before; "" if nothing does."""
    was = [one for one in facts.moments if same_date(moment, one)]
    if not was or not all(former(facts, one.start, one.end) for one in was):
        return ""
    for part in (facts, *near):
        for one in part.moments:
            if part is facts and not one.year and (one.month or one.quarter or one.half):
                # "Planned for the first quarter of 2025, now for the third."
                one = replace(one, year=was[0].year)
            if one.relative or not one.year or not conflicts(moment, one) or former(part, one.start, one.end):
                continue
            if one.year < (moment.year or 0) - 1 or any(same_date(other, one) for other in claim.moments):
                continue
            return one.text.strip()
    return "it delayed" if _POSTPONED.search(facts.text) else ""


def postponed(told: Attribute, claim: Facts, passage: Passage, sources: Sources) -> bool:
    """True if a passage says that what a claim gives a date of comes later, and not when."""
    hit = _POSTPONED.search(passage.facts.text)
    return (
        hit is not None
        and bool(told.words)
        and around(told, claim, passage.facts, hit.start(), sources) >= SAME_ATTRIBUTE
    )
