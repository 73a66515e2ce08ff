"""A claim and what is known, to a verdict: one prover a predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from nodes.errors import Contradiction
from nodes.tutor.claims import Claim
from nodes.tutor.proving.comparing import (
    prove_contains,
    prove_count,
    prove_greater,
    prove_less,
    prove_not_contains,
)
from nodes.tutor.proving.consistency import check
from nodes.tutor.proving.equality import prove_equals
from nodes.tutor.proving.presence import prove_absent, prove_exists
from nodes.tutor.proving.reasoning import REASONING_PROVERS
from nodes.tutor.proving.values import prove_value_of
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, undecidable

Prover = Callable[[Claim, World], Verdict]
PROVERS: Mapping[str, Prover] = {
    "exists": prove_exists,
    "absent": prove_absent,
    "count": prove_count,
    "equals": prove_equals,
    "contains": prove_contains,
    "not_contains": prove_not_contains,
    "value_of": prove_value_of,
    "greater": prove_greater,
    "less": prove_less,
    **REASONING_PROVERS,
}
MOST_TRIED = 8


def prove(claim: Claim, world: World) -> Verdict:
    """Judge a claim whose form is right (`forms.problem_of` found none).

    Deterministic, without any effect, and never raises for what a model wrote or a file holds.
    """
    prover = PROVERS.get(claim.predicate)
    if prover is None:
        return undecidable("There is no prover for it yet.")
    try:
        check(world)
        verdict = prover(claim, world)
        if not verdict.used and verdict.status != "undecidable":
            # Only what the root itself is follows from nothing; any fact was seen below it, and so shows it.
            seen = world.looked()
            return replace(verdict, used=seen) if seen else undecidable("Look at something below the root.")
        return _least_needed(claim, world, prover, verdict)
    except Contradiction as error:
        return undecidable(f"The observations contradict each other: {error.what} Observe it again.")


def _least_needed(claim: Claim, world: World, prover: Prover, verdict: Verdict) -> Verdict:
    """The same verdict from fewer observations, if it follows from fewer."""
    if not 1 < len(verdict.used) <= MOST_TRIED:
        return verdict
    for name in sorted(verdict.used):
        if len(verdict.used) > 1 and name in verdict.used:
            tried = prover(claim, world.only(verdict.used - {name}))
            if tried.status == verdict.status:
                verdict = tried
    return verdict
