"""Which words are slips of the keyboard, and for what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.lexicon import load_lexicon
from memory.recipes.reading import read_goal
from memory.recipes.spelling import respell

WORDS = sorted(load_lexicon().words)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("bigest", "biggest"),
        ("wich", "which"),
        ("mnay", "many"),
        ("javscript", "javascript"),
        ("lagest", "largest"),
    ],
)
def test_one_wrong_letter_is_read_as_the_word_that_was_meant(written: str, meant: str) -> None:
    assert respell(written, WORDS) == meant


@given(st.sampled_from([word for word in WORDS if len(word) > 6]), st.data())
def test_a_long_word_that_lost_a_letter_is_found_again_or_is_as_near_to_another(
    word: str, data: st.DataObject
) -> None:
    index = data.draw(st.integers(1, len(word) - 1))
    slip = word[:index] + word[index + 1 :]
    found = respell(slip, WORDS)
    assert (slip in WORDS and found is None) or (found is not None and abs(len(found) - len(slip)) <= 1)


@pytest.mark.parametrize(
    "word", ["kubernetes", "ERROR", "load_state", "ship", "Alice", "qqqq", "tax", "naïve"]
)
def test_names_capitals_and_other_words_are_left_alone(word: str) -> None:
    assert respell(word, WORDS) is None


def test_a_goal_with_a_slip_asks_what_the_goal_without_asks() -> None:
    slip, right = read_goal("wich is the bigest csv file?"), read_goal("which is the biggest csv file?")
    assert (slip.facets, slip.globs, slip.residue) == (right.facets, right.globs, ())
    assert slip.goal == "wich is the bigest csv file"


def test_a_word_that_names_something_here_is_no_slip() -> None:
    assert "rank" not in read_goal("files in bigest", known={"bigest"}).facets
