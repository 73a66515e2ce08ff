"""How much of what a clause of a claim says each clause of the sources says. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nodes.research.checking.alignment import View
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, holds
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Passage
from nodes.research.checking.subject_clauses import Clause
from nodes.research.checking.terms import Term

# A clause with the claim's own subject that fits nearly as well as the best one clears the claim.
MARGIN = 0.15
# A number weighs as much as a rare word.
NUMBER = 3.0
# How many passages a claim's judgement ranks, and how many of them are looked at.
RANKED, LIKELY = 24, 5
_TIME = re.compile(r"(?<![\d.])\d+:\d\d(?:[:.]\d+)*")


@dataclass(frozen=True, slots=True)
class Fit:
    """A clause of a source beside one of the claim.

    Attributes:
        clause: of the source.
        passage: that it stands in.
        share: how much of what the claim's clause says it says, 0 to 1.
        weight: of what it says of that.
        numbers: which of the claim's numbers it has.
    """

    clause: Clause
    passage: Passage
    share: float
    weight: float
    numbers: frozenset[str]

    @property
    def text(self) -> str:
        """The clause."""
        return self.passage.facts.text[self.clause.start : self.clause.end]


def best_of(found: Sequence[Fit]) -> Fit:
    """The one with most of the claim's numbers, and of those with most of its words."""
    return max(found, key=lambda one: (len(one.numbers), one.share))


@dataclass(frozen=True, slots=True)
class _Said:
    """What a clause of a claim says."""

    words: list[tuple[Term, float]]
    numbers: list[Quantity]
    times: list[str]
    dates: list[Moment]

    @property
    def weight(self) -> float:
        counted = len(self.numbers) + len(self.times) + len(self.dates)
        return sum(weight for _, weight in self.words) + NUMBER * counted

    @property
    def telling(self) -> float:
        """How many things it says that others do not."""
        words = sum(0.5 if "say" in word.concepts else 1 for word, _ in self.words)
        long = sum(len(re.sub(r"\D", "", one.text)) > 2 for one in self.numbers)
        return words + len(self.numbers) + len(self.times) + long


def fits(claim: Facts, part: Clause, view: View, cited: Sequence[Passage]) -> list[Fit]:
    """The clauses of the passage and its like, with how much each holds of what a clause of the claim says.

    Args:
        claim: the claim.
        part: one of its clauses.
        view: the passage it may rest on.
        cited: every passage of the cited sources; those that fit best or hold its numbers are looked at too.
    """
    said = _said(claim, part, view)
    if said.telling < (1 if part.speaks else 2) or not said.weight:
        return []
    found = []
    for passage in _passages(claim, view, said.numbers, cited):
        sentence = view.sources.documents[passage.document].chain.sentences[passage.number]
        for clause in [*sentence, *_joined(sentence)]:
            fit = _fit(said, clause, passage)
            if fit.share:
                found.append(fit)
    return found


def _said(claim: Facts, part: Clause, view: View) -> _Said:
    title = view.document.about
    words = [
        (word, _weight(word, title, view))
        for word in claim.terms
        if part.start <= word.start < part.end
        and not any(one.start <= word.start < one.end for one in part.mentions)
    ]
    numbers = [
        one
        for one in claim.quantities
        if part.start <= one.start < part.end
        and not one.soft
        and one.text.strip().lower() not in title
        and not any(term.start <= one.start < term.end for term in claim.quotations)
    ]
    dates = [one for one in claim.moments if part.start <= one.start < part.end and not one.empty]
    return _Said(words, numbers, _TIME.findall(claim.text[part.start : part.end]), dates)


def _fit(said: _Said, clause: Clause, passage: Passage) -> Fit:
    facts = passage.facts
    here = [one for one in facts.quantities if clause.start <= one.start < clause.end]
    same = {one.text for one in said.numbers if any(matches(one, other) for other in here)}
    same |= {time for time in said.times if time in facts.text[clause.start : clause.end]}
    reached = sum(_share(word, facts, clause) * weight for word, weight in said.words)
    dated = sum(
        any(holds(one, other, ()) for other in facts.moments if clause.start <= other.start < clause.end)
        for one in said.dates
    )
    weight = reached + NUMBER * (len(same) + dated)
    return Fit(clause, passage, weight / said.weight, weight, frozenset(same))


def _weight(word: Term, title: str, view: View) -> float:
    # What the title says is what every sentence is about; words of saying tell little of what is said.
    return view.sources.weight(word.key) * (0.3 if word.key in title or "say" in word.concepts else 1.0)


def _joined(sentence: Sequence[Clause]) -> list[Clause]:
    """Neighbouring clauses that tell of the same, as one."""
    found = []
    for at, clause in enumerate(sentence):
        last = clause
        for other in sentence[at + 1 :]:
            if not clause.owners or [one.name for one in other.owners] != [one.name for one in clause.owners]:
                break
            last = other
        if last is not clause:
            found.append(replace(clause, end=last.end, open=last.open))
    return found


def _passages(
    claim: Facts, view: View, numbers: Sequence[Quantity], cited: Sequence[Passage]
) -> list[Passage]:
    """The passage, those that fit the claim best, and those with its numbers."""
    found = {id(view.core): view.core}
    ranked = view.sources.best(claim, {one.document for one in cited}, limit=RANKED) if cited else []
    found |= {id(one): one for _, one in ranked[:LIKELY]}
    for passage in cited:
        if any(matches(number, one) for number in numbers for one in passage.facts.quantities):
            found[id(passage)] = passage
    return list(found.values())


def _share(word: Term, facts: Facts, clause: Clause) -> float:
    """How far a clause says a word."""
    for one in facts.terms:
        inside = clause.start <= one.start < clause.end and not any(
            name.start <= one.start < name.end for name in clause.mentions
        )
        if inside and (one.key == word.key or one.concepts & word.concepts):
            return 1.0
    if word.key.isascii():
        return 0.0
    text = facts.low[clause.start : clause.end]
    if word.key in text:
        return 1.0
    parts = [word.key[at : at + 2] for at in range(len(word.key) - 1)]
    return sum(part in text for part in parts) / len(parts) if parts else 0.0
