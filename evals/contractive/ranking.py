"""How well a score tells two classes apart: the area under the ROC curve, with ties."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def auroc(scored: Sequence[tuple[float, bool]]) -> float | None:
    """Probability that a positive has a higher score than a negative, ties counted half.

    This is the statistic of Mann and Whitney over the number of pairs (Hanley and McNeil, 1982).

    Args:
        scored: score and whether it is a positive.

    Returns:
        0 to 1, 0.5 for chance; None without both classes.
    """
    positives = [score for score, positive in scored if positive]
    negatives = sorted(score for score, positive in scored if not positive)
    if not positives or not negatives:
        return None
    wins = sum(bisect_left(negatives, score) + bisect_right(negatives, score) for score in positives)
    return wins / (2 * len(positives) * len(negatives))
