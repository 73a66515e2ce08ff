"""How well confidences fit what was right: bins, Brier score (Brier, 1950), expected calibration error.

The error is that of Naeini, Cooper and Hauskrecht (2015): the distance between mean confidence and share of
right answers in each of ten bins of equal width, weighted by how many answers lie in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from evals.report.case import ReliabilityBin

BINS = 10
Shown = Sequence[tuple[float, bool]]
"""Pairs of a confidence, 0 to 1, and whether the answer was right."""


def reliability_bins(shown: Shown, bins: int = BINS) -> list[ReliabilityBin]:
    """The bins that hold answers, lowest confidence first; each holds its lower edge, the last one both."""
    held: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in shown:
        held.setdefault(min(int(confidence * bins), bins - 1), []).append((confidence, right))
    return [
        ReliabilityBin(
            low=number / bins,
            high=(number + 1) / bins,
            confidence=sum(confidence for confidence, _ in members) / len(members),
            right=sum(right for _, right in members) / len(members),
            n=len(members),
        )
        for number, members in sorted(held.items())
    ]


def brier_score(shown: Shown) -> float:
    """Mean squared distance of confidence and outcome, 0 (best) to 1.

    Raises:
        ValueError: there are no answers.
    """
    if not shown:
        raise ValueError("There are no answers to score.")
    return sum((confidence - right) ** 2 for confidence, right in shown) / len(shown)


def expected_error(shown: Shown) -> float:
    """Expected calibration error, 0 (best) to 1.

    Raises:
        ValueError: there are no answers.
    """
    if not shown:
        raise ValueError("There are no answers to score.")
    return sum(one.n * abs(one.confidence - one.right) for one in reliability_bins(shown)) / len(shown)
