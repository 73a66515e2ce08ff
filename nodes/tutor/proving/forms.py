"""Which subjects, values, units and scopes belong to which predicate."""

from __future__ import annotations

from nodes.tutor.claims import Claim


def problem_of(claim: Claim) -> str | None:
    """What is wrong with a claim's form, and what would be right; None if it can be judged."""
    return None
