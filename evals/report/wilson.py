"""Wilson's interval of a share: for few cases, and for shares at 0 or 1, where the bootstrap has no width."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson_interval(hits: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """The ends, low and high, of the score interval of a share (Wilson, 1927, JASA 22, 209-212).

    Args:
        hits: cases for which something is true.
        of: all cases, at least one; they are taken as independent of each other.
        level: how often such an interval holds the true share, between 0 and 1.

    Raises:
        ValueError: there are no cases, more hits than cases, or a level that is no share.
    """
    if not 0 <= hits <= of or of < 1:
        raise ValueError(f"{hits} of {of} is no share; give 0 to N hits of N cases, N at least 1.")
    if not 0 < level < 1:
        raise ValueError(f"{level} is no level; give a number between 0 and 1, such as 0.95.")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, scale = hits / of, 1 + z * z / of
    middle = (share + z * z / (2 * of)) / scale
    half = z / scale * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    # At the ends rounding would miss the bound by a few units of the last place.
    return (0.0 if hits == 0 else middle - half, 1.0 if hits == of else middle + half)
