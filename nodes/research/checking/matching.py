"""Do two numbers, units and all, say the same? Pure."""

from __future__ import annotations

from dataclasses import replace

from nodes.research.checking.clocks import NOON, settled
from nodes.research.checking.labels import LABEL
from nodes.research.checking.quantity import Quantity, agrees
from nodes.research.checking.units import same_dimension

# Of a mean year: 365.2425 days.
SECONDS_A_MONTH = 2_629_746.0
HOUR = 3_600.0


def matches(claim: Quantity, source: Quantity) -> bool:
    """True if both say the same number of the same dimension; a bare number may have any."""
    kinds = {claim.dimension, source.dimension}
    if LABEL in kinds:
        return kinds <= {LABEL, "", "count", "rank"} and claim.value == source.value
    if "clock" in kinds:
        return _same_clock(claim, source)
    if "rank" in kinds:
        # The eighth year in a row is eight years in a row.
        return kinds - {"rank"} <= {"months", "time"} and agrees(claim, source, plain=True)
    if kinds == {"months", "time"}:
        return agrees(_in_seconds(claim), _in_seconds(source))
    if kinds == {"percent", "ratio"}:
        return agrees(_as_ratio(claim), _as_ratio(source))
    if kinds == {"percent", ""} and agrees(_as_percent(claim), _as_percent(source)):
        return True
    if kinds == {"mass", "currency:GBP"}:
        weighed = claim if claim.dimension == "mass" else source
        return "pound" in weighed.text.lower() and agrees(claim, source, plain=True)
    bare = "" in kinds and "score" not in kinds
    if not bare and not same_dimension(claim.dimension, source.dimension):
        return False
    return agrees(claim, source, plain=bare)


def _in_seconds(number: Quantity) -> Quantity:
    if number.dimension == "time":
        return number
    value, step = number.value * SECONDS_A_MONTH, number.step * SECONDS_A_MONTH
    return replace(number, value=value, step=step, dimension="time")


def _as_ratio(number: Quantity) -> Quantity:
    """Up by 100% is twice as much."""
    if number.dimension == "ratio":
        return number
    value = 1 + number.value / 100
    return replace(number, value=value, step=number.step / 100, dimension="ratio", plain=value)


def _as_percent(number: Quantity) -> Quantity:
    """A rate of .417 is 41.7%."""
    if number.dimension == "percent" or not 0 < number.value < 1 or "." not in number.text:
        return number
    value = number.value * 100
    return replace(number, value=value, step=number.step * 100, dimension="percent", plain=value)


def _same_clock(claim: Quantity, source: Quantity) -> bool:
    """True for one time of day, or one time of a race: "4:32" may be either."""
    one, other = claim, source
    if one.dimension == other.dimension:
        off = abs(one.value - other.value)
        off = off if settled(one) and settled(other) else min(off % NOON, NOON - off % NOON)
        # "Shortly after four", "about nine": the hour alone is told.
        return off < 1.0 or (bool(claim.bound) and claim.step >= HOUR and off <= HOUR / 2)
    if {one.dimension, other.dimension} != {"clock", "time"}:
        return False
    clock, time = (one, other) if one.dimension == "clock" else (other, one)
    return min(abs(time.value - clock.value), abs(time.value - clock.value / 60)) <= 0.5
