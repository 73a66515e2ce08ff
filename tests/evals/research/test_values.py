"""Every notation of a value is read back as that value, and as no other one."""

import random
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.research.facts import another
from evals.research.reading import amounts, days, says, years
from evals.research.values import CURRENCIES, UNITS, Language, Notation, Value, number, write, write_day

FIRST, LAST = date(1950, 1, 1), date(2099, 12, 31)
FEW = settings(max_examples=40, deadline=None)
LANGUAGES = st.sampled_from(["en", "zh"])
NOTATIONS = st.sampled_from(get_args(Notation))
AMOUNTS = st.integers(3, 90_000_000_000).map(Decimal)
RANDOM = st.integers(0, 999).map(random.Random)
VALUES = st.one_of(
    AMOUNTS.map(lambda amount: Value("count", amount)),
    st.builds(lambda a, u: Value("money", a, u), AMOUNTS, st.sampled_from(sorted(CURRENCIES))),
    st.builds(
        lambda a, u: Value("measure", a, u),
        st.integers(3, 900_000).map(Decimal),
        st.sampled_from(sorted(UNITS)),
    ),
    st.integers(20, 990).map(lambda tenths: Value("percent", Decimal(tenths) / 10)),
    st.dates(FIRST, LAST).map(lambda day: Value("date", day=day)),
)


@FEW
@given(VALUES, LANGUAGES, NOTATIONS, RANDOM)
def test_a_value_is_read_as_it_was_written(
    value: Value, language: Language, notation: Notation, rng: random.Random
) -> None:
    notation = "digits" if notation == "converted" and value.kind != "measure" else notation
    assert says(f"x {write(value, language, notation, rng)} y", value)


@FEW
@given(VALUES, LANGUAGES, RANDOM)
def test_another_value_is_not_taken_for_it(value: Value, language: Language, rng: random.Random) -> None:
    wrong = another(value, rng)
    assert not says(f"x {write(wrong, language, 'digits', rng)} y", value)


@FEW
@given(AMOUNTS, LANGUAGES, st.sampled_from(["digits", "words", "mixed"]), RANDOM)
def test_a_number_that_is_not_rounded_is_exact(
    amount: Decimal, language: Language, notation: Notation, rng: random.Random
) -> None:
    assert [one.value for one in amounts(number(amount, language, notation, rng))] == [amount]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("民國112年3月14日", {2023}),
        ("107年度", {2018}),
        ("in 2021, 2,021 ships", {2021}),
        ("120 boats", set()),
    ],
)
def test_years_of_both_calendars(text: str, expected: set[int]) -> None:
    assert years(text) == expected


@FEW
@given(st.dates(FIRST, LAST), LANGUAGES, RANDOM)
def test_a_day_is_read_as_it_was_written(day: date, language: Language, rng: random.Random) -> None:
    assert days(write_day(day, language, rng)) == {day}


def test_another_unit_or_currency_is_another_value() -> None:
    rng = random.Random(0)
    money, length = Value("money", Decimal(500), "USD"), Value("measure", Decimal(500), "kilometre")
    assert not says(write(replace(money, unit="TWD"), "zh", "digits", rng), money)
    assert not says(write(replace(length, unit="metre"), "en", "digits", rng), length)
