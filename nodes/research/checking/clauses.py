"""The clauses of a sentence: the parts that state something by themselves. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.research.checking.facts import Facts
from nodes.research.checking.negation import Negation
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.terms import Term

# Where one statement ends and another begins. A comma inside a number has no space after it, one in Chinese may.
_END = re.compile(
    r"[;:。；：，!?！？()—]|(?<!\d),|,(?!\d)|\s[-–]\s|(?<=[a-z0-9%])\s+(?=(?:but|while|whereas|although|though|because|however|and (?:not|no|never|did|was|were|is|are|has|had|will)|which|who)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that states something by itself.

    Attributes:
        facts: of its sentence.
        start: offset of its first character there.
        end: offset after its last one.
        terms: its words.
        quantities: its numbers.
        negations: the words of it that say "not".
    """

    facts: Facts
    start: int
    end: int
    terms: tuple[Term, ...]
    quantities: tuple[Quantity, ...]
    negations: tuple[Negation, ...]

    @property
    def text(self) -> str:
        """As written."""
        return self.facts.text[self.start : self.end]


def clauses(facts: Facts) -> list[Clause]:
    """The clauses of a sentence, in order; a part without two words or numbers of its own belongs to the one after it."""
    bounds, start = [], 0
    for match in _END.finditer(facts.text):
        if _counts(facts, start, match.start()) < 2:
            continue
        bounds.append((start, match.start()))
        start = match.end()
    if _counts(facts, start, len(facts.text)) < 2 and bounds:
        bounds[-1] = (bounds[-1][0], len(facts.text))
    else:
        bounds.append((start, len(facts.text)))
    return [clause_of(facts, first, last) for first, last in bounds]


def _counts(facts: Facts, start: int, end: int) -> int:
    numbers = sum(start <= number.start < end for number in facts.quantities if not number.soft)
    return numbers + sum(start <= word.start < end for word in facts.terms)


def clause_of(facts: Facts, start: int, end: int) -> Clause:
    """The part of a sentence between two offsets."""
    return Clause(
        facts,
        start,
        end,
        tuple(word for word in facts.terms if start <= word.start < end),
        tuple(number for number in facts.quantities if start <= number.start < end),
        tuple(one for one in facts.negations if start <= one.start < end),
    )


def segments(facts: Facts) -> list[tuple[int, int]]:
    """The parts of a sentence that one source each may bear out: its clauses, cut again after each number.

    "From 312 cases in August to 1,874 in October" takes its two numbers from two reports.
    """
    found = []
    for clause in clauses(facts):
        start = clause.start
        counted = [number for number in clause.quantities if not number.soft]
        for number in counted[:-1]:
            found.append((start, number.end))
            start = number.end
        found.append((start, clause.end))
    # What stands between two clauses belongs to the later one.
    return [(found[at - 1][1] if at else 0, end) for at, (_, end) in enumerate(found)]
