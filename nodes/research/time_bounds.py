"""The time a query is about: its bounds as days, and whether a date lies inside. Pure."""

from __future__ import annotations

from nodes.errors import TimeInvalid
from nodes.research.state import TemporalContext
from tools.search.extraction.dates import calendar_date, days_of


def checked(context: TemporalContext) -> TemporalContext:
    """The same time with its bounds as ISO days: a month or year begins on its first and ends on its last.

    Raises:
        TimeInvalid: a bound is no date, or the end lies before the start.
    """
    start = _days(context.start, "start")[0] if context.start else None
    end = _days(context.end, "end")[1] if context.end else None
    if start is not None and end is not None and end < start:
        raise TimeInvalid(
            f"The time asked for ends on {end}, before it starts on {start}.", "Change the two dates round."
        )
    return context.model_copy(update={"start": start, "end": end})


def _days(written: str, which: str) -> tuple[str, str]:
    found = calendar_date(written)
    if found is None:
        raise TimeInvalid(
            f"The {which} of the time asked for, {written[:40]!r}, is no date.", "Write it as 2024-01-31."
        )
    first, last = days_of(found)
    return first.isoformat(), last.isoformat()


def in_time(day: str | None, context: TemporalContext) -> bool:
    """True unless a date is known and lies outside; a month or a year lies inside if a part of it does."""
    found = calendar_date(day) if day is not None else None
    if found is None:
        return True
    # Days of the ISO form are in order as texts, too.
    first, last = (one.isoformat() for one in days_of(found))
    late = context.start is not None and last < context.start
    early = context.end is not None and first > context.end
    return not (late or early)
