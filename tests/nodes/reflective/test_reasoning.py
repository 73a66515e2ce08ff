"""Every phase enters what it did, exactly once, also when a node raises or runs again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.ask import ask
from models.scripted import Script, register_script
from nodes.reflective import reasoning
from nodes.reflective.direct_exec import direct_exec
from nodes.reflective.execute import execute
from nodes.reflective.plan import plan
from nodes.reflective.respond import respond
from nodes.reflective.state import Plan, PlanStep, ReasoningState, TaskComplexity
from tests.nodes.reflective.bench import Bench
from tools.errors import ToolError
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
ON = {"reasoning_trace__enabled": True}
WORKER = {"worker": ["Boreas is 240 long."]}


@pytest.fixture(autouse=True)
def no_session_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasoning, "_SESSIONS", type(reasoning._SESSIONS)())


def step(command: str) -> PlanStep:
    return PlanStep(num=1, description="Look", tool_call=ToolCall(tool="command", args={"command": command}))


def state_of(bench: Bench, command: str = "grep Boreas data/ships.csv", **values: Any) -> ReasoningState:
    return ReasoningState(
        **{
            "goal": "how long is Boreas?",
            "session_id": bench.name,
            "started": "2026-11-21T10:00:00+00:00",
            "complexity": TaskComplexity.MODERATE,
            "plan": Plan(objective="o", steps=[step(command)], source="recipe"),
            **values,
        }
    )


def entries(root: Path) -> list[dict[str, Any]]:
    """The last version of every entry, from the files."""
    found: dict[str, dict[str, Any]] = {}
    for path in (root / ".reflect" / "reasoning_traces").glob("*.jsonl"):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            if record.get("record") == "reasoning":
                found[record["entry_id"]] = record
    return list(found.values())


async def test_a_run_with_a_failure_enters_each_phase_once(bench: Bench) -> None:
    def planned(word: str) -> dict[str, Any]:
        return {"steps": [{"description": f"Look for {word}", "command": f"grep {word} data/ships.csv"}]}

    script = Script(
        roles={
            "classifier": [{"complexity": "moderate"}],
            "planner": [planned("Nobody"), planned("Boreas")],
            "critic": [{"diagnosis": "Nobody is no ship.", "new_plan_summary": "Search for Boreas."}],
            "worker": ["Boreas flies the flag GR."],
            "verifier": [{"passed": True, "reason": "", "confidence": 0.9}],
        }
    )
    register_script(bench.name, script)
    chosen = {"reasoning_trace__enabled": True, "experience__enabled": False}
    state = await ask(GOAL, bench.root, f"scripted:{bench.name}", "s1", **chosen)
    assert state.stop_reason == "success"
    entered = reasoning._SESSIONS[(bench.root, "s1")].get_reasoning_entries()
    told = [(entry.stage.value, entry.outcome.value) for entry in entered]
    assert told == [
        ("planning", "success"),
        ("execution", "failed"),
        ("correction", "success"),
        ("planning", "success"),
        ("execution", "success"),
        ("verification", "success"),
        ("finalization", "success"),
    ]
    assert "Nobody is no ship." in entered[2].thought
    assert any("Search for Boreas." in text for text in entered[2].corrections)
    assert entered[4].action == "command" and "Boreas,240,GR" in entered[4].evidence[0]


async def test_off_nothing_is_entered(remembering: Bench) -> None:
    await remembering.visit(execute, state_of(remembering), remembering.context(WORKER))
    assert entries(remembering.root) == []


async def test_the_step_of_a_direct_call_is_entered_with_its_plan(remembering: Bench) -> None:
    asked = state_of(
        remembering, goal="how many lines does notes.txt have?", plan=None, complexity=TaskComplexity.SIMPLE
    )
    await remembering.visit(direct_exec, asked, remembering.context(**ON))
    planned, done = entries(remembering.root)
    assert (planned["stage"], done["stage"], done["outcome"]) == ("planning", "execution", "success")
    assert done["attachments"] == [{"type": "file", "path": "notes.txt", "status": "found"}]


async def test_a_step_that_raised_is_pending_until_respond_settles_it(
    remembering: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def raising(*_: Any, **__: Any) -> None:
        raise ToolError("the sandbox broke", "mend it")

    context = remembering.context(**ON)
    monkeypatch.setattr(Toolbox, "run", raising)
    with pytest.raises(ToolError):
        await remembering.visit(execute, state_of(remembering), context)
    assert entries(remembering.root) == []
    failed = state_of(
        remembering, failure={"node": "execute", "kind": "ToolError", "what": "the sandbox broke"}
    )
    state = await remembering.visit(respond, failed, context)
    assert state.stop_reason == "error"
    step_entry, end = entries(remembering.root)
    assert (step_entry["stage"], step_entry["outcome"]) == ("execution", "failed")
    assert step_entry["error"] == "the sandbox broke"
    assert (end["stage"], end["outcome"]) == ("finalization", "failed")


async def test_a_visit_that_runs_again_replaces_what_it_said(
    remembering: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill after the entry is written and before the checkpoint: LangGraph runs the same task again."""
    monkeypatch.setattr(reasoning, "_entry_id", lambda state, stage, ordinal: f"same task {stage} {ordinal}")
    for _ in range(2):
        reasoning._SESSIONS.clear()
        await remembering.visit(execute, state_of(remembering), remembering.context(WORKER, **ON))
    assert len(entries(remembering.root)) == 1


@pytest.mark.parametrize("mode", ["examples", "trace", "both"])
async def test_the_planner_is_shown_what_the_setting_says(remembering: Bench, mode: str) -> None:
    state = state_of(remembering)
    services = remembering.services(reasoning_trace__context=mode, **ON)
    memory = await reasoning._opened(services, state)
    assert memory is not None
    memory.add_reasoning_entry("correction", "t", corrections=["Look the name up."])
    shown = await reasoning.planner_context(services, state, "<<<PAST RUNS>>>")
    assert ("PAST RUNS" in shown) is (mode != "trace")
    assert ("Look the name up." in shown) is (mode != "examples")
    off = remembering.services(reasoning_trace__context=mode)
    assert await reasoning.planner_context(off, state, "<<<PAST RUNS>>>") == "<<<PAST RUNS>>>"


async def test_a_second_request_is_planned_with_what_the_first_one_corrected(bench: Bench) -> None:
    """The planner's script replies to nothing but a prompt that shows the correction."""
    services = bench.services(**ON)
    first = state_of(bench, goal="the first request")
    memory = await reasoning._opened(services, first)
    assert memory is not None
    memory.add_reasoning_entry("correction", "t", corrections=["Ships are looked up by flag."])
    drafted = {"steps": [{"description": "Look", "command": "grep Boreas data/ships.csv"}]}
    roles = {"planner": [{"when": "Ships are looked up by flag", "reply": drafted}]}
    second = state_of(bench, goal=GOAL, plan=None, started="2026-11-21T11:00:00+00:00")
    state = await bench.visit(plan, second, bench.context(roles, **ON))
    assert state.plan is not None and state.plan.source == "model"
