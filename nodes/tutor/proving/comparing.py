"""The provers of count, greater, less, contains and not_contains: numbers, judged by their bounds."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import cast

from nodes.tutor.claims import Claim
from nodes.tutor.proving import counting, paths, quantities
from nodes.tutor.proving.known import NONE, Bounds, Known
from nodes.tutor.proving.searching import Wanted, Way, Weighed
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated


def prove_count(claim: Claim, world: World) -> Verdict:
    """A number is exactly so large."""
    found = counting.measured(world, claim.subject, claim.unit or "", _scope(claim))
    bounds = found.bounds
    if bounds.exact and bounds.least.value == claim.value:
        return validated(f"There are {claim.value}.", bounds.used)
    if not bounds.used:
        return undecidable(found.hint)
    if claim.value < bounds.least.value:
        return refuted("There are more.", bounds.least.used or bounds.used)
    if bounds.most is not None and claim.value > bounds.most.value:
        return refuted("There are fewer.", bounds.most.used)
    return undecidable(found.hint)


def prove_contains(claim: Claim, world: World) -> Verdict:
    """A text stands in a file, or in some file below a directory."""
    return _contained(claim, world, wanted=True)


def prove_not_contains(claim: Claim, world: World) -> Verdict:
    """A text stands nowhere in a file that is there, or in no file below a directory."""
    return _contained(claim, world, wanted=False)


def _contained(claim: Claim, world: World, wanted: bool) -> Verdict:
    weighed = Weighed(Wanted(claim.value, cast(Way, claim.unit or "substring")))
    found = counting.text(world, claim.subject, weighed)
    bounds = found.bounds
    if bounds.least.value:
        return (validated if wanted else refuted)("The text stands there.", bounds.least.used)
    if bounds.most is not None and not bounds.most.value:
        return (refuted if wanted else validated)("The text does not stand there.", bounds.most.used)
    return undecidable(found.hint)


def prove_greater(claim: Claim, world: World) -> Verdict:
    """A number is larger than another."""
    return _compared(claim, world, operator.gt)


def prove_less(claim: Claim, world: World) -> Verdict:
    """A number is smaller than another."""
    return _compared(claim, world, operator.lt)


Compare = Callable[[Fraction, Fraction], bool]


def _compared(claim: Claim, world: World, compare: Compare) -> Verdict:
    first, hint = _number(claim, world, claim.subject)
    second: Ends | None
    if not isinstance(claim.value, str):
        second = _single(Known(_fraction(claim.value), NONE))
    elif claim.unit is None and not counting.same_suffix(claim.subject, claim.value):
        return undecidable("The two keys tell different units.")
    else:
        second, other_hint = _number(claim, world, claim.value)
        hint = hint if first is None or second is not None else other_hint
    if first is None or second is None:
        return undecidable(hint)
    # The ends that are hardest, and those that are easiest, for the claim to hold.
    larger = compare is operator.gt
    hard, easy = (first[0], second[1]), (first[1], second[0])
    if not larger:
        hard, easy = (first[1], second[0]), (first[0], second[1])
    if hard[0] and hard[1] and compare(hard[0].value, hard[1].value):
        return validated("It is so.", hard[0].used | hard[1].used)
    if easy[0] and easy[1] and not compare(easy[0].value, easy[1].value):
        return refuted("It is not so; equal is neither greater nor less.", easy[0].used | easy[1].used)
    return undecidable(hint)


Ends = tuple[Known[Fraction] | None, Known[Fraction] | None]


def _number(claim: Claim, world: World, subject: str) -> tuple[Ends | None, str]:
    """The ends between which a number lies, and what would show more."""
    scope = _scope(claim)
    if claim.unit is None:
        value = counting.value_at(world, paths.normal(scope or "") or ".", subject)
        return (None, value) if isinstance(value, str) else (_single(value), "")
    found = counting.measured(world, subject, claim.unit, scope, directories=True)
    return (_ends(found.bounds) if found.bounds.used else None), found.hint


def _single(value: Known[Fraction]) -> Ends:
    return value, value


def _ends(bounds: Bounds) -> Ends:
    # That a number is not negative is known without looking, but not that there is what it counts.
    least = Known(Fraction(bounds.least.value), bounds.least.used or bounds.used)
    most = bounds.most
    return least, None if most is None else Known(Fraction(most.value), most.used)


def _fraction(value: int | float) -> Fraction:
    return quantities.number(value) or Fraction(0)


def _scope(claim: Claim) -> str | None:
    return claim.scope if isinstance(claim.scope, str) else None
