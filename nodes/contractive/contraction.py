"""Do repeated answers draw together? Ratios of their distances, and why to stop. Pure.

For answers X_0, X_1, ... with d_n = d(X_{n+1}, X_n), a step contracts if q_n = d_n / d_{n-1} < 1; if all
q_n <= q < 1 the sequence converges (Banach 1922). A fixed point is where the answer came to rest, which does
not make it right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

State = TypeVar("State")
StopReason = Literal["fixed_point", "cycle", "diverging"]
TWICE = 2


def ratios(steps: Sequence[float]) -> list[float | None]:
    """q_n of every step but the first: d_n / d_{n-1}; None after a step of length 0, where it means nothing.

    Args:
        steps: d(X_{n+1}, X_n) in order, 0 to 1 each.

    Raises:
        ValueError: a length is negative or no number.
    """
    if any(not step >= 0 for step in steps):
        raise ValueError("A distance is a number of at least 0.")
    return [step / before if before else None for before, step in zip(steps, steps[1:], strict=False)]


def resampling_noise(distances: Sequence[float]) -> float:
    """The distance two samples of one and the same state have on average: a step below it tells nothing.

    Args:
        distances: of every two samples of that state; none for a single one, whose noise is taken as 0.
    """
    return sum(distances) / len(distances) if distances else 0.0


def contraction_stop(
    states: Sequence[State], distance: Callable[[State, State], float], eps: float
) -> StopReason | None:
    """Why iterating should stop after these answers, or None if it should go on.

    Args:
        states: the answers so far, oldest first.
        distance: of two of them, 0 to 1 and the same both ways.
        eps: at or below which two are one: the noise of resampling.

    Returns:
        fixed_point: the last two steps moved no further than eps.
        cycle: the last answers, two or more of them, were given before in the same order, and they differ.
        diverging: the last two steps were each at least as long as the step before, and longer than eps.
    """
    steps = [distance(one, other) for one, other in zip(states, states[1:], strict=False)]
    if len(steps) >= TWICE and all(step <= eps for step in steps[-TWICE:]):
        return "fixed_point"
    if _period(states, distance, eps):
        return "cycle"
    grown = [
        ratio is not None and ratio >= 1 and step > eps
        for ratio, step in zip(ratios(steps), steps[1:], strict=True)
    ]
    return "diverging" if len(grown) >= TWICE and all(grown[-TWICE:]) else None


def _period(states: Sequence[State], distance: Callable[[State, State], float], eps: float) -> int | None:
    """The length of the shortest run of at least two answers that the end gives twice."""
    for length in range(2, len(states) // 2 + 1):
        last, before = states[-length:], states[-2 * length : -length]
        if all(distance(one, other) <= eps for one, other in zip(last, before, strict=True)):
            return length
    return None
