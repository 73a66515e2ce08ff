"""Does the source say it with another name where the claim has one, whatever part of the sentence that plays? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.alignment import Finding, View, share_of
from nodes.research.checking.claim_fits import NUMBER, RANKED
from nodes.research.checking.dates import Moment, holds
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held
from nodes.research.checking.number_check import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.rivals import rival
from nodes.research.checking.roster import GROUP, PERSON, Entity, same
from nodes.research.checking.sources import Passage
from nodes.research.checking.subject_clauses import HAN_PRONOUN, PRONOUN, Clause, Mention
from nodes.research.checking.terms import Term

# A sentence must hold so much of what can be found at all in the cited sources, and of the claim's whole wording.
FOUND, WHOLE = 0.6, 0.34
# Two rare words, or a rare word and a number.
TELLING = 8.0
# A sentence that names the claim's own name and fits worse than this by no more clears it.
CLEARS = 0.3
# Before "he" or "the company" the one meant was named so many sentences ago at most.
BACK = 2
DATE = 3.0


@dataclass(frozen=True, slots=True)
class _Content:
    """What a part of a claim says beside a name."""

    words: list[tuple[Term, float]]
    numbers: list[Quantity]
    dates: list[Moment]


@dataclass(frozen=True, slots=True)
class _Evidence:
    """A sentence of the cited sources and how much of the content it holds.

    Attributes:
        passage: the sentence.
        weight: of what it holds.
        found: `weight` as a share of what any sentence holds, 0 to 1.
        whole: `weight` as a share of all the content, 0 to 1.
    """

    passage: Passage
    weight: float
    found: float
    whole: float


def stand_in(claim: Facts, named: Sequence[Clause], view: View, cited: Sequence[Passage]) -> Finding | None:
    """A name of a claim in whose place the sentence that says the rest has another.

    Args:
        claim: the claim.
        named: its clauses with their names.
        view: the passage that fits it best.
        cited: every passage of the cited sources.
    """
    quoted = [(one.start, one.end) for one in claim.quotations if one.speech]
    ranked = view.sources.best(claim, {one.document for one in cited}, limit=RANKED)
    passages = [passage for _, passage in ranked]
    seen: set[tuple[str, int, int]] = set()
    for part, mine in _parts(claim, named):
        key = (mine.entity.name, *part)
        if key in seen or any(start <= mine.start < end for start, end in quoted):
            continue
        seen.add(key)
        content = _content(claim, part, mine, view)
        if finding := _replaced(claim, mine.entity, content, passages, view):
            return finding
    return None


def _parts(claim: Facts, named: Sequence[Clause]) -> list[tuple[tuple[int, int], Mention]]:
    """Each name with the whole of its sentence, and with its clause alone."""
    every = [one for clause in named for one in clause.mentions]
    whole = [((0, len(claim.text)), one) for one in every]
    return whole + [((clause.start, clause.end), one) for clause in named for one in clause.mentions]


def _content(claim: Facts, part: tuple[int, int], mine: Mention, view: View) -> _Content:
    start, end = part
    words = [
        (word, _weight(word, view))
        for word in claim.terms
        if start <= word.start < end and not mine.start <= word.start < mine.end
    ]
    numbers = [one for one in claim.quantities if start <= one.start < end and not one.soft]
    dates = [one for one in claim.moments if start <= one.start < end and not one.empty]
    return _Content(words, numbers, dates)


def _weight(word: Term, view: View) -> float:
    # What the title says is what every sentence is about; words of saying tell little of what is said.
    light = word.key in view.document.about or "say" in word.concepts
    return view.sources.weight(word.key) * (0.3 if light else 1.0)


def _evidence(content: _Content, passages: Sequence[Passage]) -> list[_Evidence]:
    """What each sentence holds of the content, most first."""
    rows: list[list[float]] = []
    for passage in passages:
        facts = passage.facts
        row = [
            weight * share if (share := share_of(word, facts.keys, facts.bigrams, facts.low)) >= 0.5 else 0.0
            for word, weight in content.words
        ]
        row += [NUMBER * any(matches(one, other) for other in facts.quantities) for one in content.numbers]
        row += [DATE * any(holds(one, other, ()) for other in facts.moments) for one in content.dates]
        rows.append(row)
    reachable = sum(max(column) for column in zip(*rows, strict=True)) if rows else 0.0
    every = sum(weight for _, weight in content.words)
    every += NUMBER * len(content.numbers) + DATE * len(content.dates)
    found = [
        _Evidence(passage, sum(row), sum(row) / (reachable or 1.0), sum(row) / (every or 1.0))
        for passage, row in zip(passages, rows, strict=True)
    ]
    return sorted(found, key=lambda one: -one.weight)


def _replaced(
    claim: Facts, mine: Entity, content: _Content, passages: Sequence[Passage], view: View
) -> Finding | None:
    found = _evidence(content, passages)
    best = found[0] if found else None
    if best is None or best.found < FOUND or best.whole < WHOLE or best.weight < TELLING:
        return None
    if any(_tells_of(mine, one.passage, view) and one.found >= best.found - CLEARS for one in found):
        return None
    others = _others(claim, mine, best.passage, view)
    if not others or _may_mean(mine, best.passage, view):
        return None
    return Finding("conflict", f"the source says it of {others[0].name}, not of {mine.name}")


def _tells_of(mine: Entity, passage: Passage, view: View) -> bool:
    """True if a sentence names one, or has clauses that go on about it."""
    if held(mine.name, passage.facts.low):
        return True
    sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
    return any(
        same(mine.name, owner.name)
        for clause in sentence
        if clause.owners and (clause.referred or not clause.open)
        for owner in clause.owners[:1]
    )


def _others(claim: Facts, mine: Entity, passage: Passage, view: View) -> list[Entity]:
    """Those of the same kind a sentence names that the claim does not."""
    sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
    quoted = [(one.start, one.end) for one in passage.facts.quotations if one.speech]
    return [
        one.entity
        for clause in sentence
        for one in clause.mentions
        if rival(mine, one.entity, claim, False)
        and (PERSON in one.entity.kinds) == (PERSON in mine.kinds)
        and not any(start <= one.start < end for start, end in quoted)
    ]


def _may_mean(mine: Entity, passage: Passage, view: View) -> bool:
    """True if a sentence may speak of one without the name: by a pronoun, or because the text is about it."""
    document = view.sources.documents[passage.document]
    before = document.passages[max(0, passage.number - BACK) : passage.number]
    near = any(held(mine.name, one.facts.low) for one in before)
    topic = any(same(mine.name, one.name) for one in document.chain.topics.values())
    if mine.kinds != {PERSON}:
        return near or topic or held(mine.name, document.about)
    found = (HAN_PRONOUN if passage.facts.chinese else PRONOUN).finditer(passage.facts.text)
    return (near or topic) and any(one[1] for one in found)
