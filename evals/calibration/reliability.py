"""How well confidences fit what was right: bins, Brier score (Brier, 1950), expected calibration error.

The error is that of Naeini, Cooper and Hauskrecht (2015): the distance between mean confidence and share of
right answers in each of ten bins of equal width, weighted by how many answers lie in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from statistics import mean

from evals.report.case import ReliabilityBin

BINS = 10
Shown = Sequence[tuple[float, bool]]
"""Pairs of a confidence, 0 to 1, and whether the answer was right."""


def reliability_bins(shown: Shown, bins: int = BINS) -> list[ReliabilityBin]:
    """The bins that hold answers, lowest confidence first; each holds its lower edge, the last one both."""
    # Edges are compared, not computed back from a product, and means are exact before they are rounded:
    # otherwise three answers at 0.7 have a mean just below 0.7 and lie outside of their own bin.
    edges = [number / bins for number in range(bins + 1)]
    held: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in shown:
        held.setdefault(min(bisect_right(edges, confidence), bins) - 1, []).append((confidence, right))
    return [
        ReliabilityBin(
            low=edges[number],
            high=edges[number + 1],
            confidence=mean(confidence for confidence, _ in members),
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
