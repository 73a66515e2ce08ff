"""Times of a race, lengths of time in several units, times of day, and halves: numbers one pattern is not enough for. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from nodes.research.checking.hedges import bound_of
from nodes.research.checking.number_words import SCALES, WORDS, small
from nodes.research.checking.quantity import Quantity
from nodes.research.checking.units import unit_at

NOON = 43_200.0
_HAN = r"[零一二两三四五六七八九十百]+"
_N = rf"\d+|{_HAN}"
# "2:28:17" and "28:31.6" are marks; "14:30" alone may be the time of day.
_COLONS = re.compile(
    r"(?<![\d:.,])(?P<first>\d{1,3}):(?P<second>[0-5]\d)(?::(?P<third>[0-5]\d))?(?P<part>\.\d{1,3})?(?![\d:])"
    r"(?:\s?(?P<noon>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_HAN_MARK = re.compile(
    rf"(?:(?P<hours>{_N})(?:个?小时|个?钟头|时)(?:又|零)?)?(?:(?P<minutes>{_N})分钟?(?:又|零)?)?(?P<seconds>\d+(?:\.\d+)?|{_HAN})秒(?P<part>\d{{1,3}}(?!\d))?"
    rf"|(?P<hours2>{_N})(?:个?小时|个?钟头)(?:又|零)?(?P<minutes2>{_N})分钟?(?!之)"
)
_LETTERS = re.compile(
    r"(?<![\w.])(?:(?P<hours>\d{1,3})\s?h(?:rs?|ours?)?\s?)(?P<minutes>\d{1,2})\s?m(?:ins?)?\b(?:\s?(?P<seconds>\d{1,2}(?:\.\d+)?)\s?s(?:ecs?)?\b)?"
    r"|(?<![\w.])(?P<minutes2>\d{1,3})\s?m(?:in)?\s?(?P<seconds2>\d{1,2}(?:\.\d+)?)\s?s(?:ec)?\b"
    r"|(?<![\w.])(?P<minutes3>\d{1,3})'\s?(?P<seconds3>\d{1,2}(?:\.\d+)?)(?:\"|'')"
)
_UNIT_LETTER = re.compile(r"\d(?:\s?[hm]|')")
_CLOCK_WORDS = (
    " am",
    " pm",
    "a.m",
    "p.m",
    "0am",
    "0pm",
    "5am",
    "5pm",
    "o'clock",
    "morning",
    "afternoon",
    "evening",
    "at night",
    " past ",
    "quarter",
    "twenty",
    "at five",
    "at ten",
    "at 1",
    "at 2",
    "at 0",
    *(f"{n}{half}m" for n in range(10) for half in "ap"),
)
_HOURS = r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|1[0-2]|[1-9]"
_SETTLED = re.compile(
    r"[ap]\.?m|上午|下午|晚|凌晨|清晨|早|傍晚|深夜|夜|午后|morning|afternoon|evening|night|\b(?:1[3-9]|2[0-4])[:.时点]",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w.:,$€£])(?P<hour>1[0-2]|0?[1-9])(?:\.(?P<minute>[0-5]\d))?\s?(?P<noon>[ap])\.?m\b"
    rf"|(?P<part>上午|下午|晚上|晚间|凌晨|清晨|早上|早晨|中午|傍晚|深夜|夜间|午后|当晚|今晚|昨晚)(?P<han>\d{{1,2}}|{_HAN})[时点](?:钟)?(?:(?P<hanminute>{_N})分|(?P<half>半))?"
    rf"|\b(?P<word>{_HOURS})(?: o'clock)? (?:in the (?P<when>morning|afternoon|evening)|at (?P<night>night))"
    rf"|\b(?P<past>(?:a )?quarter|half(?= past)|twenty(?:-five)?|(?<=at )(?:five|ten)|(?<=before )(?:five|ten)) (?P<side>to|past) (?P<word3>{_HOURS})\b(?!\.\d|\s?%)(?: (?:in the (?P<when3>morning|afternoon|evening)))?"
    r"|(?<=\bat )(?P<hour4>[01]?\d|2[0-3])\.(?P<minute4>[0-5]\d)(?=[,;]|\.(?!\d)|$|\s?\u2400|\s(?:on|yesterday|today|local|GMT|CET|BST|in the|and|when|as)\b)"
    rf"|\b(?P<word2>{_HOURS})(?: o'clock| in the (?P<when2>morning|afternoon|evening))\b"
    r"|(?<![点零一二两三四五六七八九十百千万])(?P<han3>[一二两三四五六七八九]|十[一二]?)[时点](?:(?P<hanminute3>[零一二三四五六七八九十]{1,3})分(?!之)|(?P<half3>半)|(?=[整钟]))"
    r"|(?<![\d.])(?P<han2>\d{1,2})[时点](?:(?P<hanminute2>[0-5]?\d)分|(?P<half2>半)|(?=[整许前后左,。]))",
    re.IGNORECASE,
)
_AFTERNOON = frozenset(("afternoon", "evening", "night")) | frozenset(
    ("下午", "晚上", "晚间", "傍晚", "深夜", "夜间", "午后", "当晚", "今晚", "昨晚")
)
_WORD = "|".join(sorted((word for word in WORDS if word != "zero"), key=len, reverse=True))
_HALVES = re.compile(
    rf"(?<![\w-])(?P<count>{_WORD}|\d+|an?)(?: | ?-)(?:and[ -]a[ -]half|½)(?=[ -])"
    r"|(?<![\w.])(?P<vulgar>\d*)(?P<sign>[½¼¾])"
    rf"|(?<![\w-])(?P<units>{_WORD}|\d+|an?) (?P<unit>years?|months?|weeks?|days?|hours?|minutes?|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|decades?|centur(?:y|ies)) and a half\b"
    r"|(?<![\w-])(?P<half>half|a quarter|three[ -]quarters)(?: an? | of an? |-)(?=(?:hour|day|month|year|century|decade|mile|kilomet|met|tonne?|dozen|million|billion|thousand|hundred|degree|percentage|litre|acre|minute|second)s?)"
    rf"|(?<!\d)(?P<hancount>\d+|{_HAN})(?P<hanunit>年|周|天|倍|分钟|公里|米|吨|岁)半(?![年月天小])"
    rf"|(?<!\d)(?P<hancount2>\d+|{_HAN})个半(?=月|小时|钟头|星期|世纪|季度|百分点)"
    r"|(?<![上下前后大小头期过多学])(?P<hanhalf>半)个?(?=年(?!度?报)|小时|钟头|月|世纪|天|公里|吨)",
    re.IGNORECASE,
)
_SIGNS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_SCALE = re.compile(r"[ -]?(hundred|thousand|million|billion|trillion|dozen)\b", re.IGNORECASE)
_JOINT = re.compile(r"\s?(?:,\s?)?(?:and\s)?|又|零")


def settled(clock: Quantity) -> bool:
    """True if a time of day says in which half of the day it lies."""
    return _SETTLED.search(clock.text) is not None


def durations(text: str) -> list[Quantity]:
    """Marks, lengths of time in several units, times of day and numbers with a half, in a folded text."""
    found: list[Quantity] = []
    low = text.lower()
    for read, words in _READERS:
        # Few sentences hold any of these words, and to look for one is quick.
        if not any(word in low for word in words):
            continue
        found += [
            one for one in read(text) if not any(o.start < one.end and one.start < o.end for o in found)
        ]
    return found


def joined(text: str, found: list[Quantity]) -> list[Quantity]:
    """One number of "two hours and 28 minutes", "three years, four months", "6 feet 2 inches"."""
    kept: list[Quantity] = []
    for one in found:
        last = kept[-1] if kept else None
        if last and _continues(text, last, one):
            kept[-1] = replace(
                last,
                end=one.end,
                text=text[last.start : one.end],
                value=last.value + one.value,
                step=one.step,
                plain=(last.value + one.value) / _unit(last),
                bound=last.bound or one.bound,
                soft=False,
            )
        else:
            kept.append(one)
    return kept


def _unit(number: Quantity) -> float:
    return number.value / number.plain if number.plain and number.value else 1.0


def _continues(text: str, last: Quantity, one: Quantity) -> bool:
    if not last.dimension or one.dimension != last.dimension or one.label or not (last.plain and one.plain):
        return False
    between = text[last.end : one.start]
    if not _JOINT.fullmatch(between) or (between.strip() and last.dimension not in ("time", "months")):
        return False
    ratio = _unit(last) / _unit(one)
    return (
        last.dimension in ("time", "months", "length", "mass")
        and ratio > 1.5
        and one.value < _unit(last) * 1.0001
    )


def _time(text: str, start: int, end: int, seconds: float, step: float) -> Quantity:
    return Quantity(
        start, end, text[start:end], seconds, step, "time", bound_of(text, start, end), plain=seconds
    )


def _colons(text: str) -> list[Quantity]:
    found = []
    for match in _COLONS.finditer(text):
        first, second = int(match["first"]), int(match["second"])
        step = 10.0 ** -(len(match["part"]) - 1) if match["part"] else 1.0
        part = float(match["part"] or 0)
        if match["third"]:
            value = first * 3600 + second * 60 + int(match["third"]) + part
        elif match["part"]:
            value = first * 60 + second + part
        elif first < 25:
            found.append(_clock(text, match.start(), match.end(), (first, second), match["noon"]))
            continue
        else:
            value = float(first * 60 + second)
        found.append(_time(text, match.start(), match.end(), value, step))
    return found


def _marks(text: str) -> list[Quantity]:
    found = []
    for match in _HAN_MARK.finditer(text):
        hours = match["hours"] or match["hours2"]
        minutes = match["minutes"] or match["minutes2"]
        if not (hours or minutes or match["part"]):
            continue
        value = (small(hours) if hours else 0.0) * 3600 + (small(minutes) if minutes else 0.0) * 60
        step = 60.0
        if match["seconds"]:
            written = match["seconds"]
            part = match["part"] or ""
            value += float(written) if written[0].isdecimal() else small(written)
            value += float(f"0.{part}") if part else 0.0
            step = 10.0 ** -len(part or written.partition(".")[2])
        found.append(_time(text, match.start(), match.end(), value, step))
    return found


def _letters(text: str) -> list[Quantity]:
    if not _UNIT_LETTER.search(text):
        return []
    found = []
    for match in _LETTERS.finditer(text):
        told = {name: value for name, value in match.groupdict().items() if value}
        hours = float(told.get("hours", 0))
        minutes = float(told.get("minutes") or told.get("minutes2") or told.get("minutes3") or 0)
        seconds = told.get("seconds") or told.get("seconds2") or told.get("seconds3")
        step = 10.0 ** -len(seconds.partition(".")[2]) if seconds else 60.0
        value = hours * 3600 + minutes * 60 + float(seconds or 0)
        found.append(_time(text, match.start(), match.end(), value, step))
    return found


def _clock(text: str, start: int, end: int, hour_minute: tuple[int, int], noon: str | None) -> Quantity:
    hour, minute = hour_minute
    if noon:
        hour = hour % 12 + (12 if noon.lower() == "p" else 0)
    value = hour * 3600.0 + minute * 60.0
    return Quantity(
        start,
        end,
        text[start:end],
        value,
        60.0 if minute else 3600.0,
        "clock",
        bound_of(text, start, end),
        plain=hour * 60.0 + minute,
    )


def _clocks(text: str) -> list[Quantity]:
    found = []
    for match in _CLOCK.finditer(text):
        if match["hour"]:
            hour, minute, noon = int(match["hour"]), int(match["minute"] or 0), match["noon"]
        elif match["hour4"]:
            hour, minute, noon = int(match["hour4"]), int(match["minute4"]), None
        elif word := match["word"] or match["word2"] or match["word3"]:
            hour, minute = _spoken(word, match["past"], match["side"])
            when = match["when"] or match["when2"] or match["when3"] or match["night"] or ""
            noon = "p" if when.lower() in _AFTERNOON else "a" if when else None
        else:
            hour = int(small(match["han"] or match["han2"] or match["han3"]))
            said = match["hanminute"] or match["hanminute2"] or match["hanminute3"]
            minute = (
                int(small(said)) if said else 30 if match["half"] or match["half2"] or match["half3"] else 0
            )
            noon = "p" if match["part"] in _AFTERNOON and hour <= 12 else None
        if hour <= 24 and minute < 60:
            found.append(_clock(text, match.start(), match.end(), (hour, minute), noon))
    return found


def _spoken(hour: str, minutes: str | None, side: str | None) -> tuple[int, int]:
    """Hour and minute of "twenty to seven" and "half past three"."""
    if minutes is None:
        return int(_count(hour)), 0
    low = minutes.lower().removeprefix("a ")
    said = {"quarter": 15, "half": 30, "twenty-five": 25}.get(low) or int(_count(low))
    if side and side.lower() == "to":
        return (int(_count(hour)) - 2) % 12 + 1, 60 - said
    return int(_count(hour)), said


def _halves(text: str) -> list[Quantity]:
    found = []
    for match in _HALVES.finditer(text):
        value, end = _half_value(match), match.end()
        if match["unit"] or match["hanunit"]:
            unit = unit_at(text, match.start("unit" if match["unit"] else "hanunit"))
        else:
            scale = _SCALE.match(text, end)
            if scale:
                value, end = value * SCALES[scale[1].lower()], scale.end()
            unit = unit_at(text, end)
            if unit is None and not text[:end].isascii():
                # 个月 is a unit, 月 alone is not.
                counted = unit_at("个" + text[end : end + 4], 0)
                unit = replace(counted, length=counted.length - 1) if counted else None
            end += unit.length if unit else 0
        if unit is None and value < 1 and not match["vulgar"]:
            continue
        factor = unit.factor if unit else 1.0
        soft = bool(match["half"] or match["hanhalf"])
        found.append(
            Quantity(
                match.start(),
                end,
                text[match.start() : end],
                value * factor,
                0.25 * factor * (value if value > 1000 else 1.0),
                unit.dimension if unit else "",
                bound_of(text, match.start(), end),
                soft,
                plain=value,
            )
        )
    return found


def _half_value(match: re.Match[str]) -> float:
    count = match["count"] or match["units"]
    if count:
        return _count(count) + 0.5
    if match["sign"]:
        return float(match["vulgar"] or 0) + _SIGNS[match["sign"]]
    if match["half"]:
        said = match["half"].lower()
        return 0.5 if said == "half" else 0.25 if said == "a quarter" else 0.75
    han = match["hancount"] or match["hancount2"]
    return small(han) + 0.5 if han else 0.5


def _count(word: str) -> float:
    low = word.lower()
    return float(low) if low.isdecimal() else float(WORDS.get(low, 1))


_READERS = (
    (_colons, (":",)),
    (_marks, ("秒", "小时", "钟头")),
    (_letters, ("h", "'", "s")),
    (_clocks, ("时", "点", *_CLOCK_WORDS)),
    (_halves, ("half", "quarter", "半", "½", "¼", "¾")),
)
