"""Verdicts of reviews and the scores that go with them. Pure.

A verdict is a word of the schema, never something read out of prose: "not incorrect" is no reject.
"""

from __future__ import annotations

from math import isnan, nextafter

from nodes.contractive.state import VERDICTS, Verdict

BORDERS: dict[Verdict, tuple[float, float]] = {
    "approved": (0.6, 1.0),
    "minor_revision": (0.4, nextafter(0.6, 0.0)),
    "major_revision": (0.3, nextafter(0.4, 0.0)),
    "reject": (0.0, nextafter(0.3, 0.0)),
}
"""Lowest and highest score of each; the upper border belongs to the better verdict."""


def verdict_of(score: float) -> Verdict:
    """The verdict a score comes to.

    Args:
        score: 0 to 1.

    Raises:
        ValueError: it is not a number, or lies outside.
    """
    if isnan(score) or not 0.0 <= score <= 1.0:
        raise ValueError(f"A score lies in 0 to 1, and {score} does not; have the review give one that does.")
    return next(verdict for verdict in VERDICTS if score >= BORDERS[verdict][0])


def peer_review_of(score: float, verdict: Verdict) -> tuple[Verdict, float]:
    """What a peer's reply counts as: its verdict binds, its score is brought into that verdict's range.

    Args:
        score: as the peer gave it; one beyond 0 to 1 counts as the nearer end.
        verdict: one of the schema's words.

    Returns:
        The verdict and a score that `verdict_of` reads as it.

    Raises:
        ValueError: the score is not a number, or the verdict no word of the schema.
    """
    if isnan(score):
        raise ValueError("A peer's score is not a number; count its answer as no review.")
    if verdict not in BORDERS:
        raise ValueError(f"`{verdict}` is no verdict; there are: {', '.join(VERDICTS)}.")
    low, high = BORDERS[verdict]
    return verdict, min(max(score, low), high)


def middle_of(verdict: Verdict) -> float:
    """The score of a verdict that came without one: the middle of its range."""
    low, high = BORDERS[verdict]
    return (low + high) / 2
