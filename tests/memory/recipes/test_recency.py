"""Times before now, as goals say them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.ground import Ground
from memory.recipes.reading import read_goal
from memory.recipes.recency import MINUTES, Recency, Span, read_recency

FRIDAY = date(2026, 5, 1)


@given(st.integers(2, 900), st.sampled_from(sorted(MINUTES)), st.sampled_from(("last", "past", "previous")))
def test_a_span_is_as_long_as_it_says_and_said_as_it_was(amount: int, unit: str, last: str) -> None:
    found = read_recency(Ground.of(f"files modified in the {last} {amount} {unit}s"))
    assert found == Recency(Span(amount * MINUTES[unit], f"{amount} {unit}s"))


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("files changed in the last hour", Recency(Span(60, "hour"))),
        ("changed within the past two weeks", Recency(Span(20_160, "two weeks"))),
        ("commits of the last 1.5 hours", Recency(Span(90, "1.5 hours"))),
        ("files changed today", Recency(None, "2026-05-01T00:00:00")),
        ("files changed yesterday", Recency(None, "2026-04-30T00:00:00", "2026-04-30T23:59:59")),
        ("changed since yesterday", Recency(None, "2026-04-30T00:00:00")),
        ("commits this week", Recency(None, "2026-04-27T00:00:00")),
        ("commits this month", Recency(None, "2026-05-01T00:00:00")),
        ("commits this year", Recency(None, "2026-01-01T00:00:00")),
        ("files changed today or in the last 2 days", Recency()),
        ("the last line of notes.md", Recency()),
    ],
)
def test_of_two_times_neither_is_meant_and_days_begin_at_midnight(goal: str, expected: Recency) -> None:
    assert read_recency(Ground.of(goal), FRIDAY) == expected


def test_a_time_is_explained_and_the_rest_left_to_be_read() -> None:
    reading = read_goal("how many files were changed this week")
    assert reading.residue == () and "count" in reading.asks and reading.quantities.recent


def test_what_was_read_yesterday_is_not_answered_with_its_days(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for day in (date(2026, 3, 1), date(2026, 3, 2)):
        for module in ("reading", "recency", "quantities"):
            monkeypatch.setattr(f"memory.recipes.{module}.current_day", lambda day=day: day)
        seen.append(read_goal("which commits were made today").quantities.since)
    assert seen == ["2026-03-01T00:00:00", "2026-03-02T00:00:00"]
