"""Dates worded from the day a text was written: "last year", 昨日, "on Monday". Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from nodes.research.checking.date_patterns import WEEKDAYS
from nodes.research.checking.moment import Moment

_YEARS_OFF = {
    "大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "本年度": 0, "明年": 1, "后年": 2,
    "last year": -1, "this year": 0, "the year": 0, "next year": 1, "a year ago": -1, "one year ago": -1, "two years ago": -2,
}  # fmt: skip
_PRIOR = frozenset(
    "上一年|前一年|the previous year|the prior year|previous year|prior year|the preceding year|preceding year|a year earlier|one year earlier|a year before|one year before|the year before|two years earlier".split(
        "|"
    )
)
_MONTHS_OFF = {"上上月": -2, "上上个月": -2, "上月": -1, "上个月": -1, "本月": 0, "这个月": 0, "下月": 1, "下个月": 1, "last month": -1, "this month": 0, "next month": 1}  # fmt: skip
_DAYS_OFF = {"昨日": -1, "昨天": -1, "今日": 0, "今天": 0, "前天": -2, "明日": 1, "明天": 1, "yesterday": -1, "today": 0, "tomorrow": 1}  # fmt: skip


def counted_from_writing(moment: Moment, words: str, written: date | None) -> Moment:
    """A date with what its words say of it: "last month", 去年, 前一年.

    Args:
        moment: with what its pattern found.
        words: those that count from the day of writing, or from another year the sentence names.
        written: the day of writing; None if nobody knows it.
    """
    start, end, text = moment.start, moment.end, moment.text
    if words in _PRIOR:
        return replace(moment, year=None, relative=True, prior=True)
    inner = re.search(r"\d{1,2}", words)
    if written is None:
        day = int(inner[0]) if inner and 1 <= int(inner[0]) <= 31 else moment.day
        return replace(moment, year=None, day=day, relative=True)
    if words in _YEARS_OFF:
        return replace(moment, year=written.year + _YEARS_OFF[words], relative=True)
    if words in _MONTHS_OFF:
        months = written.year * 12 + written.month - 1 + _MONTHS_OFF[words]
        return Moment(start, end, text, months // 12, months % 12 + 1, relative=True)
    if words in _DAYS_OFF or inner:
        return _near_day(moment, words, int(inner[0]) if inner else None, written)
    return replace(moment, year=None, relative=True)


def _near_day(moment: Moment, words: str, told: int | None, written: date) -> Moment:
    """昨日, 昨(5)日, 29日: a day of the month of writing, or of the one before."""
    if told is None or words[0] in "昨今":
        day = written + timedelta(days=_DAYS_OFF.get(words, -1 if words[0] == "昨" else 0))
        if told is not None and not 1 <= told <= 31:
            return replace(moment, day=None, relative=True)
        return replace(
            moment, year=day.year, month=day.month, day=told or day.day, relative=True, days=0 if told else 1
        )
    if not 1 <= told <= 31:
        return replace(moment, day=None, relative=True)
    if told > written.day:
        return replace(moment, day=told, relative=True)
    return replace(moment, year=written.year, month=written.month, day=told, relative=True)


def weekday_before(match: re.Match[str], written: date | None) -> Moment:
    """The last day of a name before the day of writing, or that day itself."""
    if written is None:
        return Moment(match.start(), match.end(), match[0], relative=True)
    back = (written.weekday() - WEEKDAYS.index(match["weekday"].lower())) % 7
    day = written - timedelta(days=back)
    return Moment(match.start(), match.end(), match[0], day.year, day.month, day.day, relative=True, days=7)
