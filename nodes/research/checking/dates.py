"""Dates as English and Chinese write them, whole or in part, Republic of China years too. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from nodes.research.checking.date_patterns import (
    CHINESE,
    COUNTS,
    ENGLISH,
    MONTH_NUMBERS,
    ONLY_WITH,
    QUARTERS,
    SEASONS,
)
from nodes.research.checking.moment import Moment
from nodes.research.checking.number_words import HAN_DIGITS, HAN_TENS
from nodes.research.checking.relative_dates import counted_from_writing, weekday_before

ROC_OFFSET = 1911
_COMPARED = re.compile(
    r"(?:\b(?:from|than|compared (?:with|to)|against|versus|over|on)(?: the)? |[较比与])$", re.IGNORECASE
)
_COUNTED = {word: number for number, word in enumerate(COUNTS.split("|"), start=2)} | {"两": 2}
_SMALL = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten".split(), start=2)
}


def moments(text: str, written: date | None = None) -> list[Moment]:
    """The dates in a folded text in order.

    Args:
        text: folded.
        written: the day the text was written, which "last year" counts from.
    """
    found: list[Moment] = []
    low = text.lower()
    for pattern in (*CHINESE, *ENGLISH) if not text.isascii() else ENGLISH:
        words = ONLY_WITH.get(pattern)
        if words and not any(word in low for word in words):
            continue
        for match in pattern.finditer(text):
            if any(one.start < match.end() and match.start() < one.end for one in found):
                continue
            found += _moments(match, written)
    found = [
        replace(one, prior=True) if one.relative and not one.prior and _compares(text, one) else one
        for one in found
    ]
    return _prior_years(sorted(found, key=lambda moment: moment.start), written)


def _compares(text: str, moment: Moment) -> bool:
    """True if a relative date only tells what something is compared with: "up from last year", 較去年同期."""
    back = re.search(r"year|去年|前年|上年|上月|上个月|month|quarter|上季", moment.text) is not None
    return back and (
        "同期" in moment.text
        or "同期" in text[moment.end : moment.end + 2]
        or _COMPARED.search(text[: moment.start]) is not None
    )


def _prior_years(found: list[Moment], written: date | None) -> list[Moment]:
    """What "the year before" means: it counts from the year the sentence names, else from the one before the writer's."""
    named = [moment for moment in found if not moment.prior and not moment.empty]
    base = next((moment.year for moment in named if moment.year), None)
    year = base - 1 if base else written.year - 1 if written else None
    part = next((one for one in named if one.month or one.quarter or one.half or one.through), None)
    return [_placed(moment, year, part) if moment.prior else moment for moment in found]


def _placed(moment: Moment, year: int | None, part: Moment | None) -> Moment:
    """A "year before" with its year, and the month or quarter the sentence speaks of: it compares like with like."""
    if moment.year is None:
        moment = replace(moment, year=year, relative=True)
    if part is None or moment.month or moment.quarter or moment.half or moment.through:
        return moment
    return replace(moment, month=part.month, quarter=part.quarter, half=part.half, through=part.through)


def _moments(match: re.Match[str], written: date | None) -> list[Moment]:
    groups = {name: value for name, value in match.groupdict().items() if value}
    start, end, text = match.start(), match.end(), match[0]
    if "decade" in groups:
        return [Moment(start, end, text, year=int(groups["decade"]), decade=True)]
    if "from" in groups:
        first = int(groups["from"])
        return [
            Moment(start, start + 4, text, year=first),
            Moment(start + 5, end, text, year=first - first % 100 + int(groups["to"])),
        ]
    if "ago" in groups:
        back = _SMALL.get(groups["ago"].lower()) or _number(groups["ago"])
        year = written.year - back if written and back else None
        return [Moment(start, end, text, year=year, relative=True)]
    if "weekday" in groups:
        return [weekday_before(match, written)]
    year = _year(groups, text)
    if "year" in groups and year is None:
        return []
    month = _number(groups.get("month")) or MONTH_NUMBERS.get(groups.get("name", "").lower())
    day = _number(groups.get("day"))
    if (month and not 1 <= month <= 12) or (day and not 1 <= day <= 31):
        return []
    quarter = groups.get("quarter") or groups.get("quarter2") or groups.get("q") or groups.get("q2")
    number = (QUARTERS.get(quarter.lower()) or int(quarter)) if quarter else None
    half = groups.get("half", "").lower() or groups.get("h")
    moment = Moment(
        start,
        end,
        text,
        year,
        month,
        day,
        number,
        {"first": 1, "上": 1, "1": 1}.get(half, 2) if half else None,
        season=SEASONS.get((groups.get("season") or groups.get("season2") or "").lower()),
        through=_through(groups),
    )
    return (
        [counted_from_writing(moment, groups["relative"].lower(), written)]
        if "relative" in groups
        else [moment]
    )


def _through(groups: dict[str, str]) -> int | None:
    """The last month of "the first nine months", "January to September", 前三季度."""
    if name := groups.get("throughname"):
        return MONTH_NUMBERS[name.lower()]
    written = groups.get("through") or groups.get("through2") or groups.get("throughq")
    if written is None:
        return None
    count = _COUNTED.get(written.lower()) or _number(written) or 0
    month = count * 3 if "throughq" in groups else count
    return month if 2 <= month <= 12 else None


def _year(groups: dict[str, str], text: str) -> int | None:
    written = groups.get("year") or groups.get("year2")
    if written is None:
        return None
    if not written.isdecimal():
        digits = [HAN_DIGITS.get(sign) for sign in written]
        if len(written) == 4 and None not in digits:
            return int("".join(str(digit) for digit in digits))
        if len(written) == 3 and None not in digits:
            return int("".join(str(digit) for digit in digits)) + ROC_OFFSET
        value = _han(written)
        # "三年" is how long; "一百一十二年" is a year of the Republic.
        return value + ROC_OFFSET if groups.get("era") or ("百" in written and 85 <= value <= 140) else None
    value = int(written)
    if groups.get("era"):
        return value + ROC_OFFSET
    if len(written) == 4:
        return value if 1500 <= value <= 2199 else None
    if len(written) == 3 and "年" in text:
        return value + ROC_OFFSET if 85 <= value <= 140 else None
    if len(written) == 2:
        certain = groups.get("month") or groups.get("quarter") or groups.get("half")
        if "年" in text:
            return value + ROC_OFFSET if certain and value >= 60 else None
        return 2000 + value if value < 70 else 1900 + value
    return None


def _han(word: str) -> int:
    total = digit = 0
    for sign in word:
        if sign in HAN_DIGITS:
            digit = HAN_DIGITS[sign]
        elif sign in HAN_TENS:
            total, digit = total + (digit or 1) * HAN_TENS[sign], 0
    return total + digit


def _number(written: str | None) -> int | None:
    return None if written is None else int(written) if written.isdecimal() else _han(written)


def day_of(published: str | None) -> date | None:
    """The day an ISO 8601 date names; the first of what it leaves open; None if it names none."""
    match = re.match(r"(\d{4})(?:-?(\d\d))?(?:-?(\d\d))?", published or "")
    if not match:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None
