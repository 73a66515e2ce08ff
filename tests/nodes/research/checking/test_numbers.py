from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.research.checking.folding import fold
from nodes.research.checking.numbers import quantities
from nodes.research.checking.quantity import Quantity, agrees


def one(text: str) -> Quantity:
    found = quantities(fold(text))
    assert len(found) == 1, [number.text for number in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("1.2 million people", 1_200_000, "people"),
        ("120萬人", 1_200_000, "people"),
        ("一百二十萬人", 1_200_000, "people"),
        ("新台幣1億2,000萬元", 120_000_000, "currency:TWD"),
        ("NT$2.16 trillion", 2.16e12, "currency:TWD"),
        ("US$3bn", 3e9, "currency:USD"),
        ("5.4億美元", 540e6, "currency:USD"),
        ("百分之十二", 12, "percent"),
        ("三成五", 35, "percent"),
        ("1.5 percentage points", 1.5, "point"),
        ("2.5個百分點", 2.5, "point"),
        ("25 basis points", 0.25, "point"),
        ("零下5度", -5, "degree"),
        ("24 hours", 86_400, "time"),
        ("3.2萬公噸", 32e6, "mass"),
        ("11萬度", 110e6, "energy"),
        ("a third of the staff", 100 / 3, "percent"),
        ("第三大", 3, "rank"),
        ("twenty-five ships", 25, ""),
        ("5比3擊敗", 5003, "score"),
    ],
)
def test_value_and_dimension(text: str, value: float, dimension: str) -> None:
    number = one(text)
    assert number.value == pytest.approx(value)
    assert number.dimension == dimension


@pytest.mark.parametrize("text", ["COVID-19", "5G", "A380", "PM2.5", "F-16", "H7N9"])
def test_digits_in_names_are_no_numbers(text: str) -> None:
    assert quantities(text) == []


def test_a_range_shares_its_unit_and_scale() -> None:
    first, second = quantities("from 3 to 5 million tonnes")
    assert (first.value, second.value) == (3e9, 5e9)
    first, second = quantities("between $1.6 and $1.7 billion"[8:])
    assert second.value == 1.7e9


@given(st.integers(1, 10**9))
@settings(max_examples=25, deadline=None)
def test_grouping_changes_nothing(value: int) -> None:
    assert agrees(one(f"{value:,} people"), one(f"{value} people"))


@given(st.integers(10, 99_999), st.sampled_from(["萬", "億", "兆"]))
@settings(max_examples=25, deadline=None)
def test_chinese_scales_are_those_of_english(value: int, scale: str) -> None:
    factor = {"萬": 10_000, "億": 10**8, "兆": 10**12}[scale]
    assert agrees(one(f"{value}{scale}元"), one(f"{value * factor:,}元"))


def rounds(told: int, true: int) -> bool:
    """True if a whole number tells another to two digits or more, and loses little."""
    meant = len(str(told).rstrip("0"))
    unit = 10 ** (len(str(told)) - max(meant, 2))
    return unit > 1 and bool(true % unit) and 2 * abs(told - true) <= unit and 40 * abs(told - true) <= true


@given(st.integers(1_000, 9_999_999), st.integers(1, 2_000_000) | st.integers(1, 60))
@settings(max_examples=25, deadline=None)
def test_another_whole_number_agrees_only_where_it_rounds(value: int, off: int) -> None:
    for told, true in ((value, value + off), (value + off, value)):
        assert agrees(one(f"{told} people"), one(f"{true} people")) is rounds(told, true)


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        ("1.2 million people", "1,234,567 people", True),
        ("1,234,567 people", "1.2 million people", False),
        ("about 2,000 people", "1,960 people", True),
        ("about 62,300 people", "61,300 people", False),
        ("more than 600 people", "612 people", True),
        ("more than 600 people", "580 people", False),
        ("12%", "12.4%", True),
        ("12%", "12.6%", False),
        ("80%", "八成", True),
        ("4%", "4.5%", True),
    ],
)
def test_rounding_and_bounds(claim: str, source: str, expected: bool) -> None:
    assert agrees(one(claim), one(source)) is expected


@pytest.mark.parametrize("digits", ["9" * 309, "1" + "0" * 400, "-" + "7" * 5000])
def test_a_number_too_long_for_the_machine_is_read(digits: str) -> None:
    (found,) = quantities(f"It has {digits} parts.")
    assert abs(found.value) == float("inf")
    assert quantities(f"version {digits}") and quantities(f"{digits} km")
