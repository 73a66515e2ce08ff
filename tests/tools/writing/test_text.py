from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.errors import BadArguments, WriteRefused
from tools.writing.arguments import EditFile
from tools.writing.text import edited, encoded, line_ending, occurrences

SHORT = st.text(alphabet="ab\n ", max_size=12)


def edit(old: str, new: str, *, every: bool = False) -> EditFile:
    return EditFile(path="x", old=old, new=new, replace_all=every)


@given(before=SHORT, old=SHORT.filter(bool), new=SHORT, after=SHORT)
def test_a_unique_piece_is_replaced_and_nothing_else(before: str, old: str, new: str, after: str) -> None:
    text = before + old + after
    places = [at for at in range(len(text)) if text.startswith(old, at)]
    assert occurrences(text, old) == places[:6]
    if old == new or len(places) > 1:
        with pytest.raises((WriteRefused, BadArguments)):
            edited(text, edit(old, new), "x")
        return
    result = edited(text, edit(old, new), "x")
    wanted = before + new + after
    if text.endswith("\n") and wanted and not wanted.endswith("\n"):
        wanted += "\n"
    assert result == wanted


@given(lines=st.lists(st.sampled_from(["a", "b", "c", ""]), min_size=1, max_size=8), new=SHORT)
def test_line_endings_of_the_file_stay(lines: list[str], new: str) -> None:
    text = "".join(f"{line}\r\n" for line in [*lines, "only", "here"])
    result = edited(text, edit("only\nhere", new + "!"), "x")
    assert line_ending(result) == "\r\n" and result.count("\n") == result.count("\r\n")
    assert result.replace("\r\n", "\n") == "".join(f"{line}\n" for line in lines) + new + "!\n"


def test_mixed_endings_are_matched_as_they_stand() -> None:
    assert edited("a\r\nb\nc\n", edit("b\n", "B\n"), "x") == "a\r\nB\nc\n"
    with pytest.raises(WriteRefused):
        edited("a\r\nb\nc\n", edit("a\nb", "x"), "x")


def test_every_occurrence_on_request() -> None:
    assert edited("aXbXc", edit("X", "YY", every=True), "x") == "aYYbYYc"
    with pytest.raises(WriteRefused, match="2 times, at lines 1, 3.*replace_all"):
        edited("X\n\nX", edit("X", "Y"), "x")
    with pytest.raises(WriteRefused, match="more than 5 times"):
        edited("X" * 9, edit("X", "Y"), "x")


def test_overlapping_pieces_are_not_unique() -> None:
    with pytest.raises(WriteRefused, match="2 times"):
        edited("aaa", edit("aa", "b"), "x")


def test_a_near_miss_says_where_to_look() -> None:
    with pytest.raises(WriteRefused, match="at 2;"):
        edited("x\n    return  1\n", edit("return 1", "return 2"), "x")


def test_a_result_that_would_be_too_long_is_refused_before_it_is_made() -> None:
    with pytest.raises(WriteRefused, match="longer than"):
        edited("a" * 1000, edit("a", "b" * 100_000, every=True), "x")


def test_half_characters_are_refused() -> None:
    with pytest.raises(BadArguments):
        encoded("a\ud800")
