"""The numbers of a question with their units, in the order it has them. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from nodes.contractive.reading.measures import measures
from nodes.contractive.reading.notation import written_out
from nodes.contractive.reading.number_named import number_named
from nodes.contractive.reading.units_asked import in_known_units
from nodes.reflective.number_words import WORDS
from nodes.research.checking.folding import fold

Amount = tuple[float, str]
_GERMAN_WORD = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted((*WORDS['de'],), key=len, reverse=True))})(?![\w-])", re.IGNORECASE
)
_GERMAN_THOUSANDS = re.compile(r"(?<![\d.,])(\d{1,3})((?:\.\d{3})+)(?![\d.])")
_HAN_COUNT = re.compile(
    r"(?<![\d一二两三四五六七八九十百千万亿第哪几这那])([一二两三四五六七八九十])(?=[个只种本条位名座张辆台块匹艘支颗件次句点项])"
)
_PLAIN = frozenset({"count", "people", "households", "points", "ratio", "fraction", "label"})
_NUMBER_TOKEN = re.compile(r"(?<![\w.])\d+(?:[.,/:]\d+)*(?![\w])")
_LED = re.compile(r"(?:(?P<word>[^\W\d_]+)\s+)?[$€£]?(?P<number>\d+(?:[.,]\d+)*)")
_ANY_NUMBER = frozenset(
    "is are was were has have had and or the a of ist sind hat haben und oder die der das".split()
) | {None}


def amounts(text: str, language: str) -> list[Amount]:
    """Values with dimensions, in order; what only counts things has none, and a lone "one" is no number.

    Args:
        text: folded.
        language: zh, de or en.
    """
    told = fold(text)
    if language == "de":
        told = _GERMAN_THOUSANDS.sub(lambda m: m[1] + m[2].replace(".", ""), told)
        told = _GERMAN_WORD.sub(lambda m: f"{number_named(m[0]):g}", told)
    if language == "zh":
        told = _HAN_COUNT.sub(lambda m: f"{number_named(m[1]):g}", told)
    found = measures(written_out(in_known_units(told)))
    return [
        (round(one.value, 9), "" if one.dimension in _PLAIN else one.dimension)
        for one in found
        if not _soft(one.value, one.dimension)
    ]


def _soft(value: float, dimension: str) -> bool:
    return value == 1.0 and dimension in ("", "count", "people")


def digits(text: str) -> Counter[str]:
    """The numbers in digits as they are written, without signs of thousands."""
    return Counter(token.replace(",", "") for token in _NUMBER_TOKEN.findall(fold(text)))


def reordered(before: Sequence[Amount], after: Sequence[Amount]) -> bool:
    """True if numbers of one kind come in another order: 20 divided by 5, and 5 divided by 20."""
    for dimension in {kind for _, kind in before}:
        first = [value for value, kind in before if kind == dimension]
        then = [value for value, kind in after if kind == dimension]
        if first != then and sorted(first) == sorted(then) and len(set(first)) > 1:
            return True
    return False


def same_places(before: str, after: str) -> bool:
    """True if every number stands behind the same word in two texts: "per 100 km, for 250", "for 250, per 100 km".

    "is", "has" and the like stand before any number, and tell none from another.
    """
    first, then = _leading(before), _leading(after)
    return len(first) > 1 and all(words & then.get(number, frozenset()) for number, words in first.items())


def _leading(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for match in _LED.finditer(text.lower()):
        if match["word"] not in _ANY_NUMBER:
            found.setdefault(match["number"], set()).add(match["word"])
        else:
            found.setdefault(match["number"], set())
    return {number: frozenset(words) for number, words in found.items()}


def lacking(wanted: Sequence[Amount], held: Sequence[Amount]) -> list[Amount]:
    """Amounts of the one that the other lacks; one said twice may be said once, and in another unit of its kind."""
    return [one for one in wanted if not any(_same(one, other) for other in held)]


def _same(one: Amount, other: Amount) -> bool:
    return one[1] == other[1] and abs(one[0] - other[0]) <= 1e-9 * max(abs(one[0]), abs(other[0]), 1e-9)
