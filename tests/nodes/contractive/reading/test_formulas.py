"""Formulas by their values."""

import pytest

from nodes.contractive.reading.formulas import is_formula, same_formula


@pytest.mark.parametrize("text", ["2x", "x^2 + 2x + 1", "O(log n)", "πr²", "(a + b)/2", "f(x) = 3x", "√x"])
def test_what_is_a_formula(text: str) -> None:
    assert is_formula(text)


@pytest.mark.parametrize(
    "text", ["12km", "5 m", "Paris", "3 - 4", "well-known", "A/C unit", "1/2", "x = 7", ""]
)
def test_what_is_none(text: str) -> None:
    assert not is_formula(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(x+1)^2", "x² + 2x + 1", True),
        ("2(a + b)", "2a + 2b", True),
        ("y = x/2", "0.5x", True),
        ("O(n)", "O(n^2)", False),
        ("O(log n)", "O(n log n)", False),
        ("x^2", "2x", False),
        ("ab", "a + b", False),
        ("x^(", "x", None),
        ("1/(x - x)", "x", None),
        ("9^9^9^9x", "x", None),
    ],
)
def test_formulas_are_one_if_their_values_are(one: str, other: str, same: bool | None) -> None:
    assert same_formula(one, other) is same is same_formula(other, one)
