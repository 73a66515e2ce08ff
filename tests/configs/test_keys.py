from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from configs.keys import dotted, expectation, known_keys, nearest, parse_key, place_at

_NAME = st.text(st.characters(exclude_characters="]", exclude_categories=["Cs"]), max_size=12)


@example((".[",))
@example(("a", ".[b"))
@given(st.lists(_NAME, min_size=1, max_size=4).map(tuple))
def test_a_key_reads_back_as_it_was_written(key: tuple[str, ...]) -> None:
    assert parse_key(dotted(key)) == key


@given(st.text(max_size=30))
def test_any_text_reads_as_some_key(text: str) -> None:
    assert len(parse_key(text)) >= 1


@pytest.mark.parametrize("text", ["", ".a", "a.", "a..b", "a]b", "[a", "a[b]c"])
def test_a_text_that_is_no_key_is_one_unknown_name(text: str) -> None:
    assert parse_key(text) == (text,)


def test_every_known_key_has_a_place_and_an_expectation() -> None:
    places = {key: place_at(key) for key in known_keys()}
    assert [key for key, place in places.items() if place is None] == []
    said = {key: expectation(place) for key, place in places.items() if place is not None}
    assert [key for key, words in said.items() if "<" in words or "typing" in words] == []


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (("graph",), "a section of `key: value` lines"),
        (("models", "tuning"), "a section of `key: value` lines"),
        (("models", "tuning", "ollama:x", "timeout"), "a number above 0, or null"),
        (("models", "tuning", "ollama:x", "keep_alive"), "text, or null"),
        (("experience", "top_k"), "a whole number from 1 to 50"),
        (("tools", "sandbox"), "one of auto, required, bwrap, landlock, policy"),
        (("traces", "enabled"), "true or false"),
    ],
)
def test_an_expectation_says_kind_bounds_and_choices(key: tuple[str, ...], words: str) -> None:
    place = place_at(key)
    assert place is not None
    assert expectation(place) == words


@pytest.mark.parametrize(
    "key", [("nothing",), ("model", "name"), ("graph", "x"), ("models", "tuning", "m", "x")]
)
def test_a_key_outside_the_schema_has_no_place(key: tuple[str, ...]) -> None:
    assert place_at(key) is None


@pytest.mark.parametrize(
    ("key", "near"),
    [
        (("graph", "max_iteration"), "graph.max_iterations"),
        (("models", "tuning", "ollama:x", "num_ctxt"), "models.tuning[ollama:x].num_ctx"),
        (("graph", "sandbox"), "tools.sandbox"),
        (("graph", "x"), None),
        (("zzzzzz",), None),
    ],
)
def test_the_nearest_key_is_sought_in_the_section_then_by_name(
    key: tuple[str, ...], near: str | None
) -> None:
    assert nearest(key) == near
