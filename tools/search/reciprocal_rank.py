"""What a place in an order of results is worth when several orders are made one."""

from __future__ import annotations

K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""


def reciprocal_rank(place: int) -> float:
    """The worth of a place, the first of which is 1."""
    return 1 / (K + place)
