"""A model's plan: what code accepts of it, and what the planner is told."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from memory.recipes.places import Place, locate
from memory.recipes.reading import read_goal
from nodes.errors import PlanInvalid
from nodes.reflective.lookup import Located
from nodes.reflective.model_plan import DraftStep, PlanDraft, check_draft, planner_messages
from nodes.reflective.state import Plan, PlanStep, ReasoningState, ReflectionAttempt, TaskComplexity
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

GOAL = "look around"
PLACES = (Place("data/ships.csv", False), Place("notes.txt", False))


@pytest.fixture
def toolbox(bench: Bench) -> Toolbox:
    found = bench.services().toolbox
    assert found is not None
    return found


def checked(toolbox: Toolbox, *commands: str, goal: str = GOAL, **state: Any) -> Plan:
    reading = read_goal(goal)
    located = Located(reading, locate(reading, PLACES), (), ())
    draft = PlanDraft(steps=[DraftStep(description="d", command=command) for command in commands])
    state = {"complexity": TaskComplexity.COMPLEX, **state}
    return check_draft(draft, ReasoningState(goal=goal, **state), located, toolbox)


def call(command: str) -> ToolCall:
    return ToolCall(tool="command", args={"command": command})


def attempt(command: str) -> ReflectionAttempt:
    return ReflectionAttempt(timestamp="t", failed_step=1, error="it failed", failed_call=call(command))


def test_a_plan_keeps_its_commands_in_order_and_nothing_else_becomes_a_call(toolbox: Toolbox) -> None:
    plan = checked(toolbox, "ls", " wc -l notes.txt ", "", "None")
    assert [step.tool_call for step in plan.steps] == [call("ls"), call("wc -l notes.txt"), None, None]
    assert [step.num for step in plan.steps] == [1, 2, 3, 4]
    assert plan.source == "model" and plan.objective == GOAL and not plan.is_complete


@pytest.mark.parametrize("commands", [("",), ("none", " ")])
def test_a_plan_without_a_command_is_refused(toolbox: Toolbox, commands: tuple[str, ...]) -> None:
    with pytest.raises(PlanInvalid, match="No step has a command"):
        checked(toolbox, *commands)


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf notes.txt",
        "cat notes.txt > out",
        "cat notes.txt; touch x",
        "cat notes.txt && touch x",
        "cat $(touch x)",
        "cat `touch x`",
        "find . -delete",
        "find . -exec rm {} +",
        "sort -o out notes.txt",
        "cat ../secret",
        "cat /etc/passwd",
        "git push",
        "git log --output=x",
        "python -c 'print(1)'",
        "xargs rm",
        "ls &",
        "'",
    ],
)
@pytest.mark.parametrize("beside", [(), ("ls",)])
def test_a_command_outside_the_read_only_set_spoils_the_whole_plan(
    toolbox: Toolbox, command: str, beside: tuple[str, ...]
) -> None:
    with pytest.raises(PlanInvalid):
        checked(toolbox, *beside, command)


@pytest.mark.parametrize(("complexity", "most"), [("simple", 1), ("moderate", 4), ("complex", 7)])
def test_a_plan_may_have_as_many_steps_as_its_goal_needs(
    toolbox: Toolbox, complexity: str, most: int
) -> None:
    commands = [f"head -n {number} notes.txt" for number in range(1, 9)]
    plan = checked(toolbox, *commands[:most], complexity=TaskComplexity(complexity))
    assert len(plan.steps) == most
    with pytest.raises((PlanInvalid, ValidationError)):
        checked(toolbox, *commands[: most + 1], complexity=TaskComplexity(complexity))


@pytest.mark.parametrize(
    "again",
    [
        "grep Nobody data/ships.csv",
        "grep  Nobody   data/ships.csv",
        "grep 'Nobody' data/ships.csv",
        'grep "Nobody" "data/ships.csv"',
    ],
)
def test_a_call_that_failed_is_not_planned_again_in_other_quotes(toolbox: Toolbox, again: str) -> None:
    with pytest.raises(PlanInvalid, match="failed before"):
        checked(toolbox, "ls", again, reflection_attempts=[attempt("grep Nobody data/ships.csv")])
    done = PlanStep(num=1, description="d", tool_call=call("grep Nobody data/ships.csv"))
    with pytest.raises(PlanInvalid, match="run already"):
        checked(toolbox, again, completed=[done])
    with pytest.raises(PlanInvalid, match="run already"):
        checked(toolbox, "grep Nobody data/ships.csv", again)


def test_pipes_written_closely_are_the_same_call(toolbox: Toolbox) -> None:
    with pytest.raises(PlanInvalid, match="failed before"):
        checked(toolbox, "cat notes.txt|sort", reflection_attempts=[attempt("cat notes.txt | sort")])


@pytest.mark.parametrize("earlier", ["grep 'Nobody", 'grep "'])
def test_an_earlier_call_that_cannot_be_read_is_like_no_other(toolbox: Toolbox, earlier: str) -> None:
    assert checked(toolbox, "ls", reflection_attempts=[attempt(earlier)]).steps


def test_a_call_with_another_argument_is_another_call(toolbox: Toolbox) -> None:
    before = [attempt("grep Nobody data/ships.csv"), attempt("grep 'a b' notes.txt")]
    recipe = ReflectionAttempt(
        timestamp="t", failed_step=1, error="e", failed_call=ToolCall(tool="pipeline", args={"stages": []})
    )
    plan = checked(
        toolbox, "grep nobody data/ships.csv", "grep a b notes.txt", reflection_attempts=[*before, recipe]
    )
    assert len(plan.steps) == 2


def test_a_plan_that_leaves_out_what_the_goal_names_is_refused(toolbox: Toolbox) -> None:
    with pytest.raises(PlanInvalid, match=r"data/ships\.csv"):
        checked(toolbox, "ls", goal="how many lines does data/ships.csv have?")


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.text("rmcat wls |;&><$()`'\"\\\n./-#x", max_size=20), min_size=1, max_size=3))
def test_any_text_is_refused_or_becomes_calls_that_the_tools_accept(
    toolbox: Toolbox, commands: list[str]
) -> None:
    try:
        plan = checked(toolbox, *commands)
    except PlanInvalid as refused:
        assert str(refused)
    else:
        calls = [step.tool_call for step in plan.steps if step.tool_call]
        assert calls
        for one in calls:
            toolbox.check(one)


def test_the_planner_is_told_the_goal_the_tools_and_what_was_tried(toolbox: Toolbox) -> None:
    tried = attempt("grep Nobody data/ships.csv").model_copy(
        update={
            "diagnosis": "No such ship.",
            "new_plan_summary": "Try Boreas.",
            "corrections": {"shps": "ships"},
        }
    )
    state = ReasoningState(goal="find {Nobody} in shps", reflection_attempts=[tried])
    messages = planner_messages(state, toolbox, "EXPERIENCE", "WRONG")
    system = str(messages[0].text)
    for told in (
        "- grep:",
        "grep Nobody data/ships.csv",
        "No such ship.",
        "Try Boreas.",
        "EXPERIENCE",
        "WRONG",
    ):
        assert told in system
    assert messages[-1].text == "find {Nobody} in ships"


def test_the_examples_are_plans_that_code_accepts(toolbox: Toolbox) -> None:
    messages = planner_messages(ReasoningState(goal=GOAL), toolbox, "", "")
    examples = [PlanDraft.model_validate_json(str(m.text)) for m in messages if m.type == "ai"]
    assert len(examples) >= 3
    for example in examples:
        for step in example.steps:
            toolbox.check(call(step.command))
