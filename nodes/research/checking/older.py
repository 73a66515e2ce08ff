"""A claim beside the older source it rests on, and whether a newer passage speaks of the same. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from nodes.research.checking.alignment import View, coverage
from nodes.research.checking.attributes import (
    Attribute,
    attribute,
    strict,
)
from nodes.research.checking.facts import Facts
from nodes.research.checking.matching import matches
from nodes.research.checking.moment import Moment, conflicts
from nodes.research.checking.name_roles import person
from nodes.research.checking.names import held
from nodes.research.checking.other_numbers import far
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.sources import Document, Passage, Sources
from nodes.research.checking.timing import Timing, gone
from nodes.research.checking.topics import Topics

# Share of a claim's words from which on a passage may give a value of the same.
SAME_PASSAGE = 0.3


@dataclass(frozen=True, slots=True)
class Older:
    """A claim, the older source it rests on, and what a newer one is looked for in."""

    claim: Facts
    document: Document
    written: date
    timing: Timing
    subject: frozenset[str]
    sources: Sources
    topics: Topics

    def attribute(self, passage: Passage, start: int = 0, end: int = 0) -> Attribute:
        """What the claim says, or of what it gives the value between two offsets, beside a newer passage."""
        titles = [self.document.about, self.sources.documents[passage.document].about]
        return attribute(self.claim, start, end, self.subject, titles)

    def attributes(self, value: Quantity, passage: Passage) -> list[Attribute]:
        """What the claim gives a number of, in its own words and in those of the source it rests on."""
        found = [
            self.attribute(passage, value.start, value.end),
            strict(self.claim, value.start, value.end, self.subject),
        ]
        found += [strict(facts, one.start, one.end, self.subject) for facts, one in self._wordings(value)]
        return [found[0], *(told for told in found[1:] if told.words)]

    def _wordings(self, value: Quantity) -> list[tuple[Facts, Quantity]]:
        """The sentence of the older source that gives a number, and the number there."""
        found = [
            (coverage(self.claim, [one.facts], "", self.sources), one.facts, other)
            for one in self.document.passages
            for other in one.facts.quantities
            if other.dimension == value.dimension
            and (matches(value, other) or (value.soft and not far(value, other)))
        ]
        best = max(found, key=lambda each: each[0], default=None)
        return [best[1:]] if best and best[0] >= SAME_PASSAGE else []

    @property
    def ahead(self) -> list[Moment]:
        """Dates of the claim that were still to come when its source was written."""
        return [
            moment
            for moment in self.claim.moments
            if moment.year and not moment.relative and not gone(moment, self.written)
        ]


def another_period(older: Older, passage: Passage) -> bool:
    """True if the two sources report on different quarters, halves or seasons."""
    if older.timing == "now":
        return False
    newer = older.sources.documents[passage.document]
    pair = [_periods(older.document), _periods(newer)]
    return bool(pair[0] and pair[1]) and not any(
        not conflicts(one, two) for one in pair[0] for two in pair[1]
    )


def _periods(document: Document) -> list[Moment]:
    first = document.passages[:2]
    return [one for part in first for one in part.facts.moments if one.quarter or one.half]


def of_another(older: Older, passage: Passage, start: int, end: int) -> bool:
    """True if a part of a passage is about one that neither the claim nor its source's title names."""
    claim, facts = older.claim, passage.facts
    document = older.sources.documents[passage.document]
    if any(held(name.text, facts.low) for name in claim.names) or document.chinese:
        return False
    for name in facts.names:
        if not start <= name.start < end:
            continue
        if not name.sure or held(name.text, claim.low) or held(name.text, older.document.about):
            continue
        if held(name.text, document.about):
            continue
        view = View(passage, document, older.sources)
        if not person(name, view) and (
            name.start < start + 30 or re.search(r"\b(?:in|at|of|for) (?:the )?$", facts.text[: name.start])
        ):
            return True
    return False
