"""A model too small to plan writes one command after examples; it is checked, shown, and never claimed."""

from typing import Any

import pytest

from graph.reflective import build
from nodes.reflective.command_line import TOO_SMALL
from nodes.reflective.plan import plan
from nodes.reflective.respond import BY_SMALL_MODEL
from nodes.reflective.state import ReasoningState, TaskComplexity
from tests.nodes.reflective.bench import Bench

GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
RIGHT = "grep Boreas data/ships.csv"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.roles.RoleModels.can_judge", lambda *_: False)


async def planned(bench: Bench, *replies: Any, goal: str = GOAL, **state: Any) -> ReasoningState:
    start = ReasoningState(goal=goal, complexity=TaskComplexity.MODERATE, **state)
    return await bench.visit(plan, start, bench.context({"planner": list(replies)}))


async def test_it_sees_examples_like_the_goal_and_writes_one_command(bench: Bench) -> None:
    state = await planned(bench, {"when": "Input|csv", "reply": RIGHT})
    assert state.plan is not None and state.plan.source == "model"
    assert [step.tool_call.args for step in state.plan.steps if step.tool_call] == [{"command": RIGHT}]
    assert state.usage["planner"].calls == 1


@pytest.mark.parametrize("said", [RIGHT, f"`{RIGHT}`", f"```\n{RIGHT}\n```", f"$ {RIGHT}", f"  {RIGHT}  "])
async def test_what_surrounds_a_command_is_taken_off(bench: Bench, said: str) -> None:
    state = await planned(bench, said, *[RIGHT] * 2)
    assert state.plan is not None
    assert state.plan.steps[0].tool_call is not None
    assert state.plan.steps[0].tool_call.args["command"] == RIGHT


async def test_its_plan_is_never_conclusive(bench: Bench) -> None:
    state = await planned(bench, RIGHT)
    assert state.plan is not None and not state.plan.conclusive


@pytest.mark.parametrize(
    "said",
    [
        "",
        "rm -rf data",
        "ls",
        "grep Boreas data/other.csv",
        "grep Boreas data/ships.csv > out",
        "curl x.y",
        "```",
    ],
)
async def test_a_command_that_fails_a_check_is_not_run(bench: Bench, said: str) -> None:
    state = await planned(bench, said, said)
    assert state.plan is None and state.stop_reason == "no_plan" and state.last_error
    assert state.usage["planner"].calls == 2


async def test_a_question_said_back_is_told_as_that(bench: Bench) -> None:
    state = await planned(bench, *[GOAL] * 3)
    assert state.plan is None and "The model repeated the question." in state.last_error


async def test_a_goal_that_is_a_command_may_be_said_back(bench: Bench) -> None:
    state = await planned(bench, RIGHT, goal=f"do {RIGHT}")
    assert state.plan is not None, state.last_error


async def test_another_number_of_examples_gives_another_command(bench: Bench) -> None:
    state = await planned(bench, "ls", RIGHT)
    assert state.plan is not None and state.plan_retries == 1


async def test_a_change_is_not_asked_of_it(bench: Bench) -> None:
    state = await planned(bench, RIGHT, goal="rewrite data/ships.csv so that every flag is nicer")
    assert state.plan is None and state.last_error == TOO_SMALL and state.usage == {}


async def test_the_answer_says_whose_choice_the_command_was(bench: Bench) -> None:
    context = bench.context({"planner": [RIGHT] * 3})
    final = await build().ainvoke({"goal": GOAL}, {"configurable": {"thread_id": "t"}}, context=context)
    assert final["status"] == "partial"
    assert final["final_answer"].endswith(BY_SMALL_MODEL) and "Boreas" in final["final_answer"]
