"""Do claim and sources say the contrary of each other? Clause by clause. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.research.checking.alignment import Finding
from nodes.research.checking.clause_matching import best_match
from nodes.research.checking.clauses import clauses
from nodes.research.checking.direction_check import opposite
from nodes.research.checking.facts import Facts
from nodes.research.checking.negation_check import denial
from nodes.research.checking.sources import Passage, Sources


def polarity_findings(claim: Facts, passages: Sequence[Passage], sources: Sources) -> list[Finding]:
    """Where claim and sources say the contrary of each other.

    Args:
        claim: the claim.
        passages: of the cited sources, those that may bear it out, best first.
        sources: all sources.
    """
    found = []
    for clause in clauses(claim):
        matches = best_match(clause, passages, sources)
        if finding := denial(clause, matches) or opposite(clause, matches):
            found.append(finding)
    return found
