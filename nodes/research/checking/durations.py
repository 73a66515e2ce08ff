"""Times of a race and lengths of time in several units, and the other numbers one pattern is not enough for. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from nodes.research.checking.clocks import CLOCK_WORDS, clock_at, clocks
from nodes.research.checking.halves import halves
from nodes.research.checking.hedges import bound_of
from nodes.research.checking.number_words import COUNT, HAN_COUNT, small
from nodes.research.checking.quantity import Quantity

# "2:28:17" and "28:31.6" are marks; "14:30" alone may be the time of day.
_COLONS = re.compile(
    r"(?<![\d:.,])(?P<first>\d{1,3}):(?P<second>[0-5]\d)(?::(?P<third>[0-5]\d))?(?P<part>\.\d{1,3})?(?![\d:])"
    r"(?:\s?(?P<noon>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_HAN_MARK = re.compile(
    rf"(?:(?P<hours>{COUNT})(?:个?小时|个?钟头|时)(?:又|零)?)?(?:(?P<minutes>{COUNT})分钟?(?:又|零)?)?(?P<seconds>\d+(?:\.\d+)?|{HAN_COUNT})秒(?P<part>\d{{1,3}}(?!\d))?"
    rf"|(?P<hours2>{COUNT})(?:个?小时|个?钟头)(?:又|零)?(?P<minutes2>{COUNT})分钟?(?!之)"
)
_LETTERS = re.compile(
    r"(?<![\w.])(?:(?P<hours>\d{1,3})\s?h(?:rs?|ours?)?\s?)(?P<minutes>\d{1,2})\s?m(?:ins?)?\b(?:\s?(?P<seconds>\d{1,2}(?:\.\d+)?)\s?s(?:ecs?)?\b)?"
    r"|(?<![\w.])(?P<minutes2>\d{1,3})\s?m(?:in)?\s?(?P<seconds2>\d{1,2}(?:\.\d+)?)\s?s(?:ec)?\b"
    r"|(?<![\w.])(?P<minutes3>\d{1,3})'\s?(?P<seconds3>\d{1,2}(?:\.\d+)?)(?:\"|'')"
)
_UNIT_LETTER = re.compile(r"\d(?:\s?[hm]|')")
_JOINT = re.compile(r"\s?(?:,\s?)?(?:and\s)?|又|零")


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
            found.append(clock_at(text, match.start(), match.end(), (first, second), match["noon"]))
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


_READERS = (
    (_colons, (":",)),
    (_marks, ("秒", "小时", "钟头")),
    (_letters, ("h", "'", "s")),
    (clocks, ("时", "点", *CLOCK_WORDS)),
    (halves, ("half", "quarter", "半", "½", "¼", "¾")),
)
