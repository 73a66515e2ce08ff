"""To be completed: takes what it is given."""

from __future__ import annotations
from nodes.contractive.state import Verdict

RANGES = {
    "approved": (0.6, 1.0),
    "minor_revision": (0.4, 0.5999),
    "major_revision": (0.3, 0.3999),
    "reject": (0.0, 0.2999),
}


def clamped(verdict: Verdict, score: float | None) -> float:
    low, high = RANGES[verdict]
    return (low + high) / 2 if score is None else min(high, max(low, score))


def verdict_of(score: float) -> Verdict:
    return (
        "approved"
        if score >= 0.6
        else "minor_revision"
        if score >= 0.4
        else "major_revision"
        if score >= 0.3
        else "reject"
    )
