"""The table of labelled goals, and the figures computed from it."""

from pathlib import Path

import pytest

from evals.classify import Labelled, main, share, summarise
from evals.labelled_goals import LabelledGoal, TableInvalid, read_labelled_goals

HEADER = "id\tlang\tlabel\tgoal\tnote\n"
ROW = "a1\ten\tbypass\thello\t\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "line 1: the file is empty"),
        (b"\n\n", "line 1: the file is empty"),
        (b"\xef\xbb\xbf" + (HEADER + ROW).encode(), "line 1: starts with a byte order mark"),
        (b"id\tlang\tgoal\tnote\n" + ROW.encode(), "line 1: lacks label"),
        (b"lang\tid\tlabel\tgoal\tnote\n" + ROW.encode(), "line 1: has other columns or another order"),
        (HEADER.encode(), "line 2: there is no row"),
        ((HEADER + ROW + "a2\ten\tbypass\n").encode(), "line 3: has 3 fields"),
        ((HEADER + ROW + "a2\ten\tbypass\tx\t\ty\n").encode(), "line 3: has 6 fields"),
        ((HEADER + ROW + ROW).encode(), "line 3: the id 'a1' is used twice"),
        ((HEADER + "a1\ten\teasy\thello\t\n").encode(), "line 2: 'easy' is none of the labels"),
        ((HEADER + "a1\tpt\tbypass\tolá\t\n").encode(), "line 2: 'pt' is none of the languages"),
        ((HEADER + "a1\ten\tbypass\t \t\n").encode(), "line 2: the goal is empty"),
        (HEADER.encode() + b"a1\ten\tbypass\t\xff\t\n", "line 2: is not UTF-8"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    path = tmp_path / "goals.tsv"
    path.write_bytes(content)
    assert main([str(path), "--json"]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.out == ""


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableInvalid, match="cannot be read"):
        read_labelled_goals(tmp_path / "none.tsv")


def test_line_ends_empty_lines_and_a_missing_note_are_no_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "goals.tsv"
    path.write_bytes((HEADER + ROW + "\n" + 'a2\tfr\tsimple\tbranche "x" ?\n').replace("\n", "\r\n").encode())
    first, second = read_labelled_goals(path)
    assert first == LabelledGoal("a1", "en", "bypass", "hello", "")
    assert (second.goal, second.note) == ('branche "x" ?', "")


def labelled(right: str, given: str, source: str = "exemplars", lang: str = "en") -> Labelled:
    return Labelled(LabelledGoal("x", lang, right, "g", ""), given, source, 1.0)


def test_both_ways_of_being_wrong_are_told_apart() -> None:
    report = summarise(
        [
            labelled("bypass", "bypass"),
            labelled("bypass", "moderate", "default"),
            labelled("simple", "bypass"),
            labelled("complex", "moderate", "recipe"),
        ],
        0,
    )
    ways = report["directions"]
    assert ways["file_question_answered_from_memory"]["value"] == 0.5
    assert ways["tool_used_for_nothing"]["value"] == 0.5
    assert report["all"]["four_way"]["value"] == 0.25
    assert report["all"]["bypass_or_tool"]["value"] == 0.5
    assert report["confusion"]["complex"]["moderate"] == 1
    assert report["by_stage"]["default"]["bypass_or_tool"]["n"] == 1
    assert report["targets"] == {"en": {"bypass_or_tool": ">= 0.95", "met": False}}
    assert len(report["mistakes"]) == 3


def test_an_interval_holds_its_value_and_is_the_same_for_the_same_seed() -> None:
    figure = share([True] * 30 + [False] * 10, 7)
    assert figure == share([True] * 30 + [False] * 10, 7)
    assert figure["low"] < figure["value"] == 0.75 < figure["high"]
    assert share([], 7)["value"] is None
