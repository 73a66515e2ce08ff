"""A number with its unit, and whether two of them say the same. Pure."""

from __future__ import annotations

from dataclasses import dataclass

TOLERANCE = 0.06
BOUND_REACH = 0.25
ROUNDING = 0.17


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
        bound: "about", "min" (more than), "max" (less than), or "".
        soft: written as a word that is often no count ("one", "half").
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


def agrees(claim: Quantity, source: Quantity, *, plain: bool = False) -> bool:
    """True if a claim's number says what the source's says, rounding and "about" as written taken in.

    Args:
        claim: a claim's number.
        source: the source's.
        plain: compare them as if neither had a unit.
    """
    told, true, step, finer = claim.value, source.value, claim.step, source.step
    if plain:
        told, true = claim.plain or told, source.plain or true
        step, finer = (
            (step / (claim.value / told) if told else step),
            (finer / (source.value / true) if true else finer),
        )
    if {claim.bound, source.bound} == {"min", "max"}:
        return False
    if told * true < 0 and not _sign_free(claim):
        return False
    return _says(claim, source, (abs(told), step), (abs(true), finer))


def _says(claim: Quantity, source: Quantity, said: tuple[float, float], held: tuple[float, float]) -> bool:
    """True if one value with its step may stand for another."""
    (told, step), (true, finer) = said, held
    off = abs(told - true)
    if off <= 1e-9 * max(told, true):
        return True
    # A coarser number may round a finer one, never the other way round.
    if step > finer and off <= min(0.5 * step * 1.0001, ROUNDING * true) and step <= told:
        return True
    if source.soft and claim.dimension == "percent" and off <= 1.0:
        return True
    if source.bound == "min" and claim.bound in ("about", "min"):
        return off <= TOLERANCE * true
    if claim.bound == "about":
        return off <= min(0.5 * _last_sign(told), TOLERANCE * true) * 1.0001
    if claim.bound == "min":
        return told <= true <= told * (1 + BOUND_REACH)
    if claim.bound == "max":
        return told * (1 - BOUND_REACH) <= true <= told
    return False


def _last_sign(value: float) -> float:
    """What the last digit of a number that is no zero counts: 62,300 has 100."""
    size = 1e-6
    while value and size < 1e15 and abs(value / (size * 10) - round(value / (size * 10))) < 1e-6:
        size *= 10
    return size


def _sign_free(claim: Quantity) -> bool:
    """True where "fell 5%" and "-5%" are one number; a temperature below zero is another."""
    return claim.dimension in ("percent", "point") or claim.dimension.startswith("currency")
