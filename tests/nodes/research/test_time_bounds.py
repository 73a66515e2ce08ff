from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.errors import TimeInvalid
from nodes.research.state import TemporalContext
from nodes.research.time_bounds import checked, in_time
from tests.nodes.research.corpus import OFFICIAL, item, researched
from tools.search.items import Item

DAYS = st.dates(date(1912, 1, 1), date(2100, 1, 1))
Spelling = Callable[[date], str]
SPELLED: tuple[Spelling, ...] = (
    lambda day: day.isoformat(),
    lambda day: f"{day.year}/{day.month}/{day.day}",
    lambda day: f"{day:%Y%m%d}",
    lambda day: f"{day.day} {day:%B %Y}",
    lambda day: f"民國{day.year - 1911}年{day.month}月{day.day}日",
)
ONE = st.sampled_from(SPELLED)


@given(DAYS, DAYS, DAYS, ONE, ONE, ONE)
def test_dates_are_compared_as_days_however_they_are_written(
    day: date, one: date, other: date, how: Spelling, how_start: Spelling, how_end: Spelling
) -> None:
    start, end = sorted((one, other))
    context = checked(TemporalContext(start=how_start(start), end=how_end(end)))
    assert (context.start, context.end) == (start.isoformat(), end.isoformat())
    dated = Item(url="a", schema_object={"datePublished": how(day)})
    assert in_time(dated.date, context) is (start <= day <= end)


@pytest.mark.parametrize(
    ("start", "end"),
    [("hello", None), (None, "soon"), ("2024-01-01", "2023-01-01"), ("2024", "2023"), ("2024-02-30", None)],
)
def test_a_time_that_is_none_is_refused(start: str | None, end: str | None) -> None:
    with pytest.raises(TimeInvalid):
        checked(TemporalContext(start=start, end=end))


def test_a_month_or_a_year_is_all_of_its_days() -> None:
    whole = checked(TemporalContext(start="2023", end="2024-02"))
    assert (whole.start, whole.end) == ("2023-01-01", "2024-02-29")
    assert checked(TemporalContext(start="", end=None)) == TemporalContext()


async def test_a_run_keeps_to_the_time_and_refuses_one_that_is_none(tmp_path: Path) -> None:
    items = [item("https://a.example/1", "行政院", OFFICIAL, "3 May 2019")]
    items.append(item("https://b.example/2", "PTT", OFFICIAL + " It is old.", "no idea"))
    state = await researched(tmp_path, "in-time", items=items, temporal_context={"start": "20230601"})
    assert [(source.url, source.date) for source in state.sources] == [("https://b.example/2", None)]
    assert state.temporal_context.start == "2023-06-01"
    state = await researched(tmp_path, "no-time", items=items, temporal_context={"start": "hello"})
    told = state.result[0]["schema_object"]
    assert told["@type"] == "ErrorReport" and "'hello'" in told["message"] and told["remedy"]
