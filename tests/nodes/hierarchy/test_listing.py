"""What a question lists by its wording: a question for each, its own thing in it and no other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.hierarchy.aims import Aim
from nodes.hierarchy.listing import Listing, listing_of, of_names

NAMES = st.lists(
    st.builds(
        lambda folder, stem, ending: f"{folder}{stem}.{ending}",
        st.sampled_from(["", "pkg/", "src/deep/", "./"]),
        st.from_regex(r"[a-z][a-z0-9_]{2,9}", fullmatch=True),
        st.sampled_from(["py", "md", "txt", "toml"]),
    ),
    min_size=2,
    max_size=9,
    unique=True,
)
EACH = [
    "For each of {}, how many functions are there?",
    "How many functions are in each of {}?",
    "for each of the files {}: how many lines does it have",
    "In each of {}, count the TODO comments.",
    "How many lines do {} each have?",
    "For {}, how many lines does each have?",
    "How many lines do {} have respectively?",
    "For each of the following files: {}, what does it define?",
]
TAILS: list[tuple[str, Aim]] = [
    ("and which has the most?", "most"),
    ("and which of them has the fewest?", "least"),
    ("and what is the total?", "total"),
    ("and what is the average?", "average"),
]


def listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def found(question: str) -> Listing:
    listing = listing_of(question)
    assert listing is not None, question
    return listing


@settings(max_examples=120)
@given(NAMES, st.sampled_from(EACH))
def test_each_thing_gets_a_question_with_no_other_in_it(names: list[str], wording: str) -> None:
    listing = found(wording.format(listed(names)))
    assert [part.name for part in listing.parts] == names and listing.distributes
    for part in listing.parts:
        words = part.question.rstrip("?.").replace(",", " ").replace(":", " ").split()
        assert [word for word in words if word in names] == [part.name]
        assert "each" not in words and listing_of(part.question) is None


@given(NAMES, st.data())
def test_a_list_may_be_joined_by_commas_and_by_words(names: list[str], data: st.DataObject) -> None:
    words = data.draw(st.integers(0, len(names) - 1))
    joints = [", "] * (len(names) - 1 - words)
    joints += [data.draw(st.sampled_from([" and ", ", and ", " & "])) for _ in range(words)]
    told = names[0] + "".join(f"{joint}{name}" for joint, name in zip(joints, names[1:], strict=True))
    assert [part.name for part in found(f"How many lines are in each of {told}?").parts] == names
    behind = found(f"For each of {told}, how many lines does it have?")
    assert [part.name for part in behind.parts] == names


@settings(max_examples=60)
@given(NAMES, st.sampled_from(TAILS))
def test_what_is_wanted_of_the_answers_is_no_part(names: list[str], tail: tuple[str, Aim]) -> None:
    listing = found(f"How many functions are in each of {listed(names)}, {tail[0]}")
    assert listing.aims == (tail[1],) and len(listing.parts) == len(names)
    sentences = found(f"How many functions are in each of {listed(names)}? {tail[0][4:].capitalize()}")
    assert sentences.aims == (tail[1],) and len(sentences.parts) == len(names)


@settings(max_examples=60)
@given(NAMES, st.sampled_from(["lines", "functions", "TODO comments"]))
def test_comparisons_ask_the_same_of_both(names: list[str], what: str) -> None:
    first, second = names[:2]
    wordings: list[tuple[str, Aim]] = [
        (f"compare the number of {what} in {first} and {second}", "difference"),
        (f"Compare the number of {what} in {first} with that of {second}.", "difference"),
        (f"What is the difference between the number of {what} in {first} and in {second}?", "difference"),
        (f"Which has more {what}, {first} or {second}?", "most"),
        (f"Does {first} have fewer {what} than {second}?", "least"),
        (f"How many more {what} does {first} have than {second}?", "difference"),
    ]
    for wording, aim in wordings:
        listing = found(wording)
        assert [part.question for part in listing.parts] == [
            f"How many {what} are in {name}?" for name in (first, second)
        ], wording
        assert listing.aims == (aim,)


@pytest.mark.parametrize(
    ("question", "phrase", "about"),
    [
        (
            "How many functions are in each module of pkg/?",
            "module of pkg/",
            "How many functions are in x.py?",
        ),
        ("For each python file under src, what does it do?", "python file under src", "What does x.py do?"),
        ("number of lines per file in docs", "file in docs", "Number of lines in x.py"),
        ("How large is every file here?", "file", "How large is x.py here?"),
        (
            "How many files are there in each folder of src?",
            "folder of src",
            "How many files are there in x.py?",
        ),
    ],
)
def test_files_of_a_kind_are_to_be_looked_up(question: str, phrase: str, about: str) -> None:
    listing = found(question)
    assert listing.spread is not None and listing.spread.phrase == phrase and not listing.parts
    assert [part.question for part in of_names(listing, ["x.py", "y.py"]).parts][0] == about


@pytest.mark.parametrize(
    ("question", "parts", "needs"),
    [
        (
            "How many lines does notes.txt have and how many classes are in c.py?",
            ["How many lines does notes.txt have", "how many classes are in c.py?"],
            [(), ()],
        ),
        (
            "How many functions and classes are in a.py?",
            ["How many functions are in a.py?", "How many classes are in a.py?"],
            [(), ()],
        ),
        (
            "Which file in pkg is the largest, and how many functions does it have?",
            ["Which file in pkg is the largest", "how many functions does it have?"],
            [(), (1,)],
        ),
        (
            "Answer these:\n1. How many lines does a.py have?\n2. Who wrote b.py?",
            ["How many lines does a.py have?", "Who wrote b.py?"],
            [(), ()],
        ),
        (
            "How many lines has a.py? How many lines has a.py? How many commits are there?",
            ["How many lines has a.py?", "How many commits are there?"],
            [(), ()],
        ),
    ],
)
def test_clauses_that_ask_something_of_their_own(
    question: str, parts: list[str], needs: list[tuple[int, ...]]
) -> None:
    listing = found(question)
    assert [part.question for part in listing.parts] == parts
    assert [part.needs for part in listing.parts] == needs and not listing.distributes


@pytest.mark.parametrize(
    "question",
    [
        "How many lines does notes.txt have?",
        "What is the capital of France?",
        "Which functions are defined in both a.py and b.py?",
        'Find the lines that contain "foo and show bar" in notes.txt',
        "Look at pkg/a.py. How many functions does it define?",
        "List the functions of a.py and b.py",
        "",
        "and",
        "each of",
    ],
)
def test_one_question_lists_nothing(question: str) -> None:
    assert listing_of(question) is None


@settings(max_examples=150)
@given(
    st.text(max_size=300)
    | st.lists(
        st.sampled_from("for each of and , a.py b.py how many which it ? . ; compare in".split()), max_size=40
    ).map(" ".join)
)
def test_any_text_is_read_without_an_error_and_parts_are_shorter_questions(text: str) -> None:
    listing = listing_of(text)
    if listing is not None and listing.spread is None:
        assert len(listing.parts) > 1
        assert all(part.question.strip() for part in listing.parts)
        assert all(0 < number < place for place, part in enumerate(listing.parts, 1) for number in part.needs)
