"""Times of day: "half past three", "4.30 pm", 下午三时. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.hedges import bound_of
from nodes.research.checking.number_words import COUNT, HAN_COUNT, counted, small
from nodes.research.checking.quantity import Quantity

NOON = 43_200.0
CLOCK_WORDS = (
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
    rf"|(?P<part>上午|下午|晚上|晚间|凌晨|清晨|早上|早晨|中午|傍晚|深夜|夜间|午后|当晚|今晚|昨晚)(?P<han>\d{{1,2}}|{HAN_COUNT})[时点](?:钟)?(?:(?P<hanminute>{COUNT})分|(?P<half>半))?"
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


def settled(clock: Quantity) -> bool:
    """True if a time of day says in which half of the day it lies."""
    return _SETTLED.search(clock.text) is not None


def clock_at(text: str, start: int, end: int, hour_minute: tuple[int, int], noon: str | None) -> Quantity:
    """The time of day between two offsets, in seconds since midnight.

    Args:
        text: folded.
        start: offset of its first character.
        end: offset after its last one.
        hour_minute: as written.
        noon: "a" or "p" where the text says so.
    """
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


def clocks(text: str) -> list[Quantity]:
    """The times of day in a folded text that words or signs tell; "14:30" may be a mark as well."""
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
            found.append(clock_at(text, match.start(), match.end(), (hour, minute), noon))
    return found


def _spoken(hour: str, minutes: str | None, side: str | None) -> tuple[int, int]:
    """Hour and minute of "twenty to seven" and "half past three"."""
    if minutes is None:
        return int(counted(hour)), 0
    low = minutes.lower().removeprefix("a ")
    said = {"quarter": 15, "half": 30, "twenty-five": 25}.get(low) or int(counted(low))
    if side and side.lower() == "to":
        return (int(counted(hour)) - 2) % 12 + 1, 60 - said
    return int(counted(hour)), said
