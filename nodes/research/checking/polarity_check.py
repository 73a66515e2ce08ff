"""Do claim and sources say the contrary of each other? Clause by clause. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.research.checking.alignment import Finding
from nodes.research.checking.clause_matching import best_match
from nodes.research.checking.clauses import Clause, clause_of, clauses
from nodes.research.checking.direction_check import opposite
from nodes.research.checking.facts import Facts
from nodes.research.checking.negation_check import denial
from nodes.research.checking.sources import Passage, Sources
from nodes.research.checking.way_check import way_finding


def polarity_findings(claim: Facts, passages: Sequence[Passage], sources: Sources) -> list[Finding]:
    """Where claim and sources say the contrary of each other.

    Args:
        claim: the claim.
        passages: of the cited sources, those that may bear it out, best first.
        sources: all sources.
    """
    found = []
    parts = clauses(claim)
    for clause in _with_subjects(parts):
        matches = best_match(clause, passages, sources)
        finding = denial(clause, matches, parts) or opposite(clause, matches)
        if finding is None or finding.severity == "soft":
            finding = way_finding(clause, passages, sources) or finding
        if finding:
            found.append(finding)
    return found


def _with_subjects(parts: Sequence[Clause]) -> list[Clause]:
    """The clauses of a claim; one of a single word with the one before it, which names what it is about: 没有搬迁."""
    found = []
    for at, part in enumerate(parts):
        told = [
            word
            for word in part.terms
            if not any(one.start <= word.start < one.end for one in part.negations)
        ]
        alone = at > 0 and len(told) < 2 and not part.quantities and part.negations
        found.append(clause_of(part.facts, parts[at - 1].start, part.end) if alone else part)
    return found
