"""The amounts a reply states, as far as they are not given, computed with or only bounds. Pure.

This reads for the judge alone and shares nothing with the reader of numbers the estimator has: a slip there
must not make itself right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: number for number, word in enumerate(_ONES)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_WORD = "|".join(_VALUES)
_SPELLED = re.compile(
    rf"\b(?:(?P<hundreds>{_WORD}|a)\s+hundred(?:\s+and)?(?:\s+(?P<rest>{_WORD})(?:[\s-]+(?P<last>{_WORD}))?)?"
    rf"|(?P<tens>{'|'.join(_TENS)})[\s-](?P<ones>{'|'.join(_ONES[1:10])})|(?P<single>{_WORD}))\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"(?P<whole>\d+)\s*(?:and\s+(?:a|one)\s+half|1/2|½)(?!\d)")
_NUMBER = re.compile(
    r"(?<![\w.,:/-])(?P<sign>[-−])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?![\d:]|[.,]\d|-\d)"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_OPERATOR_AFTER = re.compile(r"\s*(?:[-+×*/÷−^]\s*\(?\d|x\s*\d|\b(?:times|plus|minus|divided by)\b)")
_OPERATOR_BEFORE = re.compile(
    r"(?:\d|\))\s*[^\d\s=(]{0,12}\s*(?:[-+×*/÷−^x]|\b(?:times|plus|minus|divided by))\s*\(?$"
)
_BOUND = re.compile(
    r"\b(?:more than|less than|fewer than|at least|at most|up to|over|under|above|below|not)\s*$",
    re.IGNORECASE,
)
_EQUALS = re.compile(r"[=≈→]|\bequals\b")
# Units that are none of a task's own make an amount another one.
_OTHERS = re.compile(
    r"\s?(?:%|per ?cent\b|km\b|cm\b|mm\b|m\b|kg\b|g\b|mg\b|grams?\b|met(?:er|re)s?\b|hours?\b|h\b|minutes?\b"
    r"|mins?\b|seconds?\b|secs?\b|s\b|days?\b|weeks?\b|kJ\b|J\b|N\b|W\b|V\b|€|\$|£|euros?\b|dollars?\b|cents?\b|°)",
    re.IGNORECASE,
)
# A number of the question may be one of two guesses.
_EITHER = re.compile(r"\d[^.!?\n]{0,20}\bor\b[^.!?\n]{0,12}\d", re.IGNORECASE)
_COMPOUND = re.compile(r"\s*(?:,|and|,\s*and)?\s*$")


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount.

    Attributes:
        value: in the unit that is asked for.
        named: True if its unit is said.
    """

    value: float
    named: bool


@dataclass(frozen=True, slots=True)
class _Placed:
    value: float
    factor: float | None
    start: int
    end: int


def stated(text: str, units: Mapping[str, float], given: frozenset[float] = frozenset()) -> frozenset[float]:
    """The amounts a text states as a result, in the asked unit.

    What stands behind the last equals sign goes before all else; amounts whose unit is said go before bare
    ones. Parts of a sum that is not worked out, bounds, other units and what the question gives do not count,
    the latter unless it stands beside an "or".

    Args:
        text: any.
        units: what each name of a unit is of the asked one.
        given: numbers of the question.
    """
    text = in_digits(text)
    parts = _EQUALS.split(text)
    if len(parts) > 1 and any(c.isdigit() for c in parts[-1]):
        text = parts[-1]
    found = _joined(text, _placed(text, units))
    if _EITHER.search(text):
        return frozenset(round(one.value * (one.factor or 1.0), 9) for one in found)
    named = {one.value * one.factor for one in found if one.factor is not None}
    bare = {one.value for one in found if one.factor is None and one.value not in given}
    fresh = {value for value in named if value not in given}
    return frozenset(round(value, 9) for value in fresh or bare)


def numbers(text: str) -> frozenset[float]:
    """Every number of a text, whatever its part."""
    return frozenset(_value(match) for match in _NUMBER.finditer(in_digits(text)))


def in_digits(text: str) -> str:
    """Number words as digits; "one" stays, for it mostly is no number, unless it is all there is."""

    def told(match: re.Match[str]) -> str:
        part = {name: (word or "").lower() for name, word in match.groupdict().items()}
        if part["single"]:
            alone = match[0].strip() == text.strip(" .!*")
            return match[0] if part["single"] == "one" and not alone else str(_VALUES[part["single"]])
        if part["tens"]:
            return str(_VALUES[part["tens"]] + _VALUES[part["ones"]])
        rest = sum(_VALUES[part[name]] for name in ("rest", "last") if part[name])
        return str(100 * _VALUES.get(part["hundreds"], 1) + rest)

    return _HALF.sub(lambda match: f"{match['whole']}.5", _SPELLED.sub(told, text))


def _placed(text: str, units: Mapping[str, float]) -> list[_Placed]:
    found = []
    for match in _NUMBER.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        if _ORDINAL.match(after) or _OPERATOR_AFTER.match(after) or _OPERATOR_BEFORE.search(before):
            continue
        unit = _unit(after, units)
        ahead = next((name for name in units if not name.isalpha() and before.endswith(name)), None)
        if unit is None and ahead is not None:
            unit = ahead
        if (unit is None and _OTHERS.match(after)) or _BOUND.search(before):
            continue
        end = match.end() + (re.match(r"\s*", after).end() + len(unit) if unit and unit != ahead else 0)  # type: ignore[union-attr]
        found.append(_Placed(_value(match), units[unit] if unit else None, match.start(), end))
    return found


def _unit(after: str, units: Mapping[str, float]) -> str | None:
    """The task's unit a text begins with, the longest of several."""
    for name in sorted(units, key=len, reverse=True):
        if re.match(rf"\s*-?{re.escape(name)}(?![\w/²³])", after):
            return name
    return None


def _joined(text: str, found: list[_Placed]) -> list[_Placed]:
    """2 hours and 30 minutes as one amount: the larger unit first, nothing but "and" between."""
    joined: list[_Placed] = []
    for one in found:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.factor is not None
            and one.factor is not None
            and one.factor < last.factor
            and _COMPOUND.match(text[last.end : one.start])
        ):
            joined[-1] = _Placed(last.value * last.factor + one.value * one.factor, 1.0, last.start, one.end)
        else:
            joined.append(one)
    return joined


def _value(match: re.Match[str]) -> float:
    digits = match["digits"]
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        digits = digits.replace(",", "")
    value = float(digits.replace(",", "."))
    return -value if match["sign"] else value
