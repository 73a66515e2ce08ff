"""Does the source say more where the claim says more, north where it says north? Clause by clause. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.research.checking.alignment import Finding, distance
from nodes.research.checking.clause_matching import Match, holds_word, matched_numbers
from nodes.research.checking.clauses import Clause
from nodes.research.checking.concepts import opposites_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.names import held
from nodes.research.checking.negation import negated
from nodes.research.checking.negation_check import LIKELY, NEARLY, NEARLY_ALL, SURE
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.terms import Term
from nodes.research.checking.ways import graded, turned

# Numbers two clauses share, as the one and the other write them.
Pairs = Sequence[tuple[Quantity, Quantity]]
# With these the two sides may change places: "A beat B" is "B lost to A".
_TURNS = frozenset("win lose buy sell more less before after high low".split())
# Poles too common as parts of other words to be judged from one appearance.
_WEAK = frozenset("open close start end first last support positive negative large small high low keep more less before after public private local domestic foreign north south east west urban rural old young fast slow strong weak join leave early delay".split())  # fmt: skip


def opposite(clause: Clause, matches: Sequence[Match]) -> Finding | None:
    """A word of the claim's clause in whose place the source has the contrary: rose, fell; north, south.

    Args:
        clause: of the claim.
        matches: the sources' clauses that say a part of it, see `best_match`.
    """
    for match in matches[:3]:
        if match.strength < max(LIKELY, matches[0].strength - NEARLY):
            break
        if _counted(clause) and _counted(match.clause) and not matched_numbers(clause, match.clause):
            # "Margins rose 1.9 points" is not contradicted by what fell 2.3.
            continue
        for word in clause.terms:
            for concept in sorted(word.concepts):
                opposite = opposites_of(concept)
                if not opposite or opposite & word.concepts:
                    continue
                if theirs := _turned(word, concept, opposite, clause, match):
                    said = clause.facts.text[word.start : word.end]
                    told = match.clause.facts.text[theirs.start : theirs.end]
                    return Finding("conflict", f'the source says "{told}" where the claim says "{said}"')
    return None


def _counted(clause: Clause) -> bool:
    return any(not number.soft for number in clause.quantities)


def _turned(word: Term, concept: str, opposite: frozenset[str], clause: Clause, match: Match) -> Term | None:
    """The source's word that says the contrary of the claim's in its place, if there is one."""
    other = match.clause
    if _bound(word, clause, other):
        return None
    told = [one for one in other.terms if not _bound(one, other, clause)]
    contrary = [one for one in told if opposite & one.concepts and not one.concepts & word.concepts]
    if not contrary or any(opposite & one.concepts for one in clause.terms if one is not word):
        return None
    if any(negated(one, list(other.negations), list(other.terms)) for one in contrary):
        return None
    if negated(word, list(clause.negations), list(clause.terms)):
        return None
    if turned(clause, other) or (concept in _TURNS and _names_turned(clause.facts, other.facts)):
        return None
    numbers = sorted(
        matched_numbers(clause, other),
        key=lambda pair: distance(clause.facts.text, word.start, pair[0].start),
    )
    same = [one for one in told if word.concepts & one.concepts]
    if same:
        return _nearer(word, contrary, same, numbers, clause, other)
    if concept in _WEAK:
        return contrary[0] if _same_place(word, contrary, clause, other, numbers) else None
    if numbers:
        theirs = numbers[0][1].start
        near = min(contrary, key=lambda one: distance(other.facts.text, one.start, theirs))
        limit = 60 if other.facts.text.isascii() else 24
        if match.strength < NEARLY_ALL and distance(other.facts.text, near.start, theirs) >= limit:
            return None
        return near
    return contrary[0] if match.strength >= SURE else None


def _bound(word: Term, clause: Clause, other: Clause) -> bool:
    """True of "over" in "over 65", which bounds a number, and of "more" in "more cautious"."""
    if word.concepts & {"more", "less"} and graded(clause.facts.text, word.end):
        grades = next((one for one in clause.terms if one.start > word.start), word)
        return not holds_word(grades, other)
    return any(
        number.bound in ("min", "max") and 0 <= number.start - word.end <= 1 for number in clause.quantities
    )


def _nearer(
    word: Term,
    contrary: Sequence[Term],
    same: Sequence[Term],
    numbers: Pairs,
    clause: Clause,
    other: Clause,
) -> Term | None:
    """Where a source has both words: the contrary one, if it stands at the number the claim's stands at."""
    if not numbers:
        return None
    mine, theirs = numbers[0][0].start, numbers[0][1].start
    if distance(clause.facts.text, word.start, mine) >= (40 if clause.facts.text.isascii() else 16):
        return None
    near = min(contrary, key=lambda one: distance(other.facts.text, one.start, theirs))
    to_same = min(distance(other.facts.text, one.start, theirs) for one in same)
    return near if distance(other.facts.text, near.start, theirs) + 6 < to_same else None


def _same_place(word: Term, contrary: Sequence[Term], clause: Clause, other: Clause, numbers: Pairs) -> bool:
    """True if what stands beside the word in the claim stands beside its contrary in the source."""
    reach = 24 if clause.facts.text.isascii() else 8
    if numbers:
        mine, theirs = numbers[0]
        if distance(clause.facts.text, word.start, mine.start) < reach and any(
            distance(other.facts.text, one.start, theirs.start) < reach for one in contrary
        ):
            return True
    # Chinese words are shorter: 比上一季同期还要高, 低于上一季同期.
    beyond = 1 if clause.facts.text.isascii() else 3
    at = clause.terms.index(word)
    beside = [one for one in clause.terms[max(0, at - beyond) : at + beyond + 1] if one is not word]
    for one in contrary:
        place = other.terms.index(one)
        around = [two for two in other.terms[max(0, place - beyond) : place + beyond + 1] if two is not one]
        if any(two.key == mine.key or two.concepts & mine.concepts for two in around for mine in beside):
            return True
    return False


def _names_turned(claim: Facts, source: Facts) -> bool:
    """True if two names stand in one order here and in the other there."""
    shared = [
        (name, other)
        for name in claim.names
        for other in source.names
        if held(name.text, other.text.lower()) or held(other.text, name.text.lower())
    ]
    starts = [other.start for _, other in shared]
    return len(starts) > 1 and starts != sorted(starts)
