"""Which clause of the sources says most of what a claim's clause says. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nodes.research.checking.alignment import share_of, weight_of
from nodes.research.checking.clauses import Clause
from nodes.research.checking.matching import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.terms import Term

# What a number weighs beside words, of which a rare one weighs about 5.
SAME_NUMBER = 8.0
OTHER_NUMBER = 4.0
NAME_WEIGHT = 0.3
# What two rare words weigh together.
ENOUGH = 8.0


@dataclass(frozen=True, slots=True)
class Match:
    """A clause of a source beside the claim's.

    Attributes:
        clause: of the source.
        passage: it stands in.
        share: of the claim's clause that it says, 0 to 1.
        back: of it that the claim's clause says, 0 to 1; less for a clause of hardly a word.
    """

    clause: Clause
    passage: Passage
    share: float
    back: float

    @property
    def strength(self) -> float:
        """How surely both speak of the same, 0 to 1."""
        return max(self.share, 0.9 * self.back)


def best_match(clause: Clause, passages: Iterable[Passage], sources: Sources) -> list[Match]:
    """The clauses of some passages that say a part of another, those that say most first."""
    found = []
    for passage in passages:
        for one in passage.clauses:
            share = said(clause, one, sources)
            counted = bool(clause.quantities)
            back = said(one, clause, sources, counted) * min(1.0, _weighs(one, sources, counted) / ENOUGH)
            if max(share, back) > 0.2:
                found.append(Match(one, passage, share, back))
    return sorted(found, key=lambda match: -match.strength)


def _weighs(clause: Clause, sources: Sources, counted: bool) -> float:
    """How much there is in a clause to be said by another."""
    numbers = SAME_NUMBER * (counted and bool(clause.quantities))
    return numbers + sum(_weight(word, clause, sources) for word in clause.terms)


def _weight(word: Term, clause: Clause, sources: Sources) -> float:
    named = any(name.start <= word.start < name.end for name in clause.facts.names)
    return weight_of(word, sources) * (NAME_WEIGHT if named else 1.0)


def said(clause: Clause, other: Clause, sources: Sources, counted: bool = True) -> float:
    """The share of a clause's words and numbers another says.

    Names weigh little: the clause before has often named whom it is about.

    Args:
        clause: whose words are looked for.
        other: where they are looked for.
        sources: tell how rare a word is.
        counted: its numbers are looked for too.
    """
    keys = frozenset(word.key for word in other.terms) | {
        f"#{concept}" for word in other.terms for concept in word.concepts
    }
    text = other.text.lower()
    pairs = frozenset(text[at : at + 2] for at in range(len(text) - 1)) if not text.isascii() else frozenset()
    total = reached = 0.0
    for word in clause.terms:
        weight = _weight(word, clause, sources)
        total += weight
        reached += weight * share_of(word, keys, pairs, text)
    for number in clause.quantities if counted else ():
        if number.soft:
            continue
        same = any(matches(number, one) for one in other.quantities)
        total += SAME_NUMBER if same else OTHER_NUMBER
        reached += SAME_NUMBER * same
    return reached / total if total else 0.0


def holds_word(word: Term, clause: Clause) -> bool:
    """True if a clause has a word, or one that says the same."""
    return any(_alike(word, one) for one in clause.terms)


def like(word: Term, clause: Clause) -> list[Term]:
    """The words of a clause that say what a word says."""
    return [one for one in clause.terms if _alike(word, one)]


def _alike(one: Term, other: Term) -> bool:
    if one.key == other.key or one.concepts & other.concepts:
        return True
    if one.key.isascii() or other.key.isascii():
        return False
    # 动用 and 动用了, 起诉 and 提起诉讼: written as one word here and as a part of a longer one there.
    return len(one.key) > 1 and len(other.key) > 1 and (one.key in other.key or other.key in one.key)


def matched_numbers(one: Clause, other: Clause) -> list[tuple[Quantity, Quantity]]:
    """The numbers two clauses share, as the one and the other write them."""
    return [
        (mine, theirs)
        for mine in one.quantities
        for theirs in other.quantities
        if not mine.soft and matches(mine, theirs)
    ]
