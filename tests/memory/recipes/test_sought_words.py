import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.sought_words import any_word_pattern, word_pattern


def finds(word: str, line: str) -> bool:
    return re.search(word_pattern(word), line, re.IGNORECASE) is not None


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("port", "APP_PORT = 8090"),
        ("workers", "worker_count: 3"),
        ("pays", "who pay for it"),
        ("archived", "archive_days = 90"),
        ("reorder", "Stock below 5 is reordered."),
        ("images", "one image"),
        ("server", "server:"),
        ("C++", "written in C++"),
    ],
)
def test_a_word_is_found_with_other_endings_and_in_names(word: str, line: str) -> None:
    assert finds(word, line)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("port", "import os"),
        ("port", "the portal"),
        ("pays", "payload"),
        ("is", "this"),
        ("server", "serve it"),
    ],
)
def test_what_only_holds_its_letters_is_another_word(word: str, line: str) -> None:
    assert not finds(word, line)


def test_without_words_there_is_no_pattern() -> None:
    assert any_word_pattern(()) is None


@given(
    st.lists(st.from_regex(r"[A-Za-z+.*\\[\]_-]{1,9}", fullmatch=True), min_size=1, max_size=4),
    st.from_regex(r"[A-Za-z+.*_ -]{0,30}", fullmatch=True),
)
def test_grep_and_python_find_the_same(words: list[str], line: str) -> None:
    pattern = any_word_pattern(words)
    assert pattern is not None
    done = subprocess.run(
        ["grep", "-E", "-i", "-q", "-e", pattern],
        input=f"{line}\n",
        text=True,
        check=False,
        env={"LC_ALL": "C"},
    )
    assert done.returncode == (0 if re.search(pattern, line, re.IGNORECASE) else 1)
