"""Is there a newer version of what a sentence says? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from difflib import SequenceMatcher

from nodes.research.checking.alignment import coverage
from nodes.research.checking.dates import conflicts, day_of, holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import fold, lowered
from nodes.research.checking.names import held
from nodes.research.checking.number_check import matches
from nodes.research.checking.polarity_check import polarity_findings
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.units import same_dimension

SAME_FACT = 0.5
SAME_PASSAGE = 0.4
# Months after which another number of the same is a later state of it, not another view.
OUTDATED = 4
SAME_TITLE = 0.75
_NOW = re.compile(
    r"\b(?:now|currently|at present|to date|latest|so far|as of today|today|still|most recent|newest|up-to-date)\b|目前|现在|现今|迄今|至今|最新|如今|现时|仍",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:at the time|back then|then|previously|formerly|had been|used to|originally|initially|once|earlier|as of|until)\b|当时|原先|起初|过去|曾|一度|先前|原本|截至|当年",
    re.IGNORECASE,
)
_REVISED = re.compile(
    r"\b(?:updated?|revis(?:ed|es|ion)|correct(?:ed|ion)|now|latest|restated|adjusted|raised from|lowered from|previously|no longer|superse\w+|as of|new figures?|final)\b|更新|修正|更正|最新|上修|下修|调整|原先|先前|目前|现为|截至|重新|最终|已改",
    re.IGNORECASE,
)


def newer_version(
    claim: Facts, supporting: Sequence[Passage], sources: Sources
) -> tuple[Passage, str] | None:
    """A newer source's passage that says otherwise of the same, when the claim does not say "then".

    Args:
        claim: the claim, borne out by the supporting passages.
        supporting: passages of the sources it cites.
        sources: all sources.

    Returns:
        The newer passage, and what it has instead; None if the claim is not out of date, or says of what
        date it is.
    """
    own = sources.documents[supporting[0].document]
    written = day_of(own.item.date)
    if written is None or len(claim.terms) < 3 or _THEN.search(claim.text):
        return None
    newest: tuple[date, Passage, str] | None = None
    agreed = [written]
    cited = {passage.document for passage in supporting}
    for _, passage in sources.best(claim, limit=16):
        other = sources.documents[passage.document]
        day = day_of(other.item.date)
        if passage.document in cited or day is None or day <= written:
            continue
        if coverage(supporting[0].facts, [passage.facts], other.about, sources) < SAME_PASSAGE:
            continue
        told = _instead(claim, passage, other, sources)
        if (
            not told
            and claim.quantities
            and all(_stands_there(one, passage.facts) for one in claim.quantities)
        ):
            agreed.append(day)
        if told and _replaces(claim, passage, other, own) and (newest is None or day > newest[0]):
            newest = (day, passage, told)
    # Where the latest to speak of it still says so, it is not out of date.
    return newest[1:] if newest and newest[0] > max(agreed) else None


def _stands_there(number: Quantity, facts: Facts) -> bool:
    return any(matches(number, one) for one in facts.quantities)


def _replaces(claim: Facts, passage: Passage, newer: Document, older: Document) -> bool:
    """True if a newer passage takes the place of an older one, instead of telling of another time or view."""
    now = _NOW.search(claim.text) is not None
    revised = _REVISED.search(passage.facts.text) is not None
    if not now and any(not moment.empty and not moment.relative for moment in claim.moments):
        return revised and _same_date(claim, passage)
    if not claim.names:
        # Nothing but the document tells of whom it is said.
        return _version_of(newer, older)
    return now or revised or _version_of(newer, older) or _months_between(older, newer) >= OUTDATED


def _months_between(older: Document, newer: Document) -> float:
    one, two = day_of(older.item.date), day_of(newer.item.date)
    return (two - one).days / 30.4 if one and two else 0.0


def _same_date(claim: Facts, passage: Passage) -> bool:
    """True if a newer passage speaks of the very date the claim does: then its number replaces the older one."""
    own = [moment for moment in claim.moments if moment.year and not moment.relative]
    return bool(own) and all(any(holds(moment, one, ()) for one in passage.facts.moments) for moment in own)


def _version_of(newer: Document, older: Document) -> bool:
    """True if two sources are of one publisher, or bear nearly the same title."""
    one, two = (lowered(fold(document.item.name)) for document in (newer, older))
    same_site = bool(newer.item.site) and newer.item.site == older.item.site
    return same_site or SequenceMatcher(None, one, two, autojunk=False).ratio() >= SAME_TITLE


def _instead(claim: Facts, passage: Passage, document: Document, sources: Sources) -> str:
    """The number a passage gives where the claim gives another, if it speaks of the same; else ""."""
    facts = passage.facts
    if claim.chinese != facts.chinese or coverage(claim, [facts], document.about, sources) < SAME_FACT:
        return ""
    if not all(held(name.text, document.low) for name in claim.names if name.sure):
        return ""
    if any(
        one.year and two.year and conflicts(one, two)
        for one in claim.moments
        for two in facts.moments
        if not one.relative
    ):
        return ""
    for number in claim.quantities:
        if number.soft or number.dimension == "rank" or any(matches(number, one) for one in facts.quantities):
            continue
        rivals = [
            one
            for one in facts.quantities
            if one.dimension == number.dimension
            or (number.dimension and same_dimension(number.dimension, one.dimension))
        ]
        if rivals:
            return f"{rivals[0].text.strip()} instead of {number.text.strip()}"
    if claim.quantities:
        return ""
    turned = [one for one in polarity_findings(claim, [passage], sources) if one.severity == "conflict"]
    return f"the contrary ({turned[0].text})" if turned else ""
