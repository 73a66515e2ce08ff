"""PLAN: a recipe, else the planner, checked and retried; else a reason why there is none."""

from typing import Any

import pytest

from models.errors import ModelError
from nodes.errors import NoTools
from nodes.reflective.plan import plan, skip_notes
from nodes.reflective.recall import Lessons, recall
from nodes.reflective.state import PlanStep, ReasoningState, ReflectionAttempt, TaskComplexity
from tests.nodes.reflective.bench import Bench, git
from tools.protocol import ToolCall

GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
GOOD = {
    "objective": "look",
    "steps": [{"description": "find", "command": "grep Boreas data/ships.csv"}],
    "confidence": 0.8,
}


def other(command: str) -> dict[str, Any]:
    return {"objective": "look", "steps": [{"description": "find", "command": command}]}


async def planned(bench: Bench, *replies: Any, goal: str = GOAL, **state: Any) -> ReasoningState:
    start = ReasoningState(goal=goal, complexity=TaskComplexity.MODERATE, **state)
    return await bench.visit(plan, start, bench.context({"planner": list(replies)}))


async def test_a_recipe_needs_no_model(bench: Bench) -> None:
    state = await planned(bench, goal="Which python file has the most lines?", last_error="before")
    assert state.plan is not None and state.plan.source == "recipe" and state.usage == {}
    assert (state.current_step_index, state.last_error, state.stop_reason) == (0, None, None)


async def test_a_good_plan_of_a_model_is_taken(bench: Bench) -> None:
    state = await planned(bench, GOOD, current_step_index=4, verified=True)
    assert state.plan is not None and state.plan.source == "model" and state.confidence == 0.8
    assert (state.current_step_index, state.plan_retries, state.verified) == (0, 0, False)
    assert state.usage["planner"].calls == 1


async def test_a_refused_plan_is_asked_for_again_with_the_reason(bench: Bench) -> None:
    correct = {"when": "Your last plan was refused:.*data/ships.csv", "reply": GOOD}
    state = await planned(bench, correct, other("ls"))
    assert state.plan is not None and state.plan_retries == 1 and state.usage["planner"].calls == 2


async def test_a_planner_that_repeats_a_refused_plan_is_asked_no_more(bench: Bench) -> None:
    state = await planned(bench, *[other("ls")] * 9)
    assert state.plan is None and state.stop_reason == "no_plan"
    assert state.usage["planner"].calls == 2


async def test_three_different_bad_plans_are_enough(bench: Bench) -> None:
    state = await planned(bench, *[other(f"head -n {number} notes.txt") for number in range(1, 9)])
    assert (state.stop_reason, state.plan_retries, state.usage["planner"].calls) == ("no_plan", 2, 3)


@pytest.mark.parametrize("reply", ["", "Just look.", '{"steps": []}', "[]", {"error": "garbage"}])
async def test_no_plan_comes_of_a_reply_that_holds_none(bench: Bench, reply: Any) -> None:
    state = await planned(bench, *[reply] * 9)
    assert (state.plan, state.stop_reason) == (None, "no_plan") and state.last_error
    assert state.evidence == []


async def test_no_plan_of_an_earlier_round_is_kept_when_there_is_no_new_one(bench: Bench) -> None:
    before = await planned(bench, GOOD)
    state = await planned(bench, *["no"] * 9, plan=before.plan)
    assert state.plan is None


async def test_a_planner_that_is_down_is_an_error_and_not_a_plan(bench: Bench) -> None:
    with pytest.raises(ModelError):
        await planned(bench, {"error": "unavailable"})


@pytest.mark.parametrize("reply", [{"error": "unavailable"}, other("head -n 1 /etc/passwd"), "no"])
async def test_a_question_no_planner_has_a_plan_for_is_shown_lines_with_its_words(
    bench: Bench, reply: Any
) -> None:
    state = await planned(bench, *[reply] * 9, goal="Who captains the Zephyr?")
    assert state.plan is not None and (state.plan.recipe, state.plan.conclusive) == ("lines-about", False)
    assert "role_failed" not in state.notes and state.stop_reason is None
    # What was shown in vain is not shown again.
    call = state.plan.steps[0].tool_call
    tried = ReflectionAttempt(timestamp="t", failed_step=1, error="e", failed_call=call)
    with_nothing = await planned(
        bench, *["no"] * 9, goal="Who captains the Zephyr?", reflection_attempts=[tried]
    )
    assert (with_nothing.plan, with_nothing.stop_reason) == (None, "no_plan")


async def test_a_change_is_never_answered_by_lines(bench: Bench) -> None:
    state = await planned(bench, *["no"] * 9, goal="Make the Zephyr faster", asks_for_change=True)
    assert (state.plan, state.stop_reason) == (None, "no_plan")


async def test_a_file_that_was_looked_for_in_vain_is_not_planned_around(bench: Bench) -> None:
    missing = ReflectionAttempt(
        timestamp="t",
        failed_step=1,
        error="no such file",
        category="missing_path",
        diagnosis="zebra.py does not exist here.",
    )
    goal = "how does zebra.py differ in spirit from its captain"
    state = await planned(bench, GOOD, goal=goal, reflection_attempts=[missing])
    assert (state.stop_reason, state.last_error) == ("no_plan", "zebra.py does not exist here.")
    assert state.usage == {}


async def test_what_failed_is_not_planned_again(bench: Bench) -> None:
    call = ToolCall(tool="command", args={"command": "grep Boreas data/ships.csv"})
    tried = ReflectionAttempt(timestamp="t", failed_step=1, error="e", failed_call=call)
    state = await planned(bench, GOOD, GOOD, reflection_attempts=[tried])
    assert state.plan is None and "failed before" in (state.last_error or "")
    done = PlanStep(num=1, description="d", tool_call=call)
    state = await planned(bench, GOOD, GOOD, completed=[done])
    assert state.plan is None and "run already" in (state.last_error or "")


async def test_remarks_of_earlier_nodes_are_kept_beside_what_searches_leave_out(bench: Bench) -> None:
    state = await planned(bench, GOOD, notes=["The critic did not answer."])
    assert state.notes == ["The critic did not answer.", "Searches left out .reflect."]
    again = await planned(bench, GOOD, notes=state.notes)
    assert again.notes == state.notes


async def test_what_searches_leave_out_is_told_in_short(bench: Bench) -> None:
    git(bench.root, "init", "-q")
    (bench.root / ".gitignore").write_text("*.log\n")
    for number in range(9):
        (bench.root / f"{number}.log").write_text("x")
    state = await planned(bench, GOOD)
    (note,) = state.notes
    assert "0.log, 1.log, 2.log, 3.log, 4.log and 4 more." in note and ".git" in note


def test_nothing_left_out_is_not_worth_a_remark() -> None:
    from memory.recipes.places import Whereabouts
    from memory.recipes.reading import read_goal
    from nodes.reflective.lookup import Located

    assert skip_notes(Located(read_goal("x"), Whereabouts(), (), ())) == []


async def test_the_safe_profile_plans_nothing(bench: Bench) -> None:
    with pytest.raises(NoTools) as told:
        await bench.visit(plan, ReasoningState(goal=GOAL), bench.context(profile="safe"))
    assert "--profile dev" in told.value.remedy


async def test_past_experience_reaches_the_planner(remembering: Bench) -> None:
    services = remembering.services()
    assert await recall(GOAL, ReasoningState(session_id="other"), services) == Lessons()
    await planned(remembering, *["no"] * 9, session_id="s")
    # A run asks the same once, so what is recalled now is another run's.
    services = remembering.services()
    lessons = await recall(GOAL, ReasoningState(session_id="other"), services)
    assert "Boreas" in lessons.text and lessons.used
    reply = {"when": "(?s)Boreas.*Boreas", "reply": GOOD}
    state = await planned(remembering, reply, session_id="another")
    assert state.plan is not None


async def test_a_run_does_not_recall_what_it_has_just_written(remembering: Bench) -> None:
    services = remembering.services()
    await planned(remembering, *["no"] * 9, session_id="s")
    assert await recall(GOAL, ReasoningState(session_id="s"), services) == Lessons()
    later = ReasoningState(session_id="s", started="2999-01-01T00:00:00+00:00")
    # A later run opens services of its own.
    assert (await recall(GOAL, later, remembering.services())).used


async def test_nothing_is_recalled_when_memory_is_off(bench: Bench) -> None:
    assert await recall(GOAL, ReasoningState(), bench.services()) == Lessons()
