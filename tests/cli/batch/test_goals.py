from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.batch.goal import Goal
from cli.batch.goals import read_goals
from cli.batch.graphs import ELSEWHERE, GRAPHS
from configs.errors import UsageError
from tests.support.processes import ROOT

# Files have other lines than texts have: only \n and \r\n end one, and no text of a goal is only spaces.
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30).filter(
    lambda text: bool(text.strip("\u200b\ufeff \u3000").strip())
)


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "goals.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return path


@settings(max_examples=60)
@given(goals=st.dictionaries(WORDS, WORDS, min_size=1, max_size=8), ascii_only=st.booleans())
def test_what_is_written_is_read_in_its_order(
    tmp_path_factory: pytest.TempPathFactory, goals: dict[str, str], ascii_only: bool
) -> None:
    lines = [
        json.dumps({"id": name, "goal": f"ask {goal}"}, ensure_ascii=ascii_only)
        for name, goal in goals.items()
    ]
    path = written(tmp_path_factory.mktemp("goals"), *lines)
    read = read_goals(path, "reflective")
    assert [one.id for one in read] == list(goals)
    assert [one.goal for one in read] == [f"ask {goal}".strip() for goal in goals.values()]
    assert len({one.thread("b") for one in read}) == len(goals)


def test_a_goal_without_an_id_is_known_by_its_line_also_behind_blank_ones(tmp_path: Path) -> None:
    path = written(tmp_path, {"goal": "first"}, "", "  \r", {"goal": "second", "graph": "contractive"})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_goals(path, "auto") == [
        Goal("1", "first", "auto"),
        Goal("4", "second", "contractive"),
    ]


@pytest.mark.parametrize(
    "line, told",
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "JSON list"),
        ({}, "'goal': Field required"),
        ({"goal": 3}, "'goal'"),
        ({"goal": " \t"}, "empty"),
        ({"goal": "x" * 100_000}, "characters"),
        ({"goal": "ok", "grpah": "auto"}, "'grpah'"),
        ({"goal": "ok", "graph": "tutor"}, "reflect play"),
        ({"goal": "ok", "graph": "none"}, "choose among reflective"),
        ({"goal": "ok", "context": "c"}, "takes no context"),
        ({"goal": "ok", "id": ""}, "id is empty"),
        ({"goal": "ok", "id": True}, "'id'"),
        ({"goal": "ok", "id": None, "context": None}, "'context'"),
        ({"goal": "again", "id": 1}, "line 1 has the id '1' already"),
        ({"goal": "c", "graph": "contractive", "context": "x" * 200_001}, "'context'"),
    ],
)
def test_a_line_that_cannot_be_used_is_told_with_its_number(tmp_path: Path, line: Any, told: str) -> None:
    path = written(tmp_path, {"goal": "good"}, line, {"goal": "good as well"})
    with pytest.raises(UsageError) as refused:
        read_goals(path, "reflective")
    assert "line 2:" in refused.value.what and told in refused.value.what
    assert "nothing was run" in refused.value.what


def test_all_bad_lines_are_told_at_once_and_many_are_counted(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        read_goals(written(tmp_path, {"goal": "good"}, *["bad"] * 50), "reflective")
    assert "50 lines" in refused.value.what and "line 21:" in refused.value.what
    assert "line 22:" not in refused.value.what and "and 30 more" in refused.value.what


def test_bytes_that_are_no_text_are_a_bad_line_and_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    path = written(tmp_path, '{"goal": "half \\ud800 of it"}')
    assert read_goals(path, "reflective")[0].goal == "half ? of it"
    path.write_bytes(b'{"goal": "\xff"}\n')
    with pytest.raises(UsageError, match="not UTF-8"):
        read_goals(path, "reflective")


def test_a_file_without_goals_or_none_at_all_is_refused(tmp_path: Path) -> None:
    for path in (written(tmp_path, ""), tmp_path / "missing", tmp_path):
        with pytest.raises(UsageError):
            read_goals(path, "reflective")


def test_every_graph_of_the_server_is_asked_or_said_to_take_no_goal() -> None:
    served = json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"]
    assert {*GRAPHS, *ELSEWHERE} == set(served)
    assert not {*GRAPHS} & {*ELSEWHERE}


@pytest.mark.parametrize("name", GRAPHS)
def test_the_goal_and_its_context_are_in_what_a_graph_is_given(name: str) -> None:
    given = GRAPHS[name].start(Goal("1", "What is it?", name, "It is a stone."), "thread")
    assert "What is it?" in given.values()
    assert ("It is a stone." in given.values()) == GRAPHS[name].takes_context


def test_another_text_graph_material_or_batch_is_another_thread() -> None:
    goals = [
        Goal("1", "a", "auto"),
        Goal("1", "b", "auto"),
        Goal("1", "a", "hybrid"),
        Goal("1", "a", "auto", "c"),
    ]
    names = [goal.thread(batch) for goal in goals for batch in ("x", "y")]
    assert len(set(names)) == len(names) and goals[0].thread("x") == Goal("1", "a", "auto").thread("x")
