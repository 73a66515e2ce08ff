"""Servers' tools in a run: which a goal says to use, what may be planned, and what is told of failures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from nodes.errors import PlanInvalid
from nodes.reflective.classify import classify
from nodes.reflective.plan import plan
from nodes.reflective.servers import check_used
from nodes.reflective.state import PlanStep, ReasoningState, ReflectionAttempt, TaskComplexity
from tests.nodes.reflective.bench import Bench
from tests.tools.mcp.test_liars import LIAR, Liar
from tools.mcp.catalogue import HEADING
from tools.protocol import ToolCall

pytest.importorskip("mcp")
COUNT = ToolCall(tool="liar.count", args={"n": 4})


def server(folder: Path, lie: str = "none", **more: Any) -> dict[str, Any]:
    return {"command": [sys.executable, "-I", "-S", str(LIAR), str(folder), lie], **more}


def look(command: str) -> dict[str, Any]:
    return {"objective": "x", "steps": [{"description": "ask", "command": command}], "validation": ""}


def change(tool: str, args: dict[str, Any]) -> dict[str, Any]:
    return {"objective": "x", "steps": [{"description": "do", "tool": tool, "args": args}]}


async def planned(
    bench: Bench, goal: str, folder: Path, draft: dict[str, Any], **more: Any
) -> ReasoningState:
    """The state after CLASSIFY and PLAN."""
    lie = more.pop("lie", "none")
    roles = {"planner": [draft] * 4, "classifier": [{"complexity": "moderate"}]}
    context = bench.context(roles, mcp__servers__liar=server(folder, lie, **more))
    state = await bench.visit(classify, ReasoningState(goal=goal), context)
    return await bench.visit(plan, state, context)


@pytest.mark.parametrize(
    "command", ['liar.count {"n": 4}', "liar.count n=4", "liar.count({'n': 4})", "  liar.count   n=4 "]
)
async def test_a_planners_command_becomes_a_typed_call(bench: Bench, tmp_path: Path, command: str) -> None:
    state = await planned(bench, "use liar.count to count to 4", tmp_path, look(command), read_only=["count"])
    if "'" in command:
        assert state.plan is None and "JSON" in (state.last_error or "")
        return
    assert state.plan is not None and state.plan.steps[0].tool_call == COUNT
    assert (state.complexity, state.complexity_source) == (TaskComplexity.MODERATE, "tool")
    assert (state.server_tools, state.changes_by, state.asks_for_change) == (["liar.count"], [], False)


async def test_a_tool_that_nobody_vouches_for_is_planned_where_the_goal_says_so(
    bench: Bench, tmp_path: Path
) -> None:
    args = {"n": 4, "to": "ada@example.org"}
    goal = "use liar.count to send a message to ada@example.org"
    state = await planned(bench, goal, tmp_path, change("liar.count", args))
    assert state.plan is not None
    assert state.plan.steps[0].tool_call == ToolCall(tool="liar.count", args=args)
    assert state.changes_by == ["liar.count"] and state.asks_for_change and state.commitments == []


@pytest.mark.parametrize(
    "goal", ["how many lines does notes.txt have, roughly speaking?", "what would liar.count do?"]
)
async def test_a_question_gets_no_plan_with_it(bench: Bench, tmp_path: Path, goal: str) -> None:
    state = await planned(bench, goal, tmp_path, look("liar.count n=4"))
    calls = [step.tool_call for step in state.plan.steps] if state.plan else []
    assert COUNT not in calls and not state.asks_for_change


async def test_arguments_that_do_not_fit_are_refused_with_what_fits(bench: Bench, tmp_path: Path) -> None:
    draft = look('liar.count {"n": "four"}')
    state = await planned(bench, "use liar.count to count", tmp_path, draft, read_only=["count"])
    assert state.plan is None and "n: 'four' is not of type 'integer'" in (state.last_error or "")
    assert "Its arguments are: n: integer" in (state.last_error or "")


async def test_a_server_that_does_not_start_is_a_note_and_the_run_goes_on(
    bench: Bench, tmp_path: Path
) -> None:
    gone = {"command": ["no-such-program-here"]}
    goal = "which rows of data/ships.csv look odd to a sailor?"
    context = bench.context({"planner": [look("cat data/ships.csv")]}, mcp__servers__gone=gone)
    state = await bench.visit(plan, ReasoningState(goal=goal, complexity=TaskComplexity.MODERATE), context)
    assert state.plan is not None and any("'gone' cannot be used" in note for note in state.notes)
    state = await bench.visit(classify, ReasoningState(goal="use gone.tool to count"), context)
    assert state.server_tools == ["gone.tool"]
    state = await bench.visit(plan, state, context)
    assert state.plan is None and "gone.tool cannot be used" in (state.last_error or "")


async def test_a_name_that_an_answering_server_does_not_list_is_a_files(bench: Bench, tmp_path: Path) -> None:
    context = bench.context({}, mcp__servers__notes=server(tmp_path, read_only=["count"]))
    state = await bench.visit(classify, ReasoningState(goal="count the lines with notes.txt"), context)
    assert state.server_tools == []


async def test_without_servers_nothing_is_started_or_shown(bench: Bench) -> None:
    services = bench.services()
    assert services.toolbox is not None
    await services.toolbox.servers.look()
    assert HEADING not in services.toolbox.describe() and services.toolbox.servers.problems == ()


async def test_a_goal_a_recipe_covers_starts_no_server(bench: Bench, tmp_path: Path) -> None:
    state = await planned(
        bench, "how many lines does notes.txt have?", tmp_path, look("true"), read_only=["count"]
    )
    services = bench.services(mcp__servers__liar=server(tmp_path))
    assert state.plan is not None and state.plan.source == "recipe" and services.toolbox is not None
    assert not (tmp_path / "pids").exists() and Liar(services.toolbox, tmp_path).calls == []


def test_a_plan_without_the_tool_is_refused_unless_it_was_used_or_a_person_said_otherwise() -> None:
    state = ReasoningState(goal="use liar.count", server_tools=["liar.count"])
    other = ToolCall(tool="command", args={"command": "ls"})
    with pytest.raises(PlanInvalid, match="No step calls liar.count"):
        check_used(state, [other])
    check_used(state, [other, COUNT])
    done = PlanStep(num=1, description="count", tool_call=COUNT)
    check_used(state.model_copy(update={"completed": [done]}), [other])
    said = ReflectionAttempt(
        timestamp="", failed_step=1, error="", category="correction", new_plan_summary="ls"
    )
    check_used(state.model_copy(update={"reflection_attempts": [said]}), [other])
    check_used(ReasoningState(goal="list the files"), [other])
