"""What a part of a claim says beside a name, and how much of it each sentence of the sources holds. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.alignment import View, share_of
from nodes.research.checking.claim_fits import NUMBER
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, holds
from nodes.research.checking.name_words import TITLES
from nodes.research.checking.person_words import HAN_TITLES, PEOPLE, PERSON_ENDING
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage
from nodes.research.checking.subject_clauses import Mention
from nodes.research.checking.terms import Term

DATE = 3.0
_TITLES_BEFORE = re.compile(
    rf"(?:[A-Za-z'-]+\.? ){{1,3}}$|(?:[\u3400-\u9fff]{{0,4}}(?:{'|'.join(HAN_TITLES)}))$"
)
_APPOSITION = re.compile(
    r", (?:(?:the|an?|its|their|his|her|then|now|former|chief|head|director|lead|leader|president|[\w]+'s) [^,;:]{2,70}?)(?=[,.;:]|$)",
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a part of a claim says beside a name; `named` tells which of the words are parts of other names."""

    words: list[tuple[Term, float]]
    named: list[bool]
    numbers: list[Quantity]
    dates: list[Moment]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of the cited sources and how much of the content it holds.

    Attributes:
        passage: the sentence.
        row: the weight of each thing the content says that it holds.
        weight: of what it holds.
        plain: of that, what is no name.
        found: `weight` as a share of what any sentence holds, 0 to 1.
        whole: `weight` as a share of all the content, 0 to 1.
    """

    passage: Passage
    row: list[float]
    weight: float
    plain: float
    found: float
    whole: float


def content_of(claim: Facts, part: tuple[int, int], mine: Mention, view: View) -> Content:
    """What a part of a claim says beside a name.

    Args:
        claim: the claim.
        part: offsets of the part.
        mine: the name; its titles and appositions are left out too.
        view: the passage that fits the claim best; its title's words weigh little.
    """
    start, end = part
    first, last = _described(claim, mine)
    words = [
        (word, _weight(word, view))
        for word in claim.terms
        if start <= word.start < end and not first <= word.start < last
    ]
    numbers = [one for one in claim.quantities if start <= one.start < end and not one.soft]
    dates = [one for one in claim.moments if start <= one.start < end and not one.empty]
    named = [any(one.start <= word.start < one.end for one in claim.names) for word, _ in words]
    return Content(words, named, numbers, dates)


def _described(claim: Facts, mine: Mention) -> tuple[int, int]:
    """A name with its titles and what stands between commas after it: they tell who it is."""
    before = _TITLES_BEFORE.search(claim.text[: mine.start])
    after = _APPOSITION.match(claim.text[mine.end :])
    return (
        before.start() if before and _title(before[0]) else mine.start,
        mine.end + (after.end() if after else 0),
    )


def _title(words: str) -> bool:
    """True if the words before a name end in a noun of people or a title."""
    if not words.isascii():
        return True
    last = re.findall(r"[a-z]+", words.lower())[-1:]
    return bool(last) and (
        last[0] in PEOPLE or last[0] in TITLES or (len(last[0]) > 4 and bool(PERSON_ENDING.search(last[0])))
    )


def _weight(word: Term, view: View) -> float:
    # What the title says is what every sentence is about; words of saying tell little of what is said.
    light = word.key in view.document.about or "say" in word.concepts
    return view.sources.weight(word.key) * (0.3 if light else 1.0)


def evidence(content: Content, passages: Sequence[Passage]) -> list[Evidence]:
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
    names = [*content.named, *([False] * (len(content.numbers) + len(content.dates)))]
    found = [
        Evidence(
            passage,
            row,
            sum(row),
            sum(one for one, name in zip(row, names, strict=True) if not name),
            sum(row) / (reachable or 1.0),
            sum(row) / (every or 1.0),
        )
        for passage, row in zip(passages, rows, strict=True)
    ]
    return sorted(found, key=lambda one: -one.weight)
