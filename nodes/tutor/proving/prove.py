"""A claim and what is known, to a verdict: one prover a predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nodes.tutor.claims import Claim
from nodes.tutor.proving.reasoning import REASONING_PROVERS
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, undecidable

Prover = Callable[[Claim, World], Verdict]
PROVERS: Mapping[str, Prover] = {**REASONING_PROVERS}


def prove(claim: Claim, world: World) -> Verdict:
    """Judge a claim whose form is right (`forms.problem_of` found none).

    Deterministic, without any effect, and never raises for what a model wrote or a file holds.
    """
    prover = PROVERS.get(claim.predicate)
    return undecidable("There is no prover for it yet.") if prover is None else prover(claim, world)
