from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.research.checking.dates import day_of, moments
from nodes.research.checking.folding import fold
from nodes.research.checking.moment import Moment, conflicts, holds

WRITTEN = date(2024, 3, 6)


def one(text: str) -> Moment:
    found = moments(fold(text), WRITTEN)
    assert len(found) == 1, [moment.text for moment in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "year", "month", "day", "quarter"),
    [
        ("on March 5, 2023", 2023, 3, 5, None),
        ("on 5 March 2023", 2023, 3, 5, None),
        ("2023年3月5日", 2023, 3, 5, None),
        ("民國112年3月5日", 2023, 3, 5, None),
        ("民國一百一十二年", 2023, None, None, None),
        ("112年度", 2023, None, None, None),
        ("去年第三季", 2023, None, None, 3),
        ("the third quarter of 2023", 2023, None, None, 3),
        ("3Q23", 2023, None, None, 3),
        ("last month", 2024, 2, None, None),
        ("昨（5）日", 2024, 3, 5, None),
    ],
)
def test_fields(text: str, year: int, month: int | None, day: int | None, quarter: int | None) -> None:
    moment = one(text)
    assert (moment.year, moment.month, moment.day, moment.quarter) == (year, month, day, quarter)


@pytest.mark.parametrize("text", ["三年", "100年歷史", "3個月", "2,023 people", "it may rise"])
def test_no_dates(text: str) -> None:
    assert moments(fold(text), WRITTEN) == []


@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)))
@settings(max_examples=25, deadline=None)
def test_one_day_in_every_writing(day: date) -> None:
    roc = f"民國{day.year - 1911}年{day.month}月{day.day}日"
    writings = [
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
        roc,
    ]
    found = [one(text) for text in writings]
    assert all(holds(a, b, ()) for a in found for b in found)


@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)), st.integers(1, 4000))
@settings(max_examples=25, deadline=None)
def test_two_days_conflict(day: date, off: int) -> None:
    other = date.fromordinal(day.toordinal() + off)
    assert conflicts(one(day.isoformat()), one(other.isoformat()))


def test_a_coarser_claim_is_held_by_a_finer_source_only() -> None:
    assert holds(one("in 2023"), one("on 5 March 2023"), ())
    assert not holds(one("on 5 March 2023"), one("in 2023"), ())
    assert holds(one("2023年第一季"), one("2023年2月"), ())


def test_the_year_before_counts_from_the_year_named() -> None:
    found = moments("It was 5 in 2019, against 4 the year before.", WRITTEN)
    assert [moment.year for moment in found] == [2019, 2018]


@pytest.mark.parametrize(
    ("text", "expected"), [("2024-02-31", None), ("2024", date(2024, 1, 1)), ("soon", None), (None, None)]
)
def test_day_of(text: str | None, expected: date | None) -> None:
    assert day_of(text) == expected
