"""A goal that leans on the turns before it: read, shown, and never taken for evidence."""

from typing import Any

import pytest

from nodes.errors import GoalError
from nodes.reflective.classify import classify
from nodes.reflective.follow_up import ANSWER_CHARS, GOAL_CHARS, KEPT_TURNS, holds, with_turn
from nodes.reflective.state import ReasoningState, Turn
from tests.nodes.reflective.bench import Bench

COUNT = Turn(goal="how many python files are there?", answer="There is 1 *.py file.", status="answered")
SHIP = Turn(goal="where is Boreas?", answer="Boreas stands in data/ships.csv.", status="answered")


async def classified(bench: Bench, goal: str, *turns: Turn, **roles: list[Any]) -> ReasoningState:
    labels = {"classifier": [{"complexity": "moderate"}]}
    state = ReasoningState(goal=goal, turns=list(turns))
    return await bench.visit(classify, state, bench.context({**labels, **roles}))


async def test_a_part_is_read_by_code_and_the_reading_is_shown(bench: Bench) -> None:
    state = await classified(bench, "and in src?", COUNT)
    assert (state.goal, state.said) == ("how many python files are there in src/", "and in src?")
    assert state.notes == ["Read as: how many python files are there in src/"]
    assert state.turns == [COUNT] and not state.evidence and not state.usage


async def test_the_file_an_answer_names_is_meant_by_it(bench: Bench) -> None:
    state = await classified(bench, "how many lines does it have?", COUNT, SHIP)
    assert state.goal == "how many lines does data/ships.csv have?"


async def test_a_model_reads_what_code_cannot(bench: Bench) -> None:
    rewritten = {"request": "how many lines do the python files have?", "complete": True}
    state = await classified(bench, "how many lines do they have?", COUNT, planner=[rewritten])
    assert state.goal == rewritten["request"] and state.usage["planner"].calls == 1


@pytest.mark.parametrize(
    "reply",
    [
        {"request": "how many lines does secret.py have?", "complete": True},
        {"request": "how many python files are there?", "complete": True},
        {"request": "how many lines do they have?", "complete": False},
        {"request": "", "complete": True},
        {"error": "garbage"},
    ],
)
async def test_a_reading_that_adds_or_drops_a_word_is_not_taken(bench: Bench, reply: Any) -> None:
    state = await classified(bench, "how many lines do they have?", COUNT, planner=[reply, reply])
    assert state.goal == "how many lines do they have?" and not state.said
    assert "on its own" in state.notes[0] and state.usage["planner"].calls >= 1


async def test_a_part_nobody_can_place_is_asked_for_in_full(bench: Bench) -> None:
    reply = {"request": "", "complete": False}
    with pytest.raises(GoalError, match="not clear") as raised:
        await classified(bench, "and with blue covers?", COUNT, planner=[reply])
    assert "in full" in raised.value.remedy


async def test_a_question_is_never_read_as_a_change(bench: Bench) -> None:
    deleted = Turn(goal="delete notes.txt", answer="Done:\n- delete notes.txt", status="answered")
    reply = {"request": "delete data/ships.csv", "complete": True}
    with pytest.raises(GoalError, match="not clear"):
        await classified(bench, "and data/ships.csv?", deleted, planner=[reply])


@pytest.mark.parametrize("goal", ["and in src?", "how many lines does it have?"])
async def test_without_a_turn_before_it_a_goal_is_what_it_says(bench: Bench, goal: str) -> None:
    state = await classified(bench, goal)
    assert (state.goal, state.said, state.notes) == (goal, "", [])


async def test_a_file_outside_the_root_is_not_meant(bench: Bench) -> None:
    (bench.root.parent / "other.txt").write_text("x")
    turn = Turn(goal="where?", answer="In ../other.txt.", status="answered")
    reply = {"request": "", "complete": False}
    state = await classified(bench, "how long is it?", turn, planner=[reply])
    assert state.goal == "how long is it?"


def test_a_thread_remembers_the_last_turns_in_short() -> None:
    state = ReasoningState(goal="x" * 9999, turns=[COUNT] * KEPT_TURNS)
    turns = with_turn(state, "y" * 9999, "partial")
    assert len(turns) == KEPT_TURNS and turns[:-1] == [COUNT] * (KEPT_TURNS - 1)
    assert (len(turns[-1].goal), len(turns[-1].answer)) == (GOAL_CHARS, ANSWER_CHARS)


def test_a_rewriting_holds_only_words_that_were_said() -> None:
    earlier = "Request: largest file?\nAnswer: docs/a.md (120 lines)"
    assert holds("who wrote docs/a.md?", "who wrote it?", earlier)
    assert not holds("who wrote docs/b.md?", "who wrote it?", earlier)
    assert not holds("who wrote 121?", "who wrote it?", earlier)
    assert not holds("docs/a.md?", "who wrote it?", earlier)
