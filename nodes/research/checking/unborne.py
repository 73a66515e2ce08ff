"""What to say of a claim's number that the source does not have. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.facts import Facts
from nodes.research.checking.implied import shares
from nodes.research.checking.matching import matches
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import same_dimension

_COMPUTED = re.compile(
    r"\b(?:total|combined|altogether|difference|gap|sum|together|more than|fewer than|less than|by)\b|合计|总计|总共|共|相差|差距|增加了|减少了|多了|少了|平均",
    re.IGNORECASE,
)


def unborne(number: Quantity, claim: Facts, view: View) -> Finding | None:
    """What is to be said of a number that no passage bears out; None for a word that may be no count.

    Args:
        number: the claim's.
        claim: the claim.
        view: the passage it may rest on.
    """
    if number.dimension == "rank":
        return _other_rank(number, claim, view.facts)
    others = [
        one
        for one in view.facts.quantities
        if one.dimension != "rank" and not any(matches(mine, one) for mine in claim.quantities)
    ]
    twin = next(
        (
            one
            for one in others
            if _same_digits(number, one) and not same_dimension(number.dimension, one.dimension)
        ),
        None,
    )
    if twin and number.dimension and twin.dimension:
        return _instead(number, twin, ": another unit")
    comparable = [
        one
        for one in others
        if one.dimension == number.dimension
        or (
            number.dimension
            and same_dimension(number.dimension, one.dimension)
            and one.dimension != "count" != number.dimension
        )
    ]
    if (
        not (number.soft and comparable)
        and _COMPUTED.search(claim.text)
        and _computable(
            number, [*view.facts.quantities, *(q for one in view.near for q in one.facts.quantities)]
        )
    ):
        return Finding(
            "soft",
            f"{number.text.strip()} can be computed from the source's numbers, but does not stand there",
        )
    if not comparable and number.dimension == "percent":
        comparable = shares(view.facts)
    if number.soft and number.dimension not in ("percent", "ratio"):
        return None
    if comparable:
        return _instead(number, min(comparable, key=lambda one: abs(one.value - number.value)))
    return None if number.soft else Finding("missing", f"{number.text.strip()} does not stand in the source")


def _instead(number: Quantity, other: Quantity, note: str = "") -> Finding:
    return Finding("conflict", f"the source has {other.text.strip()}, not {number.text.strip()}{note}")


def _other_rank(number: Quantity, claim: Facts, source: Facts) -> Finding:
    after = _after(number, claim)
    for one in source.quantities:
        if one.dimension == "rank" and _after(one, source) & after:
            return _instead(number, one)
    return Finding("soft", f"{number.text.strip()} is not in the source as written")


def _same_digits(one: Quantity, other: Quantity) -> bool:
    return abs(abs(one.value) / one.scale - abs(other.value) / other.scale) < 1e-9


def _computable(number: Quantity, given: Sequence[Quantity]) -> bool:
    """True if it is a sum, a difference or a change in percent of two numbers of one dimension."""
    for at, one in enumerate(given):
        for two in given[at + 1 :]:
            if one.dimension != two.dimension or not one.value or not two.value:
                continue
            results = [one.value + two.value, abs(one.value - two.value)]
            if number.dimension == "percent":
                results += [
                    100 * abs(one.value - two.value) / min(one.value, two.value),
                    100 * abs(one.value - two.value) / max(one.value, two.value),
                ]
            elif not same_dimension(number.dimension, one.dimension) and number.dimension:
                continue
            if any(
                abs(result - number.value) <= max(0.5 * number.step, 0.005 * abs(number.value))
                for result in results
            ):
                return True
    return False


def ranked(number: Quantity, claim: Facts, source: Facts) -> bool:
    """True if the passage has the rank in other words."""
    if re.search(rf"(?<!\w){re.escape(number.text.lower())}(?![a-z])", source.low):
        return True
    return number.value == 1 and bool({"#first", "#large", "#high", "#best"} & source.keys)


def _after(number: Quantity, facts: Facts) -> frozenset[str]:
    """The word a rank belongs to, and its concepts."""
    word = next((one for one in facts.terms if one.start >= number.end), None)
    return frozenset({word.key}) | word.concepts if word else frozenset()
