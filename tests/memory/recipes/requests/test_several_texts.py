"""Several texts of contents: any of them, all, none; what could be read two ways is left to others."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.recipes.reading import read_goal
from memory.recipes.requests.left_out import orders_more
from memory.recipes.requests.read import read_requests
from memory.recipes.requests.selection import Content
from tests.memory.recipes.requests.known import draft_of, stages_of

TEXT = st.text(alphabet="abcdefgh XYZ.*-", min_size=1, max_size=8).filter(lambda text: text.strip() == text)
# How a sentence joins its texts, and which files it means, by whether each text is in a file.
WORDINGS = {
    'list the files that contain "{0}" or "{1}"': any,
    'find files containing either "{0}" or "{1}"': any,
    'list files that mention "{0}", "{1}" or "{2}"': any,
    'list the files that contain both "{0}" and "{1}"': all,
    'list files that contain "{0}" and "{1}"': all,
    'list files that contain neither "{0}" nor "{1}"': lambda held: not any(held),
    'list files that do not contain "{0}" or "{1}"': lambda held: not any(held),
}


def selected(goal: str, contents: list[str]) -> list[str]:
    """The contents that stay, by what each grep of the pipeline is told."""
    kept = contents
    for stage in stages_of(draft_of(goal, {})):
        args = stage.get("args")
        if stage["tool"] != "grep" or not isinstance(args, dict):
            continue
        assert args["fixed"] and not args.get("word") and not args.get("ignore_case")
        patterns = [args["pattern"], *args.get("or_patterns", [])]
        denied = args.get("files_without_match", False)
        kept = [text for text in kept if any(pattern in text for pattern in patterns) is not denied]
    return kept


@pytest.mark.parametrize("wording", WORDINGS)
@given(
    texts=st.lists(TEXT, min_size=3, max_size=3, unique=True),
    contents=st.lists(st.text("abcXYZ.*- ", max_size=20), max_size=6),
)
def test_the_files_meant_are_those_selected(wording: str, texts: list[str], contents: list[str]) -> None:
    contents = [*contents, *texts, " ".join(texts), texts[0] + texts[1]]
    asked = texts if "{2}" in wording else texts[:2]
    wanted = [text for text in contents if WORDINGS[wording](part in text for part in asked)]
    assert selected(wording.format(*texts), contents) == wanted


@pytest.mark.parametrize(
    "goal",
    [
        'list files that do not contain "a" and "b"',
        'list files that contain "a" and "b" or "c"',
        'list files that contain either "a" and "b"',
        'list files that contain neither "a" or "b"',
        'list files that contain both "a" or "b"',
        'list files that contain "a" nor "b"',
        'list files that contain "a", "b"',
    ],
)
def test_what_can_be_read_two_ways_is_not_read(goal: str) -> None:
    assert list(read_requests(goal)) == []


@pytest.mark.parametrize(
    "words", ["cats and dogs", "cats or dogs", "neither cats nor dogs", "both cats and dogs"]
)
@pytest.mark.parametrize("verb", ["mention", "contain", "include"])
def test_bare_words_that_are_joined_are_not_one_text(words: str, verb: str) -> None:
    reading = read_goal(f"which files {verb} {words}")
    assert reading.literal not in (words, f"{verb} {words}") and reading.residue


@given(st.lists(TEXT.filter(lambda text: '"' not in text), min_size=2, max_size=4, unique=True))
@example(["X", "X.X. Y"])
def test_no_quotation_is_dropped(texts: list[str]) -> None:
    reading = read_goal("which files contain " + " or ".join(f'"{text}"' for text in texts))
    taken = {reading.literal, *reading.globs, *(mention.text for mention in reading.mentions)}
    assert all(text in taken or text in reading.residue for text in texts)


@pytest.mark.parametrize(
    ("goal", "more"),
    [
        ("list the largest directory and its owner", True),
        ("count the directories and print each", True),
        ("show the biggest files but not archives", True),
        ("list the top 3 largest directories and files", True),
        ("list the top-level files and folders", False),
        ("total number of lines in src and tests", False),
        ("list html and css files", False),
        ("List all TODO and FIXME comments", False),
        ("which is larger and which is newer?", False),
        ("how many files are there and how large are they", False),
    ],
)
def test_an_order_is_read_whole(goal: str, more: bool) -> None:
    assert orders_more(goal, read_goal(goal, ("src", "tests"))) is more


def test_a_text_says_what_it_is() -> None:
    parsed, *_ = read_requests('list files that contain the word "a" but not the words "b" or "c"')
    draft = draft_of('list files that contain the words "a" or "b" ignoring case', {})
    (grep,) = [stage["args"] for stage in stages_of(draft) if stage["tool"] == "grep"]
    assert isinstance(grep, dict) and grep["word"] and grep["ignore_case"]
    assert Content(("a",)) != Content(("a",), denied=True) and parsed.id == "list"
