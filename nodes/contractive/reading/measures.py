"""The number an answer gives, with its unit. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.notation import (
    foreign_number,
    fraction_in,
    is_zero,
    without_points,
    written_out,
)
from nodes.contractive.reading.residue import without_reason
from nodes.contractive.reading.wording import REMEMBERED, keys_of
from nodes.research.checking.folding import fold
from nodes.research.checking.numbers import quantities
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import unit_at

_EQUALS = re.compile(r"[=≈≅]|\bequals\b|等于")
_NEGATIVE = re.compile(r"(?:(?<![\w)%.])-\s?|\b(?:minus|negative)\s|[负]|零下)$", re.IGNORECASE)
_RAISED = re.compile(r"\s?(?:\^\s?\{?([23])\}?|([²³]))")
_SQUARE = re.compile(r"\s?-?(?:(?P<square>square|sq\.?|平方)|(?P<cubic>cubic|cu\.?|立方))\s?", re.IGNORECASE)
_PER = re.compile(r"\s?/\s?|\s+(?:per|an?|each)\s+|\s?每")
_PARTED = re.compile(r"\b(?:is|are|equals)\b|[=:≈]|是|为")
_DEFINITE = re.compile(
    r"\b(?:these|those|the|all|both|its|their|our)\s+(?:(?:other|first|last|next|middle|same|remaining|given)\s+)?$",
    re.IGNORECASE,
)
_METRE = {2: ("area", 1.0), 3: ("volume", 1e3)}
# What the table of units lacks: symbol -> (dimension, factor). Times and litres as symbols, and units of physics.
_SYMBOLS = {
    "h": ("time", 3600.0), "hr": ("time", 3600.0), "s": ("time", 1.0), "sec": ("time", 1.0), "µs": ("time", 1e-6), "ns": ("time", 1e-9),
    "L": ("volume", 1.0), "l": ("volume", 1.0), "dL": ("volume", 0.1), "dl": ("volume", 0.1), "cl": ("volume", 1e-2), "cL": ("volume", 1e-2),
    "K": ("kelvin", 1.0), "V": ("volt", 1.0), "mV": ("volt", 1e-3), "kV": ("volt", 1e3), "volts": ("volt", 1.0), "volt": ("volt", 1.0),
    "A": ("ampere", 1.0), "mA": ("ampere", 1e-3), "amps": ("ampere", 1.0), "amperes": ("ampere", 1.0), "Ω": ("ohm", 1.0), "kΩ": ("ohm", 1e3),
    "ohm": ("ohm", 1.0), "ohms": ("ohm", 1.0), "N": ("newton", 1.0), "kN": ("newton", 1e3), "newtons": ("newton", 1.0), "Pa": ("pressure", 1e-2),
    "bar": ("pressure", 1e3), "mol": ("mole", 1.0), "mmol": ("mole", 1e-3), "moles": ("mole", 1.0), "bits": ("bits", 1.0), "bit": ("bits", 1.0),
    "Ah": ("charge", 1.0), "mAh": ("charge", 1e-3), "eV": ("electronvolt", 1.0), "MJ": ("joule", 1e6), "GJ": ("joule", 1e9),
}  # fmt: skip
_SYMBOL = re.compile(rf"\s?({'|'.join(sorted(map(re.escape, _SYMBOLS), key=len, reverse=True))})(?![\w/^²³])")
_ABOVE = re.compile(r"\s?[A-Za-zµ]{1,12}(?=/)")
_PARTS_OF_TIME = frozenset({"time", "months", "length", "mass"})
_JOINED = re.compile(r"\s*(?:,|and|又|零)?\s*")


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount.

    Attributes:
        value: in the dimension's base unit; a share of one half is 0.5 of dimension "share".
        dimension: as `units` has it, "" for a bare number.
        plain: the number as written, without what its unit counts.
        step: what its last digit counts, in units of `value`; 0 for a fraction, which is exact.
        digits: significant ones.
        about: said to be approximate.
        bound: "min" for "more than", "max" for "less than", else "".
    """

    value: float
    dimension: str
    plain: float
    step: float = 0.0
    digits: int = 0
    about: bool = False
    bound: str = ""


@lru_cache(maxsize=REMEMBERED)
def measure(answer: str, want: Asked) -> Measure | None:
    """The amount an answer gives, or None if it gives none.

    After an equals sign it is what the last one leads to; else the first number that the question does not
    give itself.
    """
    text = written_out(without_points(without_reason(fold(answer)), want.text))
    if is_zero(text):
        return Measure(0.0, "", 0.0, 1.0, 1)
    if (sign := list(_EQUALS.finditer(text))) and re.search(r"\d|π", text[sign[-1].end() :]):
        about = sign[-1][0] in "≈≅"
        text = text[sign[-1].end() :]
        found = measures(text)
        return replace(found[0], about=found[0].about or about) if found else None
    found = measures(text)
    if not found and (word := foreign_number(text)) is not None:
        return Measure(float(word), "", float(word), 1.0, 1)
    given = _given(want.text)
    known = _known(text) if len(found) > 1 else set()
    found = [one for one in found if one not in known] or found
    new = [one for one in found if (one.plain, one.dimension) not in given]
    return next(iter(new or found), None)


def _known(text: str) -> set[Measure]:
    """Counts of things that are known: "the mean of these three numbers"."""
    counted = [(start, one) for start, _, one in _placed(text) if one.dimension in ("", "count")]
    return {one for start, one in counted if _DEFINITE.search(text[:start])}


@lru_cache(maxsize=REMEMBERED)
def _given(question: str) -> frozenset[tuple[float, str]]:
    # A year is no amount to the parser of numbers, but an answer repeats it as it does an amount.
    years = {
        (float(year), "") for year in re.findall(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?![\d.,]\d|\d)", question)
    }
    return frozenset((one.plain, one.dimension) for one in measures(written_out(question))) | years


def measures(text: str) -> list[Measure]:
    """The amounts in a folded text, in order; 1 h 30 min is one of them."""
    return [one for _, _, one in _placed(text)]


@lru_cache(maxsize=REMEMBERED)
def is_amount(answer: str) -> bool:
    """True for an answer that is an amount and no more, an "x =" or "the total is" before it aside."""
    parts = [part for part in _PARTED.split(written_out(fold(answer))) if part.strip(" .")]
    with_number = [part for part in parts if _placed(part)]
    if len(with_number) != 1:
        return False
    rest = with_number[0]
    for start, end, _ in reversed(_placed(rest)):
        rest = rest[:start] + " " + rest[end:]
    return len(_placed(with_number[0])) == 1 and not re.search(r"\w", " ".join(keys_of(rest)))


@lru_cache(maxsize=REMEMBERED)
def _placed(text: str) -> tuple[tuple[int, int, Measure], ...]:
    fraction = fraction_in(text)
    found: list[tuple[int, int, Measure]] = []
    if fraction:
        value, start, end = fraction
        unit = unit_at(text, end)
        whole = Measure(
            float(value) * (unit.factor if unit else 1), unit.dimension if unit else "fraction", float(value)
        )
        found.append((start, end + (unit.length if unit else 0), _signed(text, start, whole)))
    for one in quantities(text):
        if one.dimension in ("rank", "score") or any(s < one.end and one.start < e for s, e, _ in found):
            continue
        found.append(_read(text, one))
    return tuple(_together(text, sorted(found, key=lambda entry: entry[0])))


def _read(text: str, one: Quantity) -> tuple[int, int, Measure]:
    """A number with a unit the parser of units knows, or one of those above."""
    value, dimension, end = one.value, one.dimension, one.end
    number = one.plain or value
    factor = value / number if number else 1.0
    if dimension == "length" and (raised := _RAISED.match(text, end)):
        power = int(raised[1] or {"²": 2, "³": 3}[raised[2]])
        dimension, base = _METRE[power]
        factor, end = factor**power * base, raised.end()
    elif not dimension and (square := _SQUARE.match(text, end)):
        side = unit_at(text, square.end())
        if side and side.dimension == "length":
            power = 2 if square["square"] else 3
            dimension, base = _METRE[power]
            factor, end = side.factor**power * base, square.end() + side.length
    elif not dimension and (symbol := _SYMBOL.match(text, end)):
        dimension, factor = _SYMBOLS[symbol[1]]
        end = symbol.end()
    elif not dimension and (above := _ABOVE.match(text, end)) and (unit := unit_at(text[: above.end()], end)):
        # The parser of units leaves "g/cm³" alone; what stands above the stroke is a unit by itself.
        dimension, factor, end = unit.dimension, unit.factor, end + unit.length
    if dimension == "speed":
        dimension, factor = "length/time", factor / 3.6
    elif dimension and (per := _PER.match(text, end)) and (below := _unit(text, per.end())):
        dimension, factor, end = f"{dimension}/{below[0]}", factor / below[1], per.end() + below[2]
    step = abs(one.step / value * number * factor) if value else one.step
    digits = max(1, len(re.sub(r"\D", "", one.text).lstrip("0")))
    found = Measure(
        number * factor,
        dimension,
        number,
        step,
        digits,
        one.bound == "about",
        one.bound if one.bound in ("min", "max") else "",
    )
    return one.start, end, _signed(text, one.start, _converted(found))


def _unit(text: str, at: int) -> tuple[str, float, int] | None:
    """The unit at an offset: what it measures, its factor, and how long it is."""
    if symbol := _SYMBOL.match(text, at):
        return *_SYMBOLS[symbol[1]], symbol.end() - at
    square = _SQUARE.match(text, at)
    start = square.end() if square else at
    unit = unit_at(text, start)
    if unit is None or not unit.factor or unit.dimension == "count":
        return None
    end = start + unit.length
    raised = _RAISED.match(text, end)
    if unit.dimension != "length" or not (square or raised):
        return unit.dimension, unit.factor, end - at
    power = (
        int(raised[1] or {"²": 2, "³": 3}[raised[2]]) if raised else 2 if square and square["square"] else 3
    )
    dimension, base = _METRE[power]
    return dimension, unit.factor**power * base, (raised.end() if raised else end) - at


def _converted(found: Measure) -> Measure:
    """Temperatures in degrees Celsius, ages in months, per mille in per cent."""
    if found.dimension == "fahrenheit":
        return replace(found, value=(found.value - 32) / 1.8, dimension="celsius", step=found.step / 1.8)
    if found.dimension == "kelvin":
        return replace(found, value=found.value - 273.15, dimension="celsius")
    if found.dimension == "age":
        return replace(found, value=found.value * 12, dimension="months", step=found.step * 12)
    if found.dimension == "permille":
        return replace(found, value=found.value / 10, dimension="percent", step=found.step / 10)
    return found


def _signed(text: str, start: int, found: Measure) -> Measure:
    """The parser of numbers gives most amounts without their sign."""
    before = (
        text[start : start + 1] == "-"
        or text[start : start + 6].lower().startswith(("minus", "negat"))
        or text[start : start + 1] == "负"
    )
    if found.value > 0 and (before or _NEGATIVE.search(text[max(0, start - 10) : start])):
        return replace(found, value=-found.value, plain=-found.plain)
    return found


def _together(text: str, found: Sequence[tuple[int, int, Measure]]) -> list[tuple[int, int, Measure]]:
    """Adds what is told in parts, the larger unit first: 1 hour and 30 minutes."""
    joined: list[tuple[int, int, Measure]] = []
    for start, end, one in found:
        if joined and _JOINED.fullmatch(text[joined[-1][1] : start]) and _continues(joined[-1][2], one):
            first, _, last = joined[-1]
            value, digits = last.value + one.value, last.digits + one.digits
            joined[-1] = first, end, replace(last, value=value, plain=0.0, step=one.step, digits=digits)
        else:
            joined.append((start, end, one))
    return [entry for entry in joined if isfinite(entry[2].value) and isfinite(entry[2].plain)]


def _continues(last: Measure, one: Measure) -> bool:
    """True if an amount goes on in a smaller unit."""
    if (
        last.dimension != one.dimension
        or one.dimension not in _PARTS_OF_TIME
        or not (last.plain and one.plain)
    ):
        return False
    return abs(one.value / one.plain) < abs(last.value / last.plain)
