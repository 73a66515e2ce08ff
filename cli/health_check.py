"""What a check of `reflect doctor` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Check:
    """One thing looked at.

    Attributes:
        name: what.
        verdict: ok, warning (works without it) or problem (a run would fail).
        found: what was seen.
        remedy: what to do, empty when nothing.
    """

    name: str
    verdict: Verdict
    found: str
    remedy: str = ""
