"""Which number or date a source recalls as that of an earlier time, and what it has now. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from nodes.research.checking.alignment import coverage
from nodes.research.checking.attributes import (
    Attribute,
    alike,
    among,
    nouns_after,
    own_clause,
    part,
    same_kind,
)
from nodes.research.checking.facts import Facts
from nodes.research.checking.former_values import change_of, former, of_another_period
from nodes.research.checking.matching import matches
from nodes.research.checking.other_numbers import COUNTED, comparable
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Sources

# Share of the words around the recalled number from which on another stands for the same.
SAME = 0.4
# Months a day named in a clause must lie back to tell of an earlier time.
BACK = 3
_RECALLED = re.compile(
    r"\b(?:years?|months?|weeks?|decades?) (?:after|ago|earlier|before)\b|\bwhen (?:it|they|the|he|she|its|[A-Z]\w+)\b|\blast (?:year|spring|summer|autumn|winter|time)\b|\binterim\b|\bearly figures?\b"
    r"|去年|前年|上年|年前|个月前|上次|上届|[动开完施竣]工时|动土时|当时|当初|期中",
)


def recalled(facts: Facts, start: int, end: int, written: date | None) -> bool:
    """True if the value between two offsets is told as one of an earlier time than its source's.

    Args:
        facts: of the sentence.
        start: offset of the value.
        end: offset after it.
        written: the day of the source.
    """
    if former(facts, start, end):
        return True
    first, last = own_clause(facts.text, start)
    if _RECALLED.search(facts.text[first:last]):
        return True
    days = [one for one in facts.moments if first <= one.start < last and one.year]
    months = [(one.year or 0) * 12 + (one.month or (one.quarter or 4) * 3) for one in days]
    return bool(months and written) and max(months) <= written.year * 12 + written.month - BACK  # type: ignore[union-attr]  # bool() hides it


def has_now(
    number: Quantity,
    told: Sequence[Attribute],
    claim: Facts,
    facts: Facts,
    near: Iterable[Facts],
    written: date | None,
    sources: Sources,
) -> Quantity | None:
    """The number a source has now where it recalls a claim's number as one of an earlier time.

    Args:
        number: the claim's.
        told: what it is a number of, as the claim and its source word it.
        claim: the claim.
        facts: of the sentence that may recall it.
        near: of the sentences beside it.
        written: the day of that source.
        sources: all sources.
    """
    mine = [one for one in facts.quantities if one.dimension != "rank" and matches(number, one)]
    if not mine or not all(recalled(facts, one.start, one.end, written) for one in mine):
        return None
    if any(of_another_period(facts, one.start, one.end) for one in mine):
        return None
    best: tuple[float, Quantity] | None = None
    for place in (facts, *near):
        for one in place.quantities:
            if one.soft or not comparable(number, one) or recalled(place, one.start, one.end, written):
                continue
            if any(matches(other, one) for other in claim.quantities) or (
                change_of(place, one.start) != change_of(facts, mine[0].start)
            ):
                continue
            share = max(_alike(number, each, claim, place, one, sources) for each in told)
            if share >= SAME and (best is None or share > best[0]):
                best = (share, one)
    return best[1] if best else None


def _alike(
    number: Quantity, told: Attribute, claim: Facts, facts: Facts, other: Quantity, sources: Sources
) -> float:
    """How surely a number is one of what a claim gives a number of, 0 to 1: by what it counts, by the words of its clause."""
    theirs = nouns_after(facts, other.start, other.end)
    if number.dimension in COUNTED and theirs and told.nouns and not alike(theirs, told.nouns):
        return 0.0
    if number.dimension in COUNTED and alike(theirs, told.nouns):
        return 0.9
    first, last = own_clause(facts.text, other.start)
    here = part(facts.text[first:last])
    share = coverage(claim, [here], "", sources, told.words) if told.words else 0.0
    if same_kind(told.words, here.terms) or (told.nouns and among(told.nouns, here.terms)):
        return max(share, SAME)
    return share
