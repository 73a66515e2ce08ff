"""Paths, files and serial numbers, sign by sign."""

import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import ShortAnswer
from nodes.contractive.equivalence import compare
from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.identifiers import identifiers

WHERE = "Which file holds the settings?"
names = st.text(string.ascii_lowercase, min_size=3, max_size=8)
paths = st.lists(names, min_size=2, max_size=4).map(lambda parts: "/".join(parts) + ".toml")


def relation(question: str, one: str, other: str) -> str:
    return compare(question, ShortAnswer("answer", one), ShortAnswer("answer", other)).relation


@given(paths, paths)
@settings(max_examples=15, deadline=None)
def test_two_paths_are_one_only_if_every_sign_is(one: str, other: str) -> None:
    assert relation(WHERE, one, f"It's in {one}.") == "same"
    assert relation(WHERE, f"The settings are in {one} (line 3).", one) == "same"
    assume(one != other)
    assert relation(WHERE, one, f"It's in {other}.") == "different"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is version v2.31.0.", {"2.31.0"}),
        ("See src/app/main.py, line 3.", {"src/app/main.py"}),
        ("Serial number: AX-1204-Q", {"AX-1204-Q"}),
        ("Write to jo@example.org.", {"jo@example.org"}),
        ("/etc/hosts", {"/etc/hosts"}),
        ("max_depth", {"max_depth"}),
        ("It came with commit 9f3c2ab.", {"9f3c2ab"}),
        ("1234567 people defaced it in 2019", set()),
        ("It runs at 5 km/h and/or 3/4 of that, e.g. at 3:30 p.m. on 2024-03-15.", set()),
        ("He left.Then she did. I/O, 3.14, U.S.A.", set()),
    ],
)
def test_what_is_an_identifier(text: str, found: set[str]) -> None:
    assert identifiers(text, asked("Which one is it?")) == found


def test_what_the_question_names_tells_no_answers_apart() -> None:
    question = "Why does main.py fail?"
    assert identifiers("main.py needs a key.", asked(question)) == frozenset()


def test_two_claims_about_one_file_are_not_the_same() -> None:
    question = "Why does the program stop?"
    assert relation(question, "app.yaml is missing", "app.yaml has a typing error") != "same"
