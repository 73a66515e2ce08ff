"""Parts of a question, read as whole ones; and whole ones, left alone."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.reflective.exchange import exchanged, leaning, named_once, words_of

LARGEST = "Find the largest markdown file in this repo by line count"
THERE = {"tests", "tests/", "src/", "docs/guide.md", "a.md"}
RANKS = ["largest", "smallest", "longest", "shortest"]
NAMES = st.text(string.ascii_lowercase, min_size=3, max_size=8)


def there(path: str) -> bool:
    return path in THERE


@pytest.mark.parametrize(
    ("part", "before", "whole"),
    [
        ("and the second largest?", LARGEST, LARGEST.replace("largest", "second largest")),
        ("the third one?", LARGEST, LARGEST.replace("largest", "third largest")),
        ("what about the smallest?", LARGEST, LARGEST.replace("largest", "smallest")),
        ("and python?", LARGEST, LARGEST.replace("markdown", "python")),
        ("what about *.py files?", "how many *.md files are there?", "how many *.py files are there?"),
        ("and in tests/?", "how many files are in src/?", "how many files are in tests/?"),
        (
            "and in the tests folder?",
            "how many python files are there?",
            "how many python files are there in tests/",
        ),
        ("only in src/", "which files import json?", "which files import json in src/"),
        ("und docs/guide.md?", "wie viele Zeilen hat a.md?", "wie viele Zeilen hat docs/guide.md?"),
        ("et pour docs/guide.md ?", "combien de lignes a a.md ?", "combien de lignes a docs/guide.md ?"),
        ('and "beta"?', 'which files contain "alpha"?', 'which files contain "beta"?'),
        ("and in 2023?", "How many commits did Ann make in 2024?", "How many commits did Ann make in 2023?"),
        ("and Bob?", "How many commits did Alice make in 2024?", "How many commits did Bob make in 2024?"),
    ],
)
def test_a_part_takes_the_place_of_its_kind(part: str, before: str, whole: str) -> None:
    assert leaning(part) == "part" and exchanged(part, before, there) == whole


@pytest.mark.parametrize(
    ("part", "before"),
    [
        ("and the oldest?", LARGEST),
        ("and the second largest?", "how many files are there?"),
        ("and tests/ or src/?", "how many files are in docs/?"),
        ("and in lib?", "how many python files are there?"),
        ("and in tests/?", "how many lines does a.md have?"),
        ("and a.md?", "is a.md longer than docs/guide.md?"),
        ("and with blue covers?", LARGEST),
        ("and markdown?", LARGEST),
        ("and beta?", 'which files contain "alpha"?'),
    ],
)
def test_what_is_not_plain_is_not_guessed(part: str, before: str) -> None:
    assert leaning(part) == "part" and exchanged(part, before, there) is None


@pytest.mark.parametrize(
    "goal",
    [
        "how many python files are there?",
        "and how many python files are there?",
        "and the number of lines in a.md?",
        "In which file is load_state defined?",
        "which python file is largest and how many lines does it have?",
        "is it true that git is fast?",
        "how long does it take light to reach us?",
        "e-mail addresses in a.md",
        "I look for the workflow of the nightly build. Where is it?",
        "when was the first commit made, and what was its message",
        "what is raised when a berth already has a ship in it?",
        'where does it say "alpha" inside a file',
        "2nd largest file in docs?",
        "in the web code, wheres the Dashboard class",
        "list the files in src/ and their sizes",
        "Without looking at tests/, count the python files that import json or yaml below the root",
    ],
)
def test_a_whole_question_leans_on_nothing(goal: str) -> None:
    assert leaning(goal) is None


@given(st.sampled_from(RANKS), st.sampled_from(["second", "third", "4th"]), st.sampled_from(["", " one"]))
def test_every_rank_can_be_counted_on_from(rank: str, ordinal: str, one: str) -> None:
    before = f"Which is the {rank} python file?"
    assert exchanged(f"and the {ordinal}{one}?", before, there) == before.replace(rank, f"{ordinal} {rank}")


@given(NAMES, NAMES)
def test_a_path_takes_the_place_of_the_only_path(old: str, new: str) -> None:
    before = f"how many lines does lib/{old}.txt have?"
    whole = exchanged(f"and lib/{new}.txt?", before, there)
    assert whole == (None if old == new else f"how many lines does lib/{new}.txt have?")


@pytest.mark.parametrize(
    ("goal", "answer", "whole"),
    [
        (
            "how many lines does it have?",
            "docs/guide.md (120 lines)",
            "how many lines does docs/guide.md have?",
        ),
        ("show its first line", "The largest is ./docs/guide.md.", "show docs/guide.md's first line"),
        ("who wrote this file?", "It is a.md; b.md does not exist.", "who wrote a.md?"),
        ("what is the first line of it?", "a.md", "what is the first line of a.md?"),
        ("how long is it?", "120 lines", "how long is docs/guide.md?"),
        ("how long is it?", "a.md and docs/guide.md", None),
        ("how long is it?", "nothing.md", "how long is docs/guide.md?"),
        ("how long are they?", "a.md", None),
    ],
)
def test_one_file_that_was_named_is_meant_by_it(goal: str, answer: str, whole: str | None) -> None:
    assert named_once(goal, answer, "where is docs/guide.md?", there) == whole


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_read_or_left_alone(goal: str, answer: str, before: str) -> None:
    for whole in (exchanged(goal, before, there), named_once(goal, answer, before, there)):
        assert whole is None or (leaning(goal) is not None and whole.strip())


def test_words_are_compared_without_case_and_possessives() -> None:
    assert words_of("The File's a.md, THE b/c.txt.") == {"the", "file", "a.md", "b/c.txt"}
    assert words_of("and what about its size?", content=True) == {"size"}
