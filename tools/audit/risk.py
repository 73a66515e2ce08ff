"""How much each file deserves a look: five figures, each on a fixed scale, weighed and added.

The scales are fixed, so a file's score does not hang on what else is in the tree, and scores of two trees, or
of one tree at two times, can be compared. A figure x counts x / (x + half): `half` brings half of the points,
and nothing reaches all of them. The formula that a report shows is written from the constants used here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import get_args

from configs.audit import AuditSettings, RiskWeights
from tools.audit.figures import (
    ASSERTS,
    CONFIDENCES,
    CYCLE,
    SEVERITIES,
    SUPPRESSED,
    FileFacts,
    Term,
    facts_of,
)
from tools.audit.report import FileRisk, History, Metrics, Risk, RiskTerm, Scan, SecurityFinding

POINTS = 100.0
DIGITS = 4
SCORE_DIGITS = 2
HALVES: Mapping[Term, float] = {"complexity": 100.0, "changes": 25.0, "security": 10.0, "coupling": 20.0}
"""The figure of each term that brings half of its points; duplication is a share as it is."""
TERMS: tuple[Term, ...] = get_args(Term)


def risk(
    scan: Scan,
    metrics: Metrics,
    history: History,
    security: Sequence[SecurityFinding],
    settings: AuditSettings,
) -> Risk:
    """A score for each file, and how it is made. More of any figure never lowers a score."""
    weights = scaled(settings.risk)
    known = facts_of(scan, metrics, history, security)
    scored = [_scored(facts, weights) for facts in known.values()]
    code = sum(module.code_lines for module in scan.modules)
    total = math.fsum(one.score * known[one.place.file].module.code_lines for one in scored)
    return Risk(
        formula=formula(weights),
        files=tuple(sorted(scored, key=lambda one: (-one.score, one.place.file))),
        score=round(total / code, SCORE_DIGITS) if code else 0.0,
    )


def scaled(given: RiskWeights) -> dict[Term, float]:
    """The weights so that they are 100 together; all 0 if all of them are."""
    weights: dict[Term, float] = {term: getattr(given, term) for term in TERMS}
    total = math.fsum(weights.values())
    return {
        term: round(POINTS * weight / total, DIGITS) if total else 0.0 for term, weight in weights.items()
    }


def share_of(term: Term, figure: float) -> float:
    """The share of a term's weight that a figure brings, 0 to 1."""
    return round(figure if term not in HALVES else figure / (figure + HALVES[term]), DIGITS)


def _scored(facts: FileFacts, weights: Mapping[Term, float]) -> FileRisk:
    terms = {term: _term(term, facts, weights[term]) for term in TERMS}
    order = sorted(TERMS, key=lambda term: -terms[term].points)
    score = min(POINTS, round(math.fsum(term.points for term in terms.values()), SCORE_DIGITS))
    return FileRisk(place=facts.place(order[0]), score=score, terms=tuple(terms[term] for term in order))


def _term(term: Term, facts: FileFacts, weight: float) -> RiskTerm:
    figure = round(facts.figure(term), DIGITS)
    share = share_of(term, figure)
    return RiskTerm(
        name=term, measured=figure, share=share, weight=weight, points=round(share * weight, DIGITS)
    )


def formula(weights: Mapping[Term, float]) -> str:
    """How a score is made, with all constants in it, in lines."""
    severities = ", ".join(f"{name} {worth:g}" for name, worth in SEVERITIES.items())
    confidences = ", ".join(f"{name} {worth:g}" for name, worth in CONFIDENCES.items())
    terms = [f"{weights[term]:g} * {term} / ({term} + {half:g})" for term, half in HALVES.items()]
    terms.append(f"{weights['duplication']:g} * duplication")
    return "\n".join(
        (
            f"score = {' + '.join(terms)}",
            "complexity = cyclomatic + cognitive complexity, summed over the functions of the file",
            "changes = commits that changed the file",
            "security = sum over the rules with findings of worst * (1 + log2(number of findings)); worst is "
            f"the largest severity ({severities}) * confidence ({confidences}) among them, "
            f"* {SUPPRESSED:g} for one that a comment suppresses; {ASSERTS} (assert) does not count in tests",
            f"coupling = modules that import it + modules it imports + {CYCLE:g} for each cycle of imports "
            "that is closed when modules are loaded",
            "duplication = lines that stand elsewhere, too / lines",
            f"Figures, shares and points are rounded to {DIGITS} digits, scores to {SCORE_DIGITS}. "
            "The score of the tree is the mean of its files' scores, weighted by their lines of code.",
        )
    )
