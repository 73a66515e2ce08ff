"""Requests are read whole: each phrase becomes its own test, and no word is dropped."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.requests.read import changes_files, read_requests
from tests.memory.recipes.requests.known import draft_of, stages_of, text_of

WORLD = {
    "docs": "directory",
    "src/lib": "directory",
    "a.txt": "file",
    "data/t.csv": "file",
    "new.lnk": "link",
}
SCOPES = {
    "in docs": "docs",
    "under src/lib": "src/lib",
    "in the directory docs": "docs",
    "within the docs folder": "docs",
}
SIZES = {
    "larger than 2 KB": "+2048c",
    "of at least 10 bytes": "+9c",
    "smaller than 1 MB": "-1048576c",
    "over 3k": "+3072c",
}
TIMES = {
    "modified in the last 3 days": "-4320",
    "older than 2 weeks": "+20160",
    "modified more than 5 hours ago": "+300",
}
NAMES = {"with the extension .py": "*.py", 'whose names start with "te"': "te*", "named notes.md": "notes.md"}
KINDS = {"files": "f", "symbolic links": "l", "regular files": "f"}
VERBS = ("list", "find", "show", "print the names of", "search for", "display", "get", "locate")


@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_every_phrase_of_a_selection_becomes_its_test_in_any_order(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(KINDS)))
    parts = {
        "paths": data.draw(st.sampled_from(sorted(SCOPES))),
        "sizes": data.draw(st.sampled_from(sorted(SIZES))),
        "mmin": data.draw(st.sampled_from(sorted(TIMES))),
        "name_tests": data.draw(st.sampled_from(sorted(NAMES))),
    }
    chosen = data.draw(st.lists(st.sampled_from(sorted(parts)), unique=True))
    verb = data.draw(st.sampled_from(VERBS))
    goal = " ".join([verb, "all", kind, *(parts[name] for name in chosen)])
    args = stages_of(draft_of(goal, WORLD))[0]["args"]
    assert isinstance(args, dict)
    assert args["type"] == KINDS[kind]
    assert args["paths"] == ([SCOPES[parts["paths"]]] if "paths" in chosen else ["."])
    assert args.get("sizes") == ([SIZES[parts["sizes"]]] if "sizes" in chosen else None)
    assert args.get("mmin") == (TIMES[parts["mmin"]] if "mmin" in chosen else None)
    names = [{"globs": [NAMES[parts["name_tests"]]], "denied": False, "ignore_case": False}]
    assert args.get("name_tests") == (names if "name_tests" in chosen else None)


REQUESTS = (
    "list all files in docs larger than 2 KB sorted by size",
    "count the python files in docs",
    "print the first 3 lines of a.txt",
    "show lines 5 to 10 of a.txt",
    'print lines containing "port" in a.txt with line numbers',
    "sort a.txt numerically",
    "print the third column of data/t.csv",
    "show the permissions of a.txt",
    "count the words in a.txt",
    "print the total number of lines in all .md files",
    "delete a.txt",
    "create a directory named backup",
    "make a.txt executable",
    "are a.txt and data/t.csv identical",
)


@pytest.mark.parametrize("goal", REQUESTS)
def test_these_are_read(goal: str) -> None:
    assert draft_of(goal, WORLD, modes={"a.txt": 0o644}) is not None


@settings(deadline=None, max_examples=50)
@given(goal=st.sampled_from(REQUESTS), place=st.integers(0, 12), first=st.sampled_from(["zorble", "Quux"]))
def test_words_that_mean_nothing_are_never_dropped(goal: str, place: int, first: str) -> None:
    words = goal.split()
    at = min(place, len(words))
    longer = " ".join([*words[:at], first, "blick", *words[at:]])
    kinds = {**WORLD, first: "file", "blick": "file"}
    draft = draft_of(longer, kinds, modes=dict.fromkeys(kinds, 0o644))
    assert draft is None or (first in text_of(draft) and "blick" in text_of(draft))


@settings(deadline=None, max_examples=20)
@given(text=st.text(max_size=80))
def test_any_text_is_read_or_not_without_an_error(text: str) -> None:
    assert read_requests(text) == read_requests(text)


@pytest.mark.parametrize(
    "goal",
    [
        "list files in docs that are either empty or older than 3 days",
        "find files containing foo but not bar",
        "count lines in a.txt that start with a digit or a letter",
        "find all files created in the last day",
        "list the 3 largest python files by line count",
        "show files larger than the average size",
        'print lines of a.txt that match "err.*7"',
        "print every third line of a.txt from the second on",
        "list files modified today or in the last 2 days",
        "rename all .txt files to .md",
        "swap a.txt and data/t.csv",
        "delete everything",
        "print lines that contain a but not b in a.txt",
        "list directories that contain python files",
    ],
)
def test_what_is_not_wholly_understood_is_left_to_others(goal: str) -> None:
    assert draft_of(goal, WORLD, ("x.log",)) is None


@pytest.mark.parametrize(
    "goal",
    [
        "how many files are in docs",
        "list the files to delete in docs",
        "show how to create a directory",
        "count the files that were removed",
        "print the permissions of a.txt",
        "what does chmod 600 a.txt do",
        'search for "delete a.txt" in docs',
    ],
)
def test_a_question_is_no_change(goal: str) -> None:
    assert not changes_files(goal)


def test_a_path_that_is_not_there_leaves_the_goal_to_others() -> None:
    for goal in ("list all files in nowhere", "count the lines of missing.txt", "copy missing.txt to docs"):
        assert draft_of(goal, WORLD) is None


@given(first=st.integers(1, 500), more=st.integers(0, 500))
@settings(deadline=None, max_examples=20)
def test_a_span_of_lines_keeps_its_numbers(first: int, more: int) -> None:
    stages = stages_of(draft_of(f"print lines {first} to {first + more} of a.txt", WORLD))
    wanted = f"{first},{first + more}p" if more else f"{first}p"
    assert stages == [{"tool": "sed", "argv": ["-n", wanted, "--", "a.txt"]}]


@given(
    text=st.text(
        st.characters(exclude_categories=["Cc", "Cs", "Z"], exclude_characters="\"`'‹›«»“”„‘’´"),
        min_size=1,
        max_size=12,
    )
)
@settings(deadline=None, max_examples=20)
def test_a_quoted_text_is_searched_as_it_stands(text: str) -> None:
    stages = stages_of(draft_of(f'count the occurrences of "{text}" in a.txt', WORLD))
    args = stages[1]["args"]
    assert isinstance(args, dict) and args["pattern"] == text and args["fixed"] is True
