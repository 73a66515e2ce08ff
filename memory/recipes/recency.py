"""How recently something changed, as a goal says it: a span that ends now, or days of the calendar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory.recipes.ground import Ground
from memory.recipes.stated_numbers import NUMBER, number

MINUTES = {
    "minute": 1, "hour": 60, "day": 1440, "week": 10_080, "fortnight": 20_160, "month": 43_200,
    "year": 525_600,
}  # fmt: skip
CHANGED = r"(?<!\w)(?:(?:modified|changed|updated|edited|touched|made|in|within|during|over|for|from)\s+)*"
SPAN = re.compile(
    rf"{CHANGED}(?:the\s+)?(?:last|past|previous)\s+((?:{NUMBER}\s+)?({'|'.join(MINUTES)})s?)\b",
    re.IGNORECASE,
)
CALENDAR = re.compile(
    rf"{CHANGED}(today|since yesterday|yesterday|this week|this month|this year)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Span:
    """Time before now.

    Attributes:
        minutes: how long; a month has 30 days, a year 365.
        words: how the goal says it: "hour", "2 weeks". Converted, it would be a number that nobody gave.
    """

    minutes: int
    words: str


@dataclass(frozen=True)
class Recency:
    """Since when, until when.

    Attributes:
        span: time before now.
        since, until: ISO instants, local time, of calendar days.
    """

    span: Span | None = None
    since: str | None = None
    until: str | None = None


def current_day() -> date:
    """The day it is here; what is kept of a reading holds for this day only."""
    return datetime.now().date()


def read_recency(ground: Ground, today: date | None = None) -> Recency:
    """Take words for a time before now out of the text.

    Args:
        ground: the text.
        today: counts from this day instead of the current one.
    """
    spans, days = list(SPAN.finditer(ground.text)), list(CALENDAR.finditer(ground.text))
    if len(spans) + len(days) > 1:
        return Recency()  # of two neither is the one that is meant; both stay unexplained
    ground.take(SPAN)
    ground.take(CALENDAR)
    if spans:
        amount = number(spans[0][2]) if spans[0][2] else 1
        return Recency(Span(round(amount * MINUTES[spans[0][3].lower()]), " ".join(spans[0][1].split())))
    return _of_calendar(days[0][1].lower(), today or current_day()) if days else Recency()


def _of_calendar(words: str, today: date) -> Recency:
    yesterday = today - timedelta(days=1)
    if words == "yesterday":
        return Recency(None, f"{yesterday}T00:00:00", f"{yesterday}T23:59:59")
    first = {
        "today": today,
        "since yesterday": yesterday,
        "this week": today - timedelta(days=today.weekday()),
        "this month": today.replace(day=1),
        "this year": today.replace(month=1, day=1),
    }[words]
    return Recency(None, f"{first}T00:00:00")
