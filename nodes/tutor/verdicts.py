"""What a prover says of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["validated", "refuted", "undecidable"]


@dataclass(frozen=True)
class Verdict:
    """A claim, judged by the facts of the observations that were cited for it.

    Attributes:
        status: validated only if the claim holds in every world in which the facts hold; refuted only if it
            holds in none; undecidable in all other cases.
        reason: for the player, in one sentence: what was seen, or what would have to be seen.
        used: names of the observations the verdict rests on; never more than were needed, empty if
            undecidable.
    """

    status: Status
    reason: str
    used: frozenset[str] = frozenset()


def validated(reason: str, used: frozenset[str]) -> Verdict:
    """The claim is so."""
    return Verdict("validated", reason, used)


def refuted(reason: str, used: frozenset[str]) -> Verdict:
    """The claim is not so."""
    return Verdict("refuted", reason, used)


def undecidable(reason: str) -> Verdict:
    """Nothing that was cited settles it."""
    return Verdict("undecidable", reason)
