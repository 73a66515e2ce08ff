"""Numbers with their units as English and Chinese write them, as values with a precision. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from nodes.research.checking.number_words import (
    FRACTIONS,
    HAN_DIGITS,
    WORDS,
    digits,
    english,
    han_words,
    small,
)
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import PREFIXES, unit_at

_WORD = "|".join(sorted(WORDS, key=len, reverse=True))
_SCALE_WORD = "hundred|thousand|million|billion|trillion|lakh|crore"
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})+(?![\d.,])|\d+(?:\.\d+)?"
_HAN_NUMBER = "[零一二两三四五六七八九十百千]"
_PREFIX = "|".join(sorted((re.escape(prefix) for prefix in PREFIXES), key=len, reverse=True))
NUMBER = re.compile(
    rf"(?P<prefix>(?<![A-Za-z])(?:{_PREFIX})\s?)?(?P<sign>(?<![A-Za-z0-9_.)%])(?:[-+]\s?|零下|负|minus |negative ))?"
    rf"(?:(?P<digits>(?<![A-Za-z0-9_.])(?<!\d,)(?<![A-Za-z]-)(?:{_DIGITS}))"
    rf"(?:(?P<han>[多余]?[十百千]?[万亿兆](?:[\d,.]*\d[十百千]?[万亿兆]?)*|[十百千](?:\d[十百]?)*(?=[万亿兆\u4e00-\u9fff]))|\s?-?(?P<scale>{_SCALE_WORD}|(?:mn|mln|bn|bln|tn|trn)|(?-i:(?<=\d)[kKMB])(?![A-Za-z/])|(?(prefix)(?-i:(?<=\d)m)|(?!)))(?![A-Za-z]))?"
    rf"|(?P<hanword>(?:{_HAN_NUMBER}|(?<=[十百千])[多余](?=[万亿兆])|[万亿兆](?={_HAN_NUMBER}|[万亿兆]|\b|\S))+(?:点[零一二三四五六七八九]+)?[十百千万亿兆]*)"
    rf"|(?<![\w-])(?P<words>(?:(?:{_WORD})(?:[- ](?:{_WORD}))?|a|an|several|few)(?:[ -](?:and )?(?:{_SCALE_WORD}|{_WORD}))*)(?![\w]))",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"百分之(?P<han>[\d.]+|[零一二两三四五六七八九十百点]+)|千分之(?P<mille>[\d.]+|[一二三四五六七八九十]+)"
)
_TENTHS = re.compile(
    r"(?<![\d.])(?P<tens>[一二两三四五六七八九]|\d(?:\.\d)?)成(?P<ones>[一二三四五六七八九半])?(?![为立果长功员本交份熟就])"
)
_FRACTION = re.compile(
    rf"(?<![\w-])(?:(?P<top>{_WORD}|a|an|\d)[- ])?(?P<part>{'|'.join(sorted(FRACTIONS, key=len, reverse=True))})(?=\s+(?:of|the|its|their|that|as)\b)"
    rf"|(?P<hantop>[一二两三四五六七八九十\d]+)分之(?P<hanpart>[一二两三四五六七八九十\d]+)|(?<![第上下前后另])(?P<hanhalf>半数|一半|过半)"
    rf"|(?<![\w-])(?P<in>{_WORD}|\d+)\s(?:in|out of)\s(?:every\s)?(?P<of>ten|five|four|three|twenty|hundred|100|10|20|5|4|3)(?![\w,.]\d|\w)",
    re.IGNORECASE,
)  # fmt: skip
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = re.compile(
    rf"(?<![\w])(?P<word>{'|'.join(_ORDINAL_WORDS)})(?:[- ](?=largest|biggest|highest|most|place|straight|consecutive|time|year|lowest|longest)|(?=\s))|(?<!\w)(?P<digits>\d+)(?:st|nd|rd|th)(?!\w)|第(?P<han>\d+|[一二三四五六七八九十百]+)(?!季|产业)",
    re.IGNORECASE,
)
_APPROXIMATE = re.compile(
    r"(?:about|around|roughly|approximately|approx\.?|some|circa|ca\.|an estimated|estimated|in the region of|close to|nearing|~|≈|or so"
    r"|约|大约|大概|左右|上下|估计|约莫|粗估|接近|将近|近|nearly|almost|just under|just over|just shy of|a little (?:over|under|more than|less than))[ a-z]{0,6}$",
    re.IGNORECASE,
)
_MIN = re.compile(r"(?:more than|over|above|exceed(?:ed|ing|s)?|upwards of|at least|surpass(?:ed|ing|es)?|topp?(?:ed|ing|s)|north of|greater than|no (?:less|fewer) than|逾|超过|超逾|突破|高于|多于|至少|不少于|不低于|破|大于|达到?逾|以上)[ a-z]{0,7}$", re.IGNORECASE)  # fmt: skip
_MAX = re.compile(r"(?:less than|fewer than|under|below|at most|up to|no more than|not more than|不到|不足|未满|低于|少于|至多|最多|不超过|未超过|没超过|没有超过|未逾|不逾|未达|not exceed(?:ed|ing)?)[ a-z]{0,7}$", re.IGNORECASE)  # fmt: skip
_AFTER_MIN = re.compile(r"\s?(?:多(?!数)|余|以上|or more|or above|-plus|\+)")
_AFTER_ABOUT = re.compile(r"\s?(?:左右|上下|or so|许)")


def quantities(text: str) -> list[Quantity]:
    """The numbers in a folded text in order, those inside dates included."""
    found: list[Quantity] = []
    for kind in (_parts_of_hundred(text), _fractions(text), _scores(text), _ordinals(text)):
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
    return _inheriting(text, _ranges(text, found))


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
    if text[end : end + 1] in ("多", "余") and unit_at(text, end + 1):
        end += 1
    unit = unit_at(text, end)
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
    if match["words"] and match["words"].lower() in ("a", "an") and dimension not in ("months", "time"):
        return None
    if (
        match["sign"]
        and "+" not in match["sign"]
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
        _bound(text, start, stop),
        soft,
        _scale(value, match) * factor,
        value,
    )


def _scale(value: float, match: re.Match[str]) -> float:
    digits = float(match["digits"].replace(",", "").replace(" ", "")) if match["digits"] else 0.0
    return abs(value) / digits if digits else 1.0


def _bound(text: str, start: int, end: int) -> str:
    before, after = text[max(0, start - 26) : start], text[end : end + 8]
    if _MAX.search(before):
        return "max"
    if re.search(r"[\d百千十万亿兆][多余]", text[start:end]):
        return "min"
    if _MIN.search(before) or _AFTER_MIN.match(after):
        return "min"
    if _APPROXIMATE.search(before) or _AFTER_ABOUT.match(after):
        return "about"
    return ""


def _parts_of_hundred(text: str) -> list[Quantity]:
    found = []
    for match in _PARTS.finditer(text):
        word = match["han"] or match["mille"]
        value = float(word) if word[0].isdecimal() else (han_words(word) or (0.0, 1.0))[0]
        percent = value if match["han"] else value / 10
        found.append(
            Quantity(
                match.start(),
                match.end(),
                match[0],
                percent,
                1.0,
                "percent",
                _bound(text, match.start(), match.end()),
            )
        )
    for match in _TENTHS.finditer(text):
        tens = float(match["tens"]) if match["tens"][0].isdecimal() else HAN_DIGITS[match["tens"]]
        ones = 5 if match["ones"] == "半" else HAN_DIGITS[match["ones"]] if match["ones"] else 0
        step = 1.0 if match["ones"] else 10.0
        found.append(Quantity(match.start(), match.end(), match[0], tens * 10 + ones, step, "percent", _bound(text, match.start(), match.end()) or ("" if match["ones"] else "about")))  # fmt: skip
    return found


def _fractions(text: str) -> list[Quantity]:
    found = []
    for match in _FRACTION.finditer(text):
        if match["part"]:
            top = match["top"].lower() if match["top"] else "a"
            number = int(top) if top.isdecimal() else WORDS.get(top, 1)
            value = 100.0 * number / FRACTIONS[match["part"].lower()]
        elif match["hanpart"]:
            under, over = small(match["hantop"]), small(match["hanpart"])
            value = 100.0 * over / under if under else 0.0
        elif match["hanhalf"]:
            value = 50.0
        else:
            word, base = match["in"].lower(), match["of"].lower()
            top_value = float(word) if word.isdecimal() else float(WORDS.get(word, 0))
            base_value = float(base) if base.isdecimal() else float(WORDS.get(base, 100))
            value = 100.0 * top_value / base_value
        if not 0 < value <= 100:
            continue
        bound = _bound(text, match.start(), match.end())
        if match["hanhalf"] == "过半":
            bound = "min"
        found.append(
            Quantity(match.start(), match.end(), match[0], value, 2.0, "percent", bound or "about", soft=True)
        )
    return found


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
