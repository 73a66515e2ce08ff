"""Has a newer passage another number where a claim has what held before? Pure."""

from __future__ import annotations

import re

from nodes.research.checking.alignment import coverage
from nodes.research.checking.attributes import (
    ANY,
    SAME_ATTRIBUTE,
    Attribute,
    alike,
    among,
    around,
    clause_at,
    nouns_after,
    own_clause,
)
from nodes.research.checking.facts import Facts
from nodes.research.checking.former_values import change_of, former, of_another_period
from nodes.research.checking.matching import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.units import same_dimension

# Two numbers further apart than this are not one thing at two times.
APART = 12.0
# Where a passage says that something was raised or cut to a number, fewer words tell that it is the claim's.
LEVEL = 0.3
# A number told loosely ("a fifth") may stand for any that is nearer to it than this.
LOOSE = 1.4
COUNTED = frozenset({"", "count", "people", "households", "magnitude"})
_COMPARED = re.compile(
    r"\b(?:than|from|over|against|versus|compared (?:with|to)|in|on)(?: the)? (?:same|a year|previous year|last year|year before|corresponding|preceding|prior)\b|year-on-year|quarter-on-quarter|同期|[年季月][增减]|(?:较|比)(?:去年|前年|上年|上季|上月|前一)",
    re.IGNORECASE,
)
_SET_TO = re.compile(
    r"\b(?:raise[ds]?|lift(?:ed|s)?|cut|increase[ds]?|risen|rose|fell|fallen|gone (?:up|down)|went (?:up|down)|grown|grew|drop(?:ped|s)|reduced|lowered|climbed|shrunk|trimmed|slipped|eased|edged (?:up|down)|swelled|dwindled|come down|scaled (?:back|down)|put up|changed)\b[^,;.]* to (?:\w+ )?$|\bnow (?:\w+ ){0,3}$"
    r"|(?:调|改|增|减|升|降|提高|缩减|追加|扩大|上修|下修|酌收)[^,。;]{0,4}(?:为|至|到|成)?约?$"
)


def comparable(one: Quantity, other: Quantity) -> bool:
    """True if two numbers may be one thing at two times."""
    if "rank" in (one.dimension, other.dimension) or "score" in (one.dimension, other.dimension):
        return False
    if one.dimension != other.dimension and not (
        one.dimension and same_dimension(one.dimension, other.dimension)
    ):
        return False
    low, high = sorted((abs(one.value), abs(other.value)))
    return high <= APART * low if low else True


def instead_of_number(number: Quantity, claim: Facts, facts: Facts) -> tuple[Quantity, bool] | None:
    """The number a passage gives as what holds now, where a claim's number stands as what held before.

    Returns:
        That number, and whether the claim's is one of another period only; None if there is none.
    """
    mine = [one for one in facts.quantities if matches(number, one) and one.dimension != "rank"]
    was = [one for one in mine if former(facts, one.start, one.end)]
    if not was or len(was) < len(mine):
        return None
    rivals = [
        one
        for one in facts.quantities
        if one not in mine
        and (comparable(number, one) or comparable(was[0], one))
        and not former(facts, one.start, one.end)
        and not change_of(facts, one.start)
        and not any(matches(other, one) for other in claim.quantities)
    ]
    if not rivals:
        return None
    after = [one for one in rivals if one.start > was[0].start]
    chosen = after[0] if after else min(rivals, key=lambda one: abs(one.start - was[0].start))
    return chosen, of_another_period(facts, was[0].start, was[0].end)


def other_number(
    number: Quantity, told: Attribute, claim: Facts, passage: Passage, sources: Sources, about: str = ""
) -> Quantity | None:
    """The number a passage gives of the very thing a claim gives one of.

    Args:
        number: the claim's.
        told: what it is a number of.
        claim: the claim.
        passage: of a newer source.
        sources: all sources.
        about: title and site of that source, if the passage's only number of the kind may stand in another
            clause than what it is a number of.
    """
    facts = passage.facts
    if any(matches(number, one) for one in facts.quantities):
        return None
    rivals = [one for one in facts.quantities if not one.soft and comparable(number, one)]
    changes = change_of(claim, number.start)
    best: tuple[float, Quantity] | None = None
    for one in rivals:
        if former(facts, one.start, one.end) or change_of(facts, one.start) != changes:
            continue
        if number.soft and not far(number, one):
            continue
        if any(matches(other, one) for other in claim.quantities) or _period_near(facts, one):
            continue
        if number.dimension in COUNTED and not _same_noun(told, facts, one):
            continue
        share = around(told, claim, facts, one.start, sources)
        if about and len(rivals) == 1:
            share = max(share, coverage(claim, [facts], about, sources, told.words))
        enough = LEVEL if len(rivals) == 1 and _set_to(facts, one) else SAME_ATTRIBUTE
        if share >= enough and (best is None or share > best[0]):
            best = (share, one)
    return best[1] if best else None


def _set_to(facts: Facts, number: Quantity) -> bool:
    """True if a passage says that something was set to a number: raised, cut, changed to it."""
    first, _ = own_clause(facts.text, number.start)
    return _SET_TO.search(facts.text[first : number.start]) is not None


def far(one: Quantity, other: Quantity) -> bool:
    """True if a number told loosely cannot stand for another."""
    low, high = sorted((abs(one.value), abs(other.value)))
    return high > LOOSE * low


def _period_near(facts: Facts, number: Quantity) -> bool:
    """True if the clause of a number compares periods."""
    first, last = own_clause(facts.text, number.start)
    return _COMPARED.search(facts.text[first:last]) is not None


def _same_noun(told: Attribute, facts: Facts, other: Quantity) -> bool:
    """True if a passage's number counts what the claim's number counts."""
    theirs = nouns_after(facts, other.start, other.end)
    if alike(theirs, told.nouns) or not (theirs or told.nouns):
        return True
    if not theirs or theirs & ANY:
        # "One instrument was taken off, leaving six"; "the lynx recovered: 187 animals were counted".
        return among(told.nouns, facts.terms)
    if told.nouns:
        return False
    first, last = clause_at(facts.text, other.start)
    here = [word for word in facts.terms if first <= word.start < last]
    return among(told.nouns, here) if told.nouns else among(theirs, told.words)
