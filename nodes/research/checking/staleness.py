"""Is there a newer version of what a sentence says? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from nodes.research.checking.alignment import coverage
from nodes.research.checking.counterparts import recalled_only
from nodes.research.checking.dates import day_of
from nodes.research.checking.facts import Facts, facts_of
from nodes.research.checking.folding import fold
from nodes.research.checking.matching import matches
from nodes.research.checking.older import Older
from nodes.research.checking.other_numbers import comparable
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.superseding import agrees, superseded
from nodes.research.checking.timing import reported, timing
from nodes.research.checking.topics import Topics

HELD = 0.5
LOOKED_AT = 32
SHORT = 60


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
    if found := recalled_only(older):
        return found
    newest: tuple[date, Passage, str] | None = None
    agreed = older.written
    for day, passage in _newer(older):
        told = superseded(older, passage)
        if told and (newest is None or day > newest[0]):
            newest = (day, passage, told)
        elif not told and agrees(older, passage):
            agreed = max(agreed, day)
    # Where the latest to speak of it still says so, it is not out of date.
    return newest[1:] if newest and newest[0] >= agreed else None


def _older(
    claim: Facts, supporting: Sequence[Passage], cited: Sequence[int], sources: Sources, topics: Topics
) -> Older | None:
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
    return Older(claim, document, written, when, topics.main(document), sources, topics)


def _newer(older: Older) -> Iterator[tuple[date, Passage]]:
    """Passages of newer sources that speak of what a claim speaks of, with the day of their source."""
    days = older.topics.newer(older.written)
    found = [passage for _, passage in older.sources.best(older.claim, set(days), limit=LOOKED_AT)]
    ahead = older.ahead
    for number in {passage.document: None for passage in found}:
        document = older.sources.documents[number]
        told_of = older.topics.told_of(older.claim, older.document, document)
        ours = older.topics.same(older.document, document)
        if ours and document.passages and told_of(headline := _headline(document)):
            yield days[number], headline
        near = {passage.number for passage in found if passage.document == number}
        for passage in document.passages if len(document.passages) <= SHORT else found:
            if passage.document != number:
                continue
            # "It had been promised for 2025" shares no word with what it revises.
            same = (ahead and any(one.year and not one.relative for one in passage.facts.moments)) or any(
                comparable(mine, one) or matches(mine, one)
                for mine in older.claim.quantities
                for one in passage.facts.quantities
            )
            if (same or passage.number in near) and (
                told_of(passage) or (ours and _same_number(older.claim, passage.facts))
            ):
                yield days[number], passage


def _headline(document: Document) -> Passage:
    """A source's title as if it were its first sentence, which it sums up."""
    return replace(document.passages[0], facts=facts_of(fold(document.item.name), day_of(document.item.date)))


def _same_number(claim: Facts, facts: Facts) -> bool:
    """True if two sentences share a number of three figures or more: of one subject, it is the same thing's."""
    return any(
        len(re.sub(r"\D|^[0.]+|0+$", "", mine.text)) > 2 and matches(mine, one)
        for mine in claim.quantities
        for one in facts.quantities
    )
