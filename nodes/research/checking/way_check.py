"""Does the source tell of a rise where the claim does? By what rises, whatever words tell of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nodes.research.checking.alignment import Finding, share_of, weight_of
from nodes.research.checking.clauses import Clause, clause_of, clauses
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, conflicts
from nodes.research.checking.name import Name
from nodes.research.checking.names import held
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term
from nodes.research.checking.trend_check import moved
from nodes.research.checking.ways import only_way, says_way, turned, ways

# Share of what the claim says goes up that the source's clause must speak of, before its going down is a conflict ...
SURE = 0.5
# ... or one for a judge.
LIKELY = 0.3
# A clause that agrees outweighs one that does not if it speaks of nearly as much.
NEARLY = 0.12
# What a number or a date in common adds to the share.
FACT = 0.2
# Words that tell nothing of what it is that moves.
_EMPTY = frozenset(
    "level number figur amount somewhat slight becom frequent common numer well much result also 有所 情况 双双 明显 数已 水准 水平 程度".split()
)
_BOTH = re.compile(r"\b(?:both|alike|as well|each)\b|双双|都|均|皆|同样", re.IGNORECASE)
# What a Chinese clause without a subject of its own begins with.
_COMPARES = re.compile(r"\W*(?:较|比|与|同比|环比|年|月|季|against|compared|up|down|but)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Told:
    """A clause of a source that says a way.

    Attributes:
        share: of what the claim's clause speaks of that it speaks of too.
        signs: the sign of each scale.
        text: what is shown of it.
        sure: it shares more than one word or number.
    """

    share: float
    signs: dict[str, int]
    text: str
    sure: bool


def way_finding(clause: Clause, passages: Sequence[Passage], sources: Sources) -> Finding | None:
    """A rise, where the clauses of the sources that speak most of the same thing tell of a fall.

    Args:
        clause: of the claim.
        passages: of the cited sources, those that may bear it out.
        sources: tell how rare a word is.
    """
    signs = only_way(clause)
    if not signs or clause.negations:
        return None
    said = ways(clause)
    words = [word for word in clause.terms if not says_way(word, said) and not _empty(word)]
    before = [one for one in clauses(clause.facts) if one.end <= clause.start]
    if not words and before:
        words = [one for one in before[-1].terms if not says_way(one, ways(before[-1])) and not _empty(one)]
    if not words:
        return None
    named = [name for name in clause.facts.names if clause.start <= name.start < clause.end]
    groups = [list(passages)]
    if len(named) > 1:
        # What is said of both is untrue if it is untrue of one; what sets one against the other names both.
        both = _BOTH.search(clause.text) is not None
        numbers = dict.fromkeys(one.document for one in passages)
        groups = [
            [one for one in passages if one.document == number and (both or _names_all(named, one))]
            for number in numbers
        ]
    for group in groups:
        for scale, sign in signs.items():
            told = [one for passage in group for one in _told(clause, words, passage, sources, scale)]
            if finding := _against(sign, scale, told, clause.facts.text[said[0].start : said[0].end]):
                return finding
    return None


def _against(sign: int, scale: str, told: Sequence[_Told], shown: str) -> Finding | None:
    """What is said against a claim by what is told, if nothing that is told nearly as surely agrees with it."""
    best = max(told, key=lambda one: one.share, default=None)
    if best is None or best.share < LIKELY or best.signs[scale] == sign:
        return None
    if any(one.signs[scale] == sign and one.share >= best.share - NEARLY for one in told):
        return None
    severity = "conflict" if best.share >= SURE and best.sure else "soft"
    return Finding(severity, f'the claim says "{shown}", the source the contrary: {best.text}')


def _names_all(names: Sequence[Name], passage: Passage) -> bool:
    return all(held(name.text, passage.facts.low) for name in names)


def _empty(word: Term) -> bool:
    return word.key in _EMPTY or bool(
        word.concepts & {"reach", "say", "year_on_year", "last_year", "more", "less"}
    )


def _told(
    clause: Clause, words: Sequence[Term], passage: Passage, sources: Sources, scale: str
) -> list[_Told]:
    found = []
    for part, signs in zip(passage.clauses, passage.ways, strict=True):
        if scale not in signs and (scale != "much" or len(passage.facts.quantities) < 2):
            continue
        whole = _with_subject(part, passage)
        if scale not in signs and scale == "much" and (moving := moved(part) or moved(whole)):
            signs = {"much": moving}
        if scale not in signs or _other_time(clause, whole) or _other_numbers(clause, whole):
            continue
        sign = signs[scale] * (-1 if turned(clause, part) else 1)
        share, kept = max(_share(clause, words, one, sources) for one in (part, whole))
        alone = _share(clause, words, part, sources)[1] == len(words) == 1 and len(part.terms) <= 4
        found.append(_Told(share, {scale: sign}, part.text.strip()[:80], kept > 1 or alone))
    return found


def _with_subject(part: Clause, passage: Passage) -> Clause:
    """A clause without a subject, with the one before it, which names what it goes on about."""
    before = [one for one in passage.clauses if one.end <= part.start]
    if not before or only_way(before[-1]):
        return part
    first = min((one.start for one in ways(part)), default=part.end)
    own = [word for word in part.terms if word.end <= first]
    if len(own) > 1 and not _COMPARES.match(part.text):
        return part
    return clause_of(part.facts, before[-1].start, part.end)


def _share(clause: Clause, words: Sequence[Term], other: Clause, sources: Sources) -> tuple[float, int]:
    """How much of some words another clause says, and how many of them it surely does."""
    keys = frozenset(word.key for word in other.terms)
    keys |= {f"#{concept}" for word in other.terms for concept in word.concepts}
    text = other.text.lower()
    pairs = frozenset(text[at : at + 2] for at in range(len(text) - 1)) if not text.isascii() else frozenset()
    named = {name.start for name in clause.facts.names}
    total = reached = 0.0
    kept = 0
    for word in words:
        # The clause before has often named whom it is about.
        weight = weight_of(word, sources) * (0.4 if word.start in named else 1.0)
        total += weight
        share = share_of(word, keys, pairs, text)
        reached += weight * share
        kept += share >= 0.5
    facts = any(
        matches(one, two) or _apart(one, other.quantities)
        for one in clause.quantities
        for two in other.quantities
    )
    years = {one.year for one in _years(clause.facts, clause)} & {
        one.year for one in _years(other.facts, other)
    }
    facts = facts or bool(years)
    return (reached / total if total else 0.0) + FACT * facts, kept + facts


def _other_numbers(clause: Clause, part: Clause) -> bool:
    """True if both tell numbers and none in common: one of them tells of something else."""
    mine = [one for one in clause.quantities if not one.soft]
    theirs = [one for one in part.quantities if not one.soft]
    return bool(mine and theirs) and not any(
        matches(one, two) or _apart(one, theirs) for one in mine for two in theirs
    )


def _apart(number: Quantity, others: Sequence[Quantity]) -> bool:
    """True if a number is by how much two of another clause differ."""
    return any(
        number.value > 0
        and {one.dimension, two.dimension, number.dimension} - {""} <= {number.dimension}
        and abs(abs(one.value - two.value) - number.value) < (0.05 if number.bound else 0.005) * number.value
        for one in others
        for two in others
        if one is not two
    )


def _other_time(clause: Clause, part: Clause) -> bool:
    """True if a clause tells of other years only."""
    mine = _years(clause.facts, clause)
    theirs = _years(part.facts, part)
    return bool(mine and theirs) and all(conflicts(one, two) for one in mine for two in theirs)


def _years(facts: Facts, part: Clause) -> list[Moment]:
    return [one for one in facts.moments if part.start <= one.start < part.end and one.year]
