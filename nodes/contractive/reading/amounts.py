"""Whether two numbers with their units are one amount, and how far apart they are. Pure."""

from __future__ import annotations

import re
from math import isclose, log10

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.measures import Measure
from nodes.research.checking.units import same_dimension

EXACT = 1e-9
ROUGH = 0.01
"""How far an amount said to be "about" may be off."""
FEWEST_DIGITS = 3
"""Digits a decimal must show to stand for one with more of them."""


def same_amount(one: Measure, other: Measure, want: Asked) -> bool | None:
    """True if two amounts are one, False if they are two, None if their units cannot be compared.

    A number without a unit has the other's. A share may be told in per cent or as a fraction where the
    question asks for a share or both are worked out.
    """
    if {one.bound, other.bound} == {"min", "max"}:
        return False
    ways = _ways(one, other, want)
    if not ways:
        return None if "" not in (one.dimension, other.dimension) else False
    return any(_equal(first, second, one, other) for first, second in ways)


def _ways(one: Measure, other: Measure, want: Asked) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Values and steps of both as they may be compared."""
    kinds = {one.dimension, other.dimension}
    bare = {"", "fraction", "count"}
    if kinds == {"percent"} or (one.dimension == other.dimension):
        return [((one.value, one.step), (other.value, other.step))]
    if "percent" in kinds and kinds & bare:
        ways = [((_share(one), _share_step(one)), (_share(other), _share_step(other)))]
        if "fraction" not in kinds and re.search(r"percent|per cent|%|百分", want.text, re.IGNORECASE):
            ways.append(((one.plain, _plain_step(one)), (other.plain, _plain_step(other))))
        return ways if want.wanted == "share" or len(ways) > 1 or want.wanted == "number" else []
    if kinds & bare:
        return [
            ((one.plain or one.value, _plain_step(one)), (other.plain or other.value, _plain_step(other)))
        ]
    if same_dimension(one.dimension, other.dimension):
        return [((one.value, one.step), (other.value, other.step))]
    return []


def _share(one: Measure) -> float:
    return one.value / 100 if one.dimension == "percent" else one.value


def _share_step(one: Measure) -> float:
    return one.step / 100 if one.dimension == "percent" else one.step


def _plain_step(one: Measure) -> float:
    return one.step / abs(one.value / one.plain) if one.value and one.plain else one.step


def _equal(first: tuple[float, float], second: tuple[float, float], one: Measure, other: Measure) -> bool:
    """Equal, or one the other rounded as far as it shows digits, or about the other."""
    value, held = first[0], second[0]
    if isclose(value, held, rel_tol=EXACT, abs_tol=1e-12):
        return True
    off = abs(value - held)
    if (one.about or other.about) and off <= ROUGH * max(abs(value), abs(held)):
        return True
    converted = _converts(one, other)
    for (_, coarse), (_, fine), told in ((first, second, one), (second, first, other)):
        shows_decimals = told.plain != round(told.plain) or one.dimension != other.dimension
        rounds = (coarse > fine and shows_decimals) or converted
        if rounds and told.digits >= FEWEST_DIGITS and off <= 0.5 * coarse * (1 + EXACT):
            return True
    return False


def _converts(one: Measure, other: Measure) -> bool:
    """True for units that are no powers of ten of each other, between which a converted amount is rounded."""
    if not (one.plain and other.plain and one.value and other.value and one.dimension == other.dimension):
        return False
    factor = abs(one.value / one.plain / (other.value / other.plain))
    return not isclose(log10(factor), round(log10(factor)), abs_tol=1e-6)


def amounts_apart(one: Measure, other: Measure, want: Asked) -> float:
    """Relative difference |a - b| / max(|a|, |b|), 0 to 1; 1 for amounts of opposite signs or that cannot be compared.

    For positive amounts it is a metric.
    """
    if {one.bound, other.bound} == {"min", "max"}:
        return 1.0
    ways = _ways(one, other, want)
    gaps = [abs(first - second) / max(abs(first), abs(second), 1e-300) for (first, _), (second, _) in ways]
    return min(1.0, *gaps) if gaps else 1.0
