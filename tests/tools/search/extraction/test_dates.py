from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.search.extraction.dates import calendar_date, dated_line, days_of, iso_date


@settings(max_examples=40)
@given(st.dates(date(1912, 1, 1), date(2100, 1, 1)))
def test_one_day_in_every_spelling_is_one_date(day: date) -> None:
    spellings = [
        day.isoformat(), f"{day:%Y-%m-%d}T08:00:00Z", f"{day.year}年{day.month}月{day.day}日",
        f"民國{day.year - 1911}年{day.month}月{day.day}日", f"{day.year}/{day.month}/{day.day}",
        f"{day:%d %B %Y}", f"{day:%B} {day.day}, {day.year}", f"D:{day:%Y%m%d}120000+08'00'",
        f"{day:%a, %d %b %Y} 10:00:00 GMT",
    ]  # fmt: skip
    assert {iso_date(spelling) for spelling in spellings} == {day.isoformat()}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "05/06/2024",
        "2024",
        "May 2024",
        "2024-13-40",
        "113年13月1日",
        "9999-01-01",
        "12 pages",
    ],
)
def test_what_is_no_day_or_could_be_two_is_none(text: str) -> None:
    assert iso_date(text) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Title\n\n**Date:** May 3, 2024\n", "May 3, 2024"),
        ("發布日期：民國113年5月3日\n內文", "民國113年5月3日"),
        ("发布时间: 2024-05-03 10:00\n", "2024-05-03 10:00"), ("Update: nothing new\n", ""),
        ("The date: nobody knows it\n", ""), ("x" * 3000 + "\nDate: 2024-05-03\n", ""),
    ],
)  # fmt: skip
def test_a_date_line_near_the_beginning_is_found(text: str, line: str) -> None:
    assert dated_line(text) == line


@settings(max_examples=40)
@given(st.dates(date(1912, 1, 1), date(2100, 1, 1)))
def test_one_month_in_every_spelling_has_its_days(day: date) -> None:
    spellings = [
        f"{day:%Y-%m}", f"{day:%Y/%m}", f"{day.year}年{day.month}月", f"民國{day.year - 1911}年{day.month}月",
        f"{day:%B %Y}", f"{day:%b. %Y}",
    ]  # fmt: skip
    assert {calendar_date(spelling) for spelling in spellings} == {f"{day:%Y-%m}"}
    first, last = days_of(f"{day:%Y-%m}")
    assert first.day == 1 and first <= day <= last and (last + timedelta(days=1)).day == 1
    for year in (str(day.year), f"{day.year}年", f"民國{day.year - 1911}年"):
        assert calendar_date(year) == str(day.year)
    assert days_of(str(day.year)) == (date(day.year, 1, 1), date(day.year, 12, 31))
    assert calendar_date(f"{day:%Y%m%d}") == day.isoformat() and days_of(day.isoformat()) == (day, day)


@pytest.mark.parametrize("text", ["", "hello", "2023-13", "9999", "12 pages", "113", "soon 2024", "5/2024"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert calendar_date(text) is None
