from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.batch.answer import told
from cli.batch.goal import Goal
from cli.batch.results import open_results
from configs.errors import UsageError
from memory.json_lines import LONGEST_LINE
from tests.support.processes import ROOT

GOALS = [Goal(f"g {number}", f"goal {number} \u2028 ä", "reflective") for number in range(6)]
GOOD = {"status": "answered", "answer": "ja\n\u2028", "evidence": [{"text": "x"}]}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().decode().split("\n")[:-1]]


def begun(path: Path, count: int) -> str:
    with open_results(path, GOALS, resume=False) as results:
        results.begin()
        for goal in GOALS[:count]:
            results.add([(goal, told(GOOD, 0))])
        return results.batch


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_file_cut_anywhere_loses_the_cut_line_and_is_filled_up_again(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("results") / "out.jsonl"
    batch = begun(path, 4)
    whole = path.read_bytes()
    size = data.draw(st.integers(0, len(whole)))
    os.truncate(path, size)
    with open_results(path, GOALS, resume=True) as results:
        assert results.batch == batch
        kept = list(results.done)
        # A line is whole with its last brace; the end of the line is no part of it.
        assert kept == [goal.id for goal in GOALS[: len(kept)]]
        assert len(kept) == sum(size >= place for place, byte in enumerate(whole) if byte == ord("\n"))
        for goal in results.left(GOALS):
            results.add([(goal, told(GOOD, 0))])
    assert [line["id"] for line in lines(path)] == [goal.id for goal in GOALS]


def test_a_goal_gets_no_second_line(tmp_path: Path) -> None:
    with open_results(tmp_path / "o", GOALS, resume=False) as results:
        results.begin()
        results.add([(GOALS[0], told(GOOD, 0))])
        for again in (GOALS[:2], [GOALS[1], GOALS[1]]):
            with pytest.raises(RuntimeError):
                results.add([(goal, told(GOOD, 0)) for goal in again])
        results.add([(goal, told(GOOD, 0)) for goal in GOALS[1:3]])
    assert [line["id"] for line in lines(tmp_path / "o")] == [goal.id for goal in GOALS[:3]]


def test_a_record_cannot_change_what_was_asked(tmp_path: Path) -> None:
    with open_results(tmp_path / "o", GOALS, resume=False) as results:
        results.begin()
        results.add([(GOALS[0], told({**GOOD, "id": "other", "goal": "other", "outcome": "failed"}, 0))])
    (line,) = lines(tmp_path / "o")
    assert (line["id"], line["goal"], line["outcome"]) == (GOALS[0].id, GOALS[0].goal, "succeeded")


def test_what_was_written_is_gone_on_with_only_when_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "o"
    begun(path, 2)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="already"), open_results(path, GOALS, resume=False):
        pass
    # Nothing is done yet, and a thread may have been begun.
    os.truncate(path, 0)
    with pytest.raises(UsageError, match="already"), open_results(path, GOALS, resume=False):
        pass
    path.write_bytes(before)
    with open_results(path, GOALS, resume=True) as results:
        assert results.counted(GOALS) == {"succeeded": 2, "failed": 0, "refused": 0}


def test_a_batch_that_could_not_begin_is_none(tmp_path: Path) -> None:
    names = set()
    for _ in range(2):
        with open_results(tmp_path / "o", GOALS, resume=False) as results:
            names.add(results.batch)
            with pytest.raises(RuntimeError):
                results.add([(GOALS[0], told(GOOD, 0))])
    assert len(names) == 2 and (tmp_path / "o").read_bytes() == b""


def test_resume_begins_where_nothing_was_begun(tmp_path: Path) -> None:
    with open_results(tmp_path / "o", GOALS, resume=True) as results:
        assert results.done == {} and results.batch


@pytest.mark.parametrize(
    "change, told_of",
    [
        ({"goal": "another"}, "another goal"),
        ({"graph": "auto"}, "another graph"),
        ({"id": "nobody"}, "no goal has the id"),
        ({"id": GOALS[0].id, "goal": GOALS[0].goal}, "two lines"),
        ({"outcome": "great"}, "no outcome"),
        ({"id": None}, "no id"),
    ],
)
def test_lines_of_something_else_are_refused_and_stay(
    tmp_path: Path, change: dict[str, Any], told_of: str
) -> None:
    path = tmp_path / "o"
    begun(path, 2)
    first, second = lines(path)
    path.write_text("".join(json.dumps(line) + "\n" for line in (first, second | change)))
    before = path.read_bytes()
    with pytest.raises(UsageError, match=told_of), open_results(path, GOALS, resume=True):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("before, after", [("A counter.", "Other."), ("A counter.", ""), ("", "Other.")])
def test_an_answer_from_other_material_is_no_answer(tmp_path: Path, before: str, after: str) -> None:
    path, goal = tmp_path / "o", Goal("1", "What is it?", "contractive", before)
    with open_results(path, [goal], resume=False) as results:
        results.begin()
        results.add([(goal, told(GOOD | {"context": "of the record"}, 0))])
    (line,) = lines(path)
    assert line.get("context", "") == before
    with open_results(path, [goal], resume=True) as results:
        assert results.left([goal]) == []
    other = [Goal("1", "What is it?", "contractive", after)]
    with pytest.raises(UsageError, match="other material"), open_results(path, other, resume=True):
        pass


def test_an_answer_too_long_to_be_read_again_is_told_as_failed(tmp_path: Path) -> None:
    path, thread = tmp_path / "o", GOALS[0].thread("b")
    huge = told(GOOD | {"answer": "ä" * (LONGEST_LINE // 2), "thread_id": thread}, 0)
    with open_results(path, GOALS[:2], resume=False) as results:
        results.begin()
        (_, long), (_, short) = results.add([(GOALS[0], huge), (GOALS[1], told(GOOD, 0))])
        assert (long.outcome, short.outcome) == ("failed", "succeeded")
    line = lines(path)[0]
    assert line["error"]["kind"] == "AnswerTooLong" and line["thread_id"] == thread
    with open_results(path, GOALS[:2], resume=True) as results:
        assert results.done == {GOALS[0].id: "failed", GOALS[1].id: "succeeded"}


def test_a_line_of_the_greatest_length_is_read_again(tmp_path: Path) -> None:
    path, goal = tmp_path / "o", GOALS[0]
    begun(path, 1)
    room = LONGEST_LINE - path.stat().st_size
    with open_results(tmp_path / "p", [goal], resume=False) as results:
        results.begin()
        results.add([(goal, told(GOOD | {"answer": GOOD["answer"] + "x" * room}, 0))])
    assert (tmp_path / "p").stat().st_size == LONGEST_LINE
    with open_results(tmp_path / "p", [goal], resume=True) as results:
        assert results.done == {goal.id: "succeeded"}


def test_a_file_that_is_no_batch_or_no_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("my notes\n")
    for resume in (False, True):
        with pytest.raises(UsageError), open_results(other, GOALS, resume=resume):
            pass
    assert other.read_text() == "my notes\n"
    for path in (tmp_path, tmp_path / "no" / "folder"):
        with pytest.raises(UsageError), open_results(path, GOALS, resume=False):
            pass


def test_a_second_driver_is_kept_off_until_the_first_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "o"
    code = (
        "import sys, time; from pathlib import Path; from cli.batch.results import open_results\n"
        "with open_results(Path(sys.argv[1]), [], resume=True): print('open', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as first:
        try:
            assert first.stdout is not None and first.stdout.readline() == "open\n"
            with pytest.raises(UsageError, match="at work"), open_results(path, GOALS, resume=True):
                pass
        finally:
            first.kill()
    with open_results(path, GOALS, resume=True) as results:
        assert results.left(GOALS) == GOALS


@pytest.mark.parametrize("damage", ["", "{", "[]\n", "{}\n", '{"batch": 3}\n', "\n"])
def test_a_name_that_was_cut_short_began_nothing_and_a_damaged_one_is_refused(
    tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "o"
    begun(path, 0)
    (tmp_path / "o.batch").write_text(damage)
    if damage.endswith("\n"):
        with pytest.raises(UsageError, match="no record"), open_results(path, GOALS, resume=True):
            pass
    else:
        with open_results(path, GOALS, resume=False) as results:
            results.begin()
            name = results.batch
        assert json.loads((tmp_path / "o.batch").read_text())["batch"] == name
