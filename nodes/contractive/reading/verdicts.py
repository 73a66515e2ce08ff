"""What two answers are to each other, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["same", "different", "unknown"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two answers are to each other.

    Attributes:
        relation: same, different, or unknown.
        reason: why, in a few words.
        sure: follows from what both state; else a rule, a rounding or a model said so.
        likeness: probability that they say the same as their words tell it, 0 to 1; of unknown ones.
        apart: distance of the two, 0 to 1: see `distance`.
    """

    relation: Relation
    reason: str
    sure: bool = False
    likeness: float = 0.0
    apart: float = 1.0


def same(reason: str, *, sure: bool = True) -> Verdict:
    """They say the same."""
    return Verdict("same", reason, sure, 1.0, 0.0)


def different(reason: str, *, sure: bool = True, apart: float = 1.0) -> Verdict:
    """They say different things, `apart` from each other."""
    return Verdict("different", reason, sure, 0.0, apart)


def unknown(reason: str, alike: float) -> Verdict:
    """Code cannot tell; their words are that much alike."""
    return Verdict("unknown", reason, False, alike, 1.0 - alike)
