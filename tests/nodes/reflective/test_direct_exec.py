"""DIRECT_EXEC: an answer without a plan."""

from typing import Any

import pytest

from models.errors import ModelError
from nodes.errors import NoTools, PlanInvalid
from nodes.reflective.direct_exec import direct_exec, missing_text
from nodes.reflective.promotion import PROMOTED
from nodes.reflective.respond import decide
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    Recalled,
    RunLimits,
    StepStatus,
    TaskComplexity,
)
from nodes.reflective.verify import must_verify
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall

LINES = "How many lines does data/ships.csv have?"
# No recipe covers this goal.
ODD_GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
GREP = {"command": "grep Boreas data/ships.csv"}


async def done(
    bench: Bench, goal: str, complexity: TaskComplexity, limits: RunLimits | None = None, **roles: list[Any]
) -> ReasoningState:
    state = ReasoningState(goal=goal, complexity=complexity, limits=limits or RunLimits())
    return await bench.visit(direct_exec, state, bench.context(roles))


async def simple(
    bench: Bench, goal: str, limits: RunLimits | None = None, **roles: list[Any]
) -> ReasoningState:
    return await done(bench, goal, TaskComplexity.SIMPLE, limits, **roles)


async def test_a_greeting_takes_one_call_of_the_model_and_none_of_a_tool(bench: Bench) -> None:
    state = await done(bench, "hello", TaskComplexity.BYPASS, worker=[" Good day. \n"])
    assert (state.draft_answer, state.stop_reason, state.plan) == ("Good day.", "bypass", None)
    assert state.usage["worker"].calls == 1 and state.evidence == [] and state.confidence is None


@pytest.mark.parametrize("reply", ["", " \n\t"])
async def test_an_empty_reply_is_no_answer(bench: Bench, reply: str) -> None:
    state = await done(bench, "hello", TaskComplexity.BYPASS, worker=[reply])
    assert (state.draft_answer, state.stop_reason) == (None, None)
    assert decide(state) == ("error", "The model's answer was empty.")


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I can't help with that.",
        "I was unable to answer; the command failed.",
        "I have updated the file and deleted the rest.",
        "Done! I ran the tests and they all pass.",
        "I've executed the script successfully.",
        "and so on " * 1000,
    ],
)
async def test_a_refusal_or_a_deed_in_words_is_no_answer(bench: Bench, reply: str) -> None:
    state = await done(bench, "hello", TaskComplexity.BYPASS, worker=[reply])
    assert state.draft_answer is None and decide(state)[0] == "verification_failed"


@pytest.mark.parametrize(
    "reply",
    ["Hello! I'm an AI and cannot see files, but ask away.", "I do not sleep.", "I have written: roses."],
)
async def test_a_reply_that_only_mentions_limits_is_an_answer(bench: Bench, reply: str) -> None:
    state = await done(bench, "hello", TaskComplexity.BYPASS, worker=[reply])
    assert (state.draft_answer, decide(state)) == (reply, ("bypass", None))


async def test_a_model_that_is_down_is_an_error_and_no_answer(bench: Bench) -> None:
    with pytest.raises(ModelError):
        await done(bench, "hello", TaskComplexity.BYPASS, worker=[{"error": "unavailable"}])


async def test_one_call_of_a_recipe_answers_without_a_model(bench: Bench) -> None:
    state = await simple(bench, LINES)
    assert state.draft_answer == "data/ships.csv has 3 lines." and state.usage == {}
    assert state.plan is not None and state.plan.is_complete and state.plan.source == "recipe"
    assert [item.source for item in state.evidence] == ["tool", "computed"]
    assert state.completed == state.plan.steps and decide(state)[0] == "success"


async def test_a_models_command_is_run_and_still_has_to_be_verified(bench: Bench) -> None:
    state = await simple(bench, ODD_GOAL, planner=[GREP], worker=["Boreas is 240 long."])
    assert state.draft_answer == "Boreas is 240 long." and must_verify(state)
    assert state.usage["planner"].calls == 1 and decide(state)[0] != "success"
    assert decide(state.model_copy(update={"verified": True}))[0] == "success"


@pytest.mark.parametrize(
    "command", ["rm data/ships.csv", "grep Boreas data/ships.csv > out", "cat /etc/passwd", "ls", "none"]
)
async def test_a_refused_command_is_asked_for_again_and_never_run(bench: Bench, command: str) -> None:
    again = {"when": "Your last command was refused: ", "reply": GREP}
    state = await simple(bench, ODD_GOAL, planner=[again, {"command": command}], worker=[""])
    assert state.usage["planner"].calls == 2
    assert [item.command for item in state.evidence] == ["grep -- Boreas data/ships.csv"]


@pytest.mark.parametrize("reply", ["", "Look!", {"command": ""}, {"command": "rm x"}, {"error": "garbage"}])
async def test_without_a_usable_command_there_is_no_answer(bench: Bench, reply: Any) -> None:
    state = await simple(bench, ODD_GOAL, planner=[reply] * 9)
    assert (state.stop_reason, state.plan, state.draft_answer) == ("no_plan", None, None)
    assert state.last_error and state.evidence == [] and decide(state)[0] == "no_plan"


async def test_a_command_that_fails_is_told_and_is_no_answer(bench: Bench) -> None:
    goal = "which captain's ship is Nobody moored with, judging by flag, in data/ships.csv"
    state = await simple(bench, goal, planner=[{"command": "grep Nobody data/ships.csv"}])
    assert state.plan is not None and state.plan.steps[0].status is StepStatus.FAILED
    assert (state.stop_reason, state.draft_answer, state.completed) == (None, None, [])
    # What one call did not answer is planned: the label is promoted, and says where it came from as before.
    assert state.complexity is TaskComplexity.MODERATE and state.last_error is not None
    assert PROMOTED in state.notes
    assert decide(state)[0] == "max_reflections"


async def test_a_missing_file_is_said_to_be_missing_with_what_resembles_it(bench: Bench) -> None:
    settled = RunLimits(reflections={})
    state = await simple(bench, "How many lines does data/ship.csv have?", settled)
    assert state.last_error is not None and decide(state)[0] == "max_reflections"
    assert "data/ship.csv does not exist here; what resembles it: data/ships.csv" in state.last_error
    state = await simple(bench, "How many lines does zzzzzz.csv have?", settled)
    assert "zzzzzz.csv does not exist here." in (state.last_error or "")


async def test_the_safe_profile_does_not_look(bench: Bench) -> None:
    state = ReasoningState(goal=LINES, complexity=TaskComplexity.SIMPLE)
    with pytest.raises(NoTools):
        await bench.visit(direct_exec, state, bench.context(profile="safe"))


async def test_a_greeting_needs_no_tools(bench: Bench) -> None:
    state = ReasoningState(goal="hello", complexity=TaskComplexity.BYPASS)
    context = bench.context({"worker": ["Good day."]}, profile="dev")
    assert (await bench.visit(direct_exec, state, context)).draft_answer == "Good day."


def test_a_missing_name_is_told_with_or_without_others() -> None:
    assert missing_text("a", []) == "a does not exist here."
    assert missing_text("a", ["b", "c"]) == "a does not exist here; what resembles it: b, c."


async def test_a_plan_of_an_earlier_run_that_fails_now_is_replaced(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = ToolCall(tool="command", args={"command": "grep Nobody data/ships.csv"})
    old = Plan(objective=ODD_GOAL, steps=[PlanStep(num=1, description="Search", tool_call=call)])
    old = old.model_copy(update={"source": "reused", "reused_from": "old"})

    async def known(*_: Any) -> tuple[Plan, Recalled]:
        return old, Recalled(event_id="old", goal=ODD_GOAL, scope="project", use="reused")

    monkeypatch.setattr("nodes.reflective.direct_exec.plan_from_experience", known)
    state = await simple(bench, ODD_GOAL, planner=[GREP], worker=["Boreas is 240 long."])
    assert state.plan is not None and state.plan.source == "model"
    assert state.draft_answer == "Boreas is 240 long." and state.last_error is None
    assert state.stop_reason is None and [used.event_id for used in state.recalled] == ["old"]


async def test_nothing_is_changed_where_nobody_is_asked(bench: Bench) -> None:
    # A forked or edited state may call a change simple; only EXECUTE shows, asks and writes it down.
    (bench.root / "kept.txt").write_text("x")
    with pytest.raises(PlanInvalid, match="approved"):
        await simple(bench, "delete the file kept.txt")
    assert (bench.root / "kept.txt").exists()
