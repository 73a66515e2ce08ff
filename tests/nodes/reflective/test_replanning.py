"""What the next plan keeps of the earlier ones, and what it must not repeat."""

from __future__ import annotations

from typing import Any

import pytest

from memory.recipes.places import locate
from memory.recipes.reading import read_goal
from nodes.errors import PlanInvalid
from nodes.reflective.execute import execute
from nodes.reflective.lookup import Located
from nodes.reflective.model_plan import (
    DraftStep,
    KeepingStep,
    PlanDraft,
    ReplanDraft,
    check_draft,
    planner_messages,
)
from nodes.reflective.plan import plan
from nodes.reflective.replanning import RESULTS_CHARS, attempts_text, earlier_results, results_text
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    ReflectionAttempt,
    StepStatus,
    TaskComplexity,
)
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

GOAL = "look around"


def call(command: str) -> ToolCall:
    return ToolCall(tool="command", args={"command": command})


def done(command: str, printed: str = "x\n", num: int = 1) -> PlanStep:
    result = ToolResult(tool="command", returncode=0, stdout=printed, command=command)
    return PlanStep(
        num=num, description="d", tool_call=call(command), status=StepStatus.SUCCESS, result=result
    )


def attempt(**values: Any) -> ReflectionAttempt:
    return ReflectionAttempt(timestamp="t", failed_step=1, error="it failed", **values)


@pytest.fixture
def toolbox(bench: Bench) -> Toolbox:
    found = bench.services().toolbox
    assert found is not None
    return found


def checked(toolbox: Toolbox, *steps: tuple[str, int], **state: Any) -> Plan:
    reading = read_goal(GOAL)
    located = Located(reading, locate(reading, ()), (), ())
    drafts = [KeepingStep(description="d", command=command, uses=uses) for command, uses in steps]
    values = {"complexity": TaskComplexity.COMPLEX, **state}
    return check_draft(ReplanDraft(steps=drafts), ReasoningState(goal=GOAL, **values), located, toolbox)


def test_a_command_that_worked_is_kept_with_its_result_instead_of_run_again(toolbox: Toolbox) -> None:
    made = checked(
        toolbox, ("cat  './notes.txt'", 0), ("wc -l notes.txt", 0), completed=[done("cat notes.txt", "a\n")]
    )
    kept, new = made.steps
    assert kept.kept and kept.status is StepStatus.SUCCESS and kept.result is not None
    assert kept.result.stdout == "a\n" and not new.kept and new.status is StepStatus.PENDING
    assert (made.next_index(), [step.num for step in made.steps]) == (1, [1, 2])


def test_a_step_may_read_an_earlier_result(toolbox: Toolbox) -> None:
    earlier = [done("cat notes.txt", "b\na\n"), done("ls", num=2)]
    made = checked(toolbox, ("sort", 1), ("head -n 1", 1), completed=earlier)
    assert [(step.kept, step.input_from) for step in made.steps] == [(True, None), (False, 1), (False, 1)]


@pytest.mark.parametrize("number", [2, 50])
def test_a_result_that_is_not_there_cannot_be_used(toolbox: Toolbox, number: int) -> None:
    with pytest.raises(PlanInvalid, match="no earlier result"):
        checked(toolbox, ("sort", number), completed=[done("ls")])


@pytest.mark.parametrize("steps", [[("cat notes.txt", 0)], [("", 1), ("ls ./", 0)]])
def test_a_plan_of_nothing_new_is_refused(toolbox: Toolbox, steps: list[tuple[str, int]]) -> None:
    with pytest.raises(PlanInvalid, match=r"run already|No step has"):
        checked(toolbox, *steps, completed=[done("cat notes.txt"), done("ls .", num=2)])


@pytest.mark.parametrize(
    ("failed", "again"),
    [
        ("grep -rn Nobody data", "grep -n -r 'Nobody' ./data/"),
        ("head -5 data/ships.csv", 'head  --lines=5 "data/ships.csv"'),
        ("cat notes.txt|sort", "cat ./notes.txt | sort | cat"),
    ],
)
def test_another_spelling_or_description_is_no_change(toolbox: Toolbox, failed: str, again: str) -> None:
    with pytest.raises(PlanInvalid, match="failed before"):
        checked(toolbox, (again, 0), reflection_attempts=[attempt(failed_call=call(failed))])


def test_the_whole_plan_that_failed_is_refused_and_part_of_it_is_not(toolbox: Toolbox) -> None:
    tried = [attempt(failed_plan=[call("ls data"), call("wc -l notes.txt")])]
    with pytest.raises(PlanInvalid, match="whole plan failed"):
        checked(toolbox, ("ls  ./data", 0), ("wc --lines notes.txt", 0), reflection_attempts=tried)
    other = checked(toolbox, ("ls data", 0), ("wc -c notes.txt", 0), reflection_attempts=tried)
    assert len(other.steps) == 2


def test_what_was_read_before_a_change_is_no_result_any_more(toolbox: Toolbox) -> None:
    write = done("x").model_copy(
        update={"tool_call": ToolCall(tool="write_file", args={"path": "n", "content": "x"})}
    )
    state = ReasoningState(goal=GOAL, completed=[done("ls"), write, done("cat notes.txt", num=3)])
    assert [step.num for step in earlier_results(state, toolbox)] == [3]


def test_the_planner_sees_results_diagnoses_and_what_was_meant_to_come(toolbox: Toolbox) -> None:
    tried = attempt(
        failed_call=call("grep Nobody data/ships.csv"),
        diagnosis="No such ship.",
        fragile="A guess.",
        new_plan_summary="Try Boreas.",
    )
    state = ReasoningState(
        goal=GOAL, completed=[done("cat notes.txt", "gamma\n")], reflection_attempts=[tried]
    )
    system = str(planner_messages(state, toolbox, "", "")[0].text)
    for told in (
        "1. $ cat notes.txt\ngamma",
        "No such ship.",
        "A guess.",
        "Try Boreas.",
        "grep Nobody data/ships.csv",
    ):
        assert told in system


def test_results_in_a_prompt_are_bounded_and_the_newest_stay() -> None:
    text = results_text([done(f"cat {n}", f"line {n}\n" * 200, n) for n in range(1, 40)])
    assert len(text) < RESULTS_CHARS + 40 * 100 and "line 39" in text and "line 1\n" not in text
    assert results_text([]) == "" and attempts_text([]) == ""


async def test_a_second_plan_runs_only_what_is_new(bench: Bench) -> None:
    replan = {
        "objective": "o",
        "steps": [
            {"description": "all ships", "command": "cat data/ships.csv", "uses": 0},
            {"description": "the first", "command": "head -n 2", "uses": 1},
        ],
    }
    state = ReasoningState(
        goal="which ship comes first?",
        session_id="s",
        complexity=TaskComplexity.COMPLEX,
        completed=[done("cat data/ships.csv", "name,length,flag\nKept,1,XX\n")],
        reflection_attempts=[attempt(failed_call=call("head data/none.csv"))],
        reflection_count=1,
    )
    context = bench.context({"planner": [replan], "worker": ["Kept comes first."]})
    state = await bench.visit(plan, state, context)
    assert state.plan is not None and state.current_step_index == 1
    state, sent = await bench.watched(execute, state, context)
    assert [event["num"] for event in sent if event["kind"] == "step"] == [2]
    assert state.plan is not None and state.plan.is_complete
    # The head of the kept result, which is not what the file says now.
    result = state.plan.steps[1].result
    assert result is not None and result.stdout == "name,length,flag\nKept,1,XX\n"
    assert state.draft_answer == "Kept comes first."


async def test_without_results_the_planner_is_asked_for_no_numbers(bench: Bench) -> None:
    draft = {"objective": "o", "steps": [{"description": "d", "command": "cat notes.txt"}]}
    state = ReasoningState(
        goal="what may these notes be about?", session_id="s", complexity=TaskComplexity.COMPLEX
    )
    state = await bench.visit(plan, state, bench.context({"planner": [draft]}))
    assert state.plan is not None and state.plan.steps[0].tool_call == call("cat notes.txt")
    assert "uses" not in PlanDraft.model_json_schema()["$defs"][DraftStep.__name__]["properties"]
