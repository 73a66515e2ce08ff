"""What a check of an answer found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, and what would mend it.

    Attributes:
        issue: what is wrong, in words for people.
        advice: one sentence a small model can follow.
        factor: what the score is multiplied by, 0 to 1; 0 for a hard fault.
    """

    issue: str
    advice: str
    factor: float
