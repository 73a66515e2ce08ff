"""A number with its unit, and whether two of them say the same. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nodes.research.checking.hedges import Written, honest, written

TOLERANCE = 0.06
ROUNDING = 0.17
# An unhedged number may leave out digits if two are left and what is lost is this small.
UNTOLD = 0.025
SIGNIFICANT = 2
LARGE = 1000
# No hedge reaches further: "ten-odd" is less than twenty.
FARTHEST = 0.5


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text.

    Attributes:
        start: offset of its first character, a currency sign included.
        end: offset after its unit.
        text: as written.
        value: in the dimension's base unit.
        step: what the last written digit counts, in the base unit: 1.2 million has 100 000.
        dimension: see `units`; "" for a bare number, "rank" for an ordinal.
        bound: how it is hedged: see `hedges`; "" if it is not.
        soft: written as a word that is often no count ("one", "half").
        label: it is part of a name ("line 4", "the 1,500 metres"), no count of anything.
        scale: what the digits as written are multiplied by, scale word and unit together.
        plain: the value as if it had no unit.
    """

    start: int
    end: int
    text: str
    value: float
    step: float
    dimension: str
    bound: str = ""
    soft: bool = False
    scale: float = 1.0
    plain: float = 0.0
    label: bool = False


def agrees(claim: Quantity, source: Quantity, *, plain: bool = False) -> bool:
    """True if a claim's number says what the source's says, rounding and hedges as written taken in.

    Args:
        claim: a claim's number.
        source: the source's.
        plain: compare them as if neither had a unit.
    """
    if {claim.bound, source.bound} in (
        {"min", "max"},
        {"over", "nearly"},
        {"min", "nearly"},
        {"over", "max"},
    ):
        return False
    if claim.value * source.value < 0 and not _sign_free(claim):
        return False
    told, step = _measured(claim, plain)
    true, finer = _measured(source, plain)
    off = abs(told - true)
    if off <= 1e-9 * max(told, true):
        return True
    if off > FARTHEST * max(told, true):
        return False
    factor = 1.0 if plain or not claim.plain else abs(claim.value / claim.plain)
    form = written(told / factor, factor)
    if claim.bound in ("nearly", "over", "max", "min", "odd"):
        return _source_is_vague(claim, source, off, true) or honest(claim.bound, form, told, true, claim.soft)
    if claim.dimension == "time" and claim.value == claim.plain and told >= 60 and claim.bound != "about":
        # "28:31.6": minutes and seconds round by their last sign only.
        form = Written(1, step, step)
    return (
        _rounds(form, (told, step), (true, finer), converted=_converted(claim, source))
        or (source.soft and claim.dimension == "percent" and off <= 1.0)
        or _source_is_vague(claim, source, off, true)
        or (claim.bound == "about" and honest("about", form, told, true, claim.soft))
    )


def _measured(number: Quantity, plain: bool) -> tuple[float, float]:
    """Size and step of a number, in its base unit or as written."""
    value, step = abs(number.value), number.step
    if plain and number.plain:
        return abs(number.plain), step * abs(number.plain) / value if value else step
    return value, step


def _rounds(form: Written, said: tuple[float, float], held: tuple[float, float], *, converted: bool) -> bool:
    """True if one value may stand for another that is told with more digits, or in another unit."""
    (told, step), (true, finer) = said, held
    off = abs(told - true)
    # A coarser number may round a finer one, never the other way round.
    coarser = step > finer * 1.0001
    if (coarser or converted) and off <= min(0.5 * step * 1.0001, ROUNDING * true) and step <= told:
        return True
    sign, figures = form.sign, form.figures
    if figures == 1 and sign >= LARGE * step:
        # Five thousand may be told to two digits as well as to one.
        sign, figures = sign / 10, 2
    size = _size(finer)
    if figures < SIGNIFICANT or not (converted or sign > written(true / size, size).sign):
        return False
    return off <= min(0.5 * sign * 1.0001, UNTOLD * true)


def _size(step: float) -> float:
    """The unit a step was written in: a step of 1,609.344 metres counts miles."""
    return step / 10 ** math.floor(math.log10(step)) if step > 0 else 1.0


def _converted(claim: Quantity, source: Quantity) -> bool:
    """True if one unit is no decimal multiple of the other: miles and kilometres."""
    if not (claim.plain and source.plain and claim.value and source.value):
        return False
    ratio = math.log10(abs(claim.value / claim.plain) / abs(source.value / source.plain))
    return abs(ratio - round(ratio)) > 1e-6


def _source_is_vague(claim: Quantity, source: Quantity, off: float, true: float) -> bool:
    vague = source.bound in ("min", "odd") and claim.bound in ("about", "min", "odd")
    return vague and off <= TOLERANCE * true


def _sign_free(claim: Quantity) -> bool:
    """True where "fell 5%" and "-5%" are one number; a temperature below zero is another."""
    return claim.dimension in ("percent", "point") or claim.dimension.startswith("currency")
