"""Numbers with their units as English and Chinese write them, as values with a precision. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from nodes.research.checking.currencies import PREFIXES
from nodes.research.checking.durations import durations, joined
from nodes.research.checking.hedges import bound_of
from nodes.research.checking.labels import labelled
from nodes.research.checking.number_words import (
    SCALES,
    TENS,
    UNITS,
    WORDS,
    digits,
    english,
    han_words,
    small,
)
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.shares import fractions, multiples, parts_of_hundred
from nodes.research.checking.units import Unit, unit_at

_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_SCALE_WORD = "hundred|thousand|million|billion|trillion|lakh|crore|dozen"
_ATOM = rf"(?:(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(UNITS[1:10])}))?|(?:{'|'.join(sorted(UNITS, key=len, reverse=True))}))"
_WORDED = rf"(?:{_ATOM}|(?:a|an|several|few)(?![ -](?:{_WORD})\b))(?:[ -](?:{_SCALE_WORD})(?:,? (?:and )?{_ATOM}(?![\w]))?)*"
_DIGITS = (
    r"(?<![\w.])\.\d{2,3}(?![\d.])|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})+(?![\d.,])|\d+(?:\.\d+)?"
)
_HAN_NUMBER = "[零一二两三四五六七八九十百千]"
_PREFIX = "|".join(sorted((re.escape(prefix) for prefix in PREFIXES), key=len, reverse=True))
NUMBER = re.compile(
    rf"(?P<prefix>(?<![A-Za-z])(?:{_PREFIX})\s?)?(?P<sign>(?<![A-Za-z0-9_.)%])(?:[-+]\s?|零下|负|minus |negative ))?"
    rf"(?:(?P<digits>(?<![A-Za-z0-9_.])(?<!\d,)(?<![A-Za-z]-)(?:{_DIGITS}))"
    rf"(?:(?P<han>[多余]?[十百千]?[万亿兆](?:[\d,.]*\d[十百千]?[万亿兆]?)*|[十百千](?:\d[十百]?)*(?=[万亿兆\u4e00-\u9fff]))|\s?-?(?P<scale>{_SCALE_WORD}|(?:mn|mln|bn|bln|tn|trn)|(?-i:(?<=\d)[kKMB])(?![A-Za-z/])|(?(prefix)(?-i:(?<=\d)m)|(?-i:(?<=\d)m(?= (?!of |long|high|wide|deep|tall|above|below|from|in |at |and |by |to |per |apart|away|tower|race|sprint|run|swim|depth|height|sea)[a-z]{{4,}}))))(?![A-Za-z]))?"
    rf"|(?P<hanword>(?:{_HAN_NUMBER}|(?<=[十百千])[多余](?=[万亿兆])|[万亿兆](?={_HAN_NUMBER}|[万亿兆]|\b|\S))+(?:点[零一二三四五六七八九]+)?[十百千万亿兆]*)"
    rf"|(?<![\w-])(?P<words>{_WORDED})(?![\w]))",
    re.IGNORECASE,
)
_BELOW_ZERO = re.compile(
    r" (?:celsius |centigrade |fahrenheit |C |F )?below (?:zero|freezing)", re.IGNORECASE
)
# 十多年, 两个多月.
_MORE = re.compile(r"[多余几]|个多(?=月|小时|钟头|星期|世纪|百分点)")
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = re.compile(
    rf"(?<![\w])(?P<word>{'|'.join(_ORDINAL_WORDS)})(?:[- ](?=largest|biggest|highest|most|place|straight|consecutive|time|year|lowest|longest)|(?=\s))|(?<!\w)(?P<digits>\d+)(?:st|nd|rd|th)(?!\w)|第(?P<han>\d+|[一二三四五六七八九十百]+)(?!季|产业)",
    re.IGNORECASE,
)


def quantities(text: str) -> list[Quantity]:
    """The numbers in a folded text in order, those inside dates included."""
    found: list[Quantity] = []
    kinds = (parts_of_hundred, durations, fractions, multiples, _scores, _ordinals)
    for kind in (read(text) for read in kinds):
        found += [one for one in kind if not _overlaps(found, one.start, one.end)]
    at = 0
    while match := NUMBER.search(text, at):
        at = max(match.end(), at + 1)
        if _overlaps(found, match.start(), match.end()):
            continue
        if quantity := _number(text, match):
            found.append(quantity)
            at = max(at, quantity.end)
    found.sort(key=lambda quantity: quantity.start)
    return labelled(text, joined(text, _inheriting(text, _ranges(text, found))))


def _overlaps(found: list[Quantity], start: int, end: int) -> bool:
    return any(one.start < end and start < one.end for one in found)


def _read(text: str, match: re.Match[str]) -> tuple[float, float, bool] | None:
    """Value, step and whether it is soft; None for a digit that belongs to a name."""
    if match["digits"]:
        following = text[match.end() : match.end() + 1]
        stuck = following.isalpha() and following.isascii() and not (match["han"] or match["scale"])
        # "A380", "5G", "PM2.5".
        if stuck and unit_at(text, match.end()) is None:
            return None
        return *digits(match["digits"], match["han"] or "", (match["scale"] or "").lower()), False
    word = match["hanword"] or match["words"].lower()
    parsed = han_words(word) if match["hanword"] else english(word)
    return (*parsed, word in ("一", "one", "a", "an", "zero")) if parsed else None


def _number(text: str, match: re.Match[str]) -> Quantity | None:
    parsed = _read(text, match)
    if parsed is None:
        return None
    value, step, soft = parsed
    end = match.end()
    # The pattern may have taken a space before a scale that is not there.
    while end > match.start() and text[end - 1] == " ":
        end -= 1
    unit = unit_at(text, end)
    if (more := _MORE.match(text, end)) and (counted := _behind(text, more)):
        end, unit = more.end(), counted
    dimension, factor = (unit.dimension, unit.factor) if unit else ("", 1.0)
    if dimension == "degree" and (match["han"] or "电" in text):
        # 度 counts electricity as well as heat.
        dimension, factor = "energy", 1e3
    prefix = PREFIXES.get((match["prefix"] or "").strip().lower())
    start = match.start()
    if prefix and (not dimension or dimension == "currency:" or dimension.startswith("currency:")):
        dimension, factor = prefix, 1.0
    if match["hanword"] and not prefix and len(match["hanword"]) < 2 and not dimension:
        return None
    if (
        match["words"]
        and match["words"].lower() in ("a", "an")
        and dimension not in ("months", "time", "length", "mass")
    ):
        return None
    sign = match["sign"] or ("-" if _BELOW_ZERO.match(text, end + (unit.length if unit else 0)) else "")
    if (
        sign
        and "+" not in sign
        and (dimension in ("percent", "celsius", "degree", "fahrenheit", "point") or prefix)
    ):
        value = -value
    stop = end + (unit.length if unit else 0)
    return Quantity(
        start,
        stop,
        text[start:stop],
        value * factor,
        step * factor,
        dimension,
        bound_of(text, start, stop),
        soft,
        _scale(value, match) * factor,
        value,
    )


def _behind(text: str, more: re.Match[str]) -> Unit | None:
    """The unit behind a 多 that stands within a number: 十多年, 两个多月."""
    if not more[0].startswith("个"):
        return unit_at(text, more.end())
    unit = unit_at("个" + text[more.end() : more.end() + 4], 0)
    return replace(unit, length=unit.length - 1) if unit else None


def _scale(value: float, match: re.Match[str]) -> float:
    if match["words"]:
        return max(
            (SCALES.get(word, 1.0) for word in re.split("[- ]", match["words"].lower())[-1:]), default=1.0
        )
    digits = float(match["digits"].replace(",", "").replace(" ", "")) if match["digits"] else 0.0
    return abs(value) / digits if digits else 1.0


def _scores(text: str) -> list[Quantity]:
    """Scores, "3-2" and "5比3"; which side is told first does not matter."""
    found = []
    for match in _SCORE.finditer(text):
        if unit_at(text, match.end()) is None:
            one, two = sorted((int(match[1]), int(match[2])), reverse=True)
            found.append(Quantity(match.start(), match.end(), match[0], one * 1000.0 + two, 1.0, "score"))
    return found


def _ordinals(text: str) -> list[Quantity]:
    found = []
    for match in _ORDINAL.finditer(text):
        if match["word"]:
            value = float(_ORDINAL_WORDS.index(match["word"].lower()) + 1)
        elif match["digits"]:
            value = float(match["digits"])
        else:
            value = small(match["han"])
        soft = bool(match["word"]) and value == 1
        found.append(Quantity(match.start(), match.end(), match[0].strip(), value, 1.0, "rank", soft=soft))
    return found


_SCORE = re.compile(
    r"(?<![A-Za-z0-9_.,$€£-])(\d{1,3})(?:\s?比\s?|[-:])(\d{1,3})(?![\d%]|[.,]\d|-\d|\s?(?:million|billion|percent|per cent|thousand)|[A-Za-z])"
)
_BETWEEN = re.compile(r"\s?(?:-|~|to|至|到|and|与)\s?(?:NT\$|US\$|\$)?", re.IGNORECASE)


def _inheriting(text: str, found: list[Quantity]) -> list[Quantity]:
    """In "from 45 minutes to 26" and "11.3 grams, down from 13.8" the bare number has the other's unit."""
    shared = list(found)
    for at in range(1, len(found)):
        one, two = shared[at - 1], shared[at]
        if (
            two.dimension
            or not one.dimension
            or one.dimension in ("rank", "score", "people")
            or one.soft
            or not one.plain
            or not two.value
        ):
            continue
        direct = _TO.fullmatch(text[one.end : two.start])
        back = (
            two.start - one.end < 60
            and _FROM.search(text[one.end : two.start])
            and one.dimension not in ("percent", "point", "months")
        )
        if (direct or back) and 0.02 < two.value / one.plain < 50 and not _NOUN.match(text[two.end :]):
            unit = one.value / one.plain
            shared[at] = replace(two, value=two.value * unit, step=two.step * unit, dimension=one.dimension)
    return shared


_TO = re.compile(
    r" (?:to|and|or) (?:just |only |about )?|(?:增|升|降|减|提高|上升|下降|缩短|缩减|增加|减少|下滑|成长|扩大)?[到至为成]",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|against|compared (?:with|to)|versus)(?: just| only| about)? $", re.IGNORECASE)
_NOUN = re.compile(
    r" (?!the |a |an |in |on |at |by |last |this |two |three |to |and |for |per |earlier|before|within|after|since|during|over|with|when|as )[a-z]{3,}s\b"
)


def _ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """In "3 to 5 million" the first number shares the unit and the scale of the second."""
    shared = list(found)
    for at, (one, two) in enumerate(zip(found, found[1:], strict=False)):
        money = (
            one.dimension.startswith("currency")
            and two.dimension in ("", one.dimension)
            and one.scale == 1 < two.scale
        )
        if not (money or (not one.dimension and two.dimension)) or not _BETWEEN.fullmatch(
            text[one.end : two.start]
        ):
            continue
        scale = two.scale if one.value < 1000 else 1.0
        kind = two.dimension or one.dimension
        word = two.plain / (two.value / two.scale) if two.value and two.scale else 1.0
        plain = one.plain * (word if scale > 1 else 1.0)
        shared[at] = replace(one, value=one.value * scale, step=one.step * scale, dimension=kind, plain=plain)
        if money:
            shared[at + 1] = replace(two, dimension=kind)
    return shared
