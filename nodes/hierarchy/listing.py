"""The parts a question lists by its own wording: one for each of several files, names or clauses. Pure.

What is listed here is asked as it is written, and no model has to guess at it. A wording this module does not
know lists nothing, and the planner is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nodes.hierarchy.aims import Aim, aim_of_tail
from nodes.hierarchy.clauses import asks, clauses_of, is_elliptic, leans, sentences_of
from nodes.hierarchy.comparing import compared
from nodes.hierarchy.distributing import Spread, distributed, ranging, shared

LONGEST_QUESTION = 1500
"""Characters; longer ones are read by the planner."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One question that is listed.

    Attributes:
        question: to be asked by itself.
        name: what it is about, as it is told apart from the others; "" for a clause.
        needs: numbers of the questions before whose answers it needs; the first is 1.
    """

    question: str
    name: str = ""
    needs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """What a question lists.

    Attributes:
        parts: in order; none where files have to be looked up first.
        aims: what is to be made of the answers.
        spread: the files it asks something of each of, to be looked up; None where they are named.
        distributes: True if it says "each" or compares, so that one answer for all would be none.
    """

    parts: tuple[Listed, ...]
    aims: tuple[Aim, ...] = ()
    spread: Spread | None = None
    distributes: bool = False


def listing_of(question: str) -> Listing | None:
    """What a question lists; None if it is one question, or lists in words code does not know."""
    if len(question) > LONGEST_QUESTION:
        return None
    found = Listing(())
    sentences = sentences_of(question)
    for sentence in sentences:
        if len(sentences) > 1 and not asks(sentence):
            return None
        aim = aim_of_tail(sentence) if found.parts or found.spread else None
        told = Listing((), (aim,)) if aim is not None else _of_sentence(sentence)
        if told is None or (told.spread is not None and (found.parts or found.spread)):
            return None
        if found.spread is not None and told.parts:
            return None  # files of each of which something is asked, and something else besides
        found = _joined(found, told)
    several = len(found.parts) > 1 or found.spread is not None
    return found if several else None


def of_names(listing: Listing, names: Sequence[str]) -> Listing:
    """The listing with the files that were looked up in the place of its spread."""
    if listing.spread is None:
        return listing
    spread = listing.spread
    return replace(listing, parts=tuple(Listed(spread.about(name), name) for name in names), spread=None)


def _of_sentence(sentence: str) -> Listing | None:
    """What a sentence lists; a single part where it is one question, None where a clause says too little."""
    main, aims = _without_tails(sentence)
    ways: Sequence[Callable[[str], Listing | None]] = (_spread_over_names, _comparison, _spread_over_files)
    for way in ways:
        if (told := way(main)) is not None:
            return replace(told, aims=(*told.aims, *aims))
    every = [one for clause in clauses_of(main) for one in (shared(clause) or [clause])]
    if any(is_elliptic(one) for one in every):
        return None
    parts = tuple(
        Listed(one, needs=(number - 1,) if number > 1 and leans(one) else ())
        for number, one in enumerate(every, start=1)
    )
    return Listing(parts, aims)


def _without_tails(sentence: str) -> tuple[str, tuple[Aim, ...]]:
    """A sentence without the clauses at its end that speak of the answers, and what those want."""
    clauses = clauses_of(sentence)
    aims: list[Aim] = []
    while len(clauses) > 1 and (aim := aim_of_tail(clauses[-1])) is not None:
        aims.insert(0, aim)
        clauses.pop()
    if not aims:
        return sentence, ()
    end = sentence.index(clauses[-1]) + len(clauses[-1]) if len(clauses) > 1 else len(clauses[0])
    return sentence[:end].rstrip(" ,;"), tuple(aims)


def _spread_over_names(sentence: str) -> Listing | None:
    spread = distributed(sentence)
    if spread is None:
        return None
    parts = tuple(Listed(spread.about(name), name) for name in spread.names)
    return Listing(parts, distributes=True)


def _spread_over_files(sentence: str) -> Listing | None:
    spread = ranging(sentence)
    return None if spread is None else Listing((), spread=spread, distributes=True)


def _comparison(sentence: str) -> Listing | None:
    found = compared(sentence)
    if found is None:
        return None
    parts = tuple(Listed(question, name) for question, name in found.questions)
    return Listing(parts, (found.aim,), distributes=found.aim not in ("total", "average"))


def _joined(before: Listing, told: Listing) -> Listing:
    shift = len(before.parts)
    moved = [
        replace(part, needs=tuple(number + shift for number in part.needs) or _leaning(part, shift))
        for part in told.parts
    ]
    seen = {part.question.casefold() for part in before.parts}
    fresh = [part for part in moved if part.question.casefold() not in seen]
    return Listing(
        (*before.parts, *fresh),
        tuple(dict.fromkeys((*before.aims, *told.aims))),
        before.spread or told.spread,
        before.distributes or told.distributes,
    )


def _leaning(part: Listed, before: int) -> tuple[int, ...]:
    """The part right before it, for one that means something named there."""
    return (before,) if before and not part.name and leans(part.question) else ()
