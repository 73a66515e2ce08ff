"""How sure a report is: a level and a score, both computed from what was checked. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nodes.research.passages import coverage, query_terms, terms
from nodes.research.state import ConfidenceLevel, ResearchState, Source
from nodes.research.writer import lower_of

TIER_WORTH: Mapping[int, float] = {1: 1.0, 2: 0.85, 3: 0.6, 4: 0.4, 5: 0.25, 0: 0.4}
SOCIAL = 5
# Score at most, by level, so that both say the same.
CEILING: Mapping[ConfidenceLevel, int] = {"High": 100, "Medium": 79, "Low": 49}
CORROBORATED = 3
# Shares of the checked sentences that could stay.
LEAST_KEPT, MOSTLY_KEPT = 0.5, 0.85
WEIGHTS = (0.4, 0.2, 0.2, 0.2)


@dataclass(frozen=True)
class Assessed:
    """A level, a score from 0 to 100, and why the level is not higher."""

    level: ConfidenceLevel
    score: int
    reasons: list[str]


def assessed(state: ResearchState, report: str, cited: Sequence[Source]) -> Assessed:
    """Confidence in a report.

    Args:
        state: at the end of the run.
        report: its words.
        cited: sources it cites.
    """
    supported = sum(finding.verdict == "supported" for finding in state.findings)
    lost = sum(finding.action == "dropped" for finding in state.removed)
    share = supported / max(1, supported + lost)
    level, reasons = state.confidence_level, list[str]()
    for cap, reason in _caps(state, cited, share):
        reasons.append(reason)
        level = lower_of(level, cap)
    wanted = query_terms(state.query)
    covered = coverage(report, dict.fromkeys(wanted, 1.0)) if wanted and terms(report) else 0.0
    worth = sum(TIER_WORTH.get(source.tier, 0.4) for source in cited) / max(1, len(cited))
    corroborated = min(1.0, len({source.digest for source in cited}) / CORROBORATED)
    raw = sum(
        weight * part for weight, part in zip(WEIGHTS, (share, worth, corroborated, covered), strict=True)
    )
    return Assessed(level, min(CEILING[level], round(100 * raw)), reasons)


def _caps(state: ResearchState, cited: Sequence[Source], share: float) -> list[tuple[ConfidenceLevel, str]]:
    """Levels that are not exceeded, each with the reason."""
    missing = state.analysis.missing_information if state.analysis is not None else []
    tiers = {source.tier for source in cited}
    rules: list[tuple[bool, ConfidenceLevel, str]] = [
        (state.rejected, "Low", "The critic rejected the last draft."),
        (share < LEAST_KEPT, "Low", "Most sentences of the report had to be taken out."),
        (LEAST_KEPT <= share < MOSTLY_KEPT, "Medium", "Some sentences of the report had to be taken out."),
        (tiers == {SOCIAL}, "Low", "It rests on social media alone."),
        (tiers != {SOCIAL} and not tiers & {1, 2}, "Medium", "No source of tier 1 or 2 is cited."),
        (len({source.digest for source in cited}) < 2, "Medium", "It rests on a single source."),
        (any(claim.disputed for claim in state.contradictions), "Medium", "Sources disagree."),
        (state.extractive or not state.judges, "Medium", "Sentences were copied; no model judged the whole."),
        (
            state.review is not None and state.review.status == "WARN",
            "Medium",
            "The critic let the draft pass with reservations.",
        ),
        (bool(missing), "Medium", "The sources do not tell everything that was asked."),
    ]
    return [(level, reason) for holds, level, reason in rules if holds]
