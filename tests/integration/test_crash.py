"""Runs that change files, killed at any moment: the measure itself, over few kills."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals import crash_runs
from evals.crash import PLANNED, Trial, judge
from evals.crash_runs import Ended
from nodes.reflective.state import Plan, PlanStep, ReasoningState, StepStatus
from tests.support.processes import ROOT
from tools.protocol import ToolCall, ToolResult

pytestmark = pytest.mark.integration


def measured(home: Path, what: str, kills: int, seed: int) -> dict[str, Any]:
    """What the command prints; it is to find nothing bad."""
    command = [
        sys.executable,
        "-m",
        "evals.crash",
        what,
        "--kills",
        str(kills),
        "--seed",
        str(seed),
        "--json",
    ]
    environment = {**os.environ, "HOME": str(home)}
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts: dict[str, Any] = json.loads(done.stdout)
    assert counts["kills"] >= kills
    return counts


def test_nothing_is_lost_or_done_twice(tmp_path: Path) -> None:
    counts = measured(tmp_path, "effects", 12, 11)
    assert counts["effects"] > 12
    assert (counts["lost"], counts["repeated"], counts["hidden"]) == (0, 0, 0)
    assert counts["uncertain"] == counts["uncertain_shown"]


def test_no_event_answer_or_call_of_a_killed_run_is_lost_or_doubled(tmp_path: Path) -> None:
    counts = measured(tmp_path, "run", 8, 11)
    assert {name: counts[name] for name in crash_runs.BAD} == dict.fromkeys(crash_runs.BAD, 0)
    assert counts["events"]["corpus"] >= 8 and counts["model_calls"] >= 5 and counts["tool_runs"] >= 5
    assert sum(counts["killed_in"].values()) == counts["kills"]


def test_killed_prunings_and_forks_leave_threads_that_come_to_their_ends(tmp_path: Path) -> None:
    counts = measured(tmp_path, "threads", 6, 11)
    assert counts["ends"]["answered"] > 5 and counts["ends"]["waiting for an approval"] == 1


def ended(**changes: Any) -> Ended:
    """A thread of two steps, each of which made a call and wrote an event."""
    left: dict[str, Any] = {
        "state": ReasoningState(final_answer="42", status="answered", stop_reason="success"),
        "events": {"corpus": [("planning",), ("execution",)], "trace": [("planning",), ("execution",)]},
        "ids": {"corpus": ["a", "b"], "trace": ["a", "b"]},
        "calls": [
            {"pid": 1, "kind": "calls", "what": "planner", "step": 2},
            {"pid": 1, "kind": "tools", "what": "ls", "step": 3},
        ],
        "nodes": {},
    }
    return Ended(**(left | changes))


AGAIN = [
    {"pid": 1, "kind": "calls", "what": "planner", "step": 2},
    {"pid": 1, "kind": "tools", "what": "ls", "step": 3},
    {"pid": 2, "kind": "tools", "what": "ls", "step": 3},
]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"state": ReasoningState(final_answer="41", status="answered", stop_reason="success")}, "answer"),
        ({"state": ReasoningState(final_answer="42", status="partial", stop_reason="success")}, "answer"),
        ({"events": {"corpus": [("planning",)], "trace": ended().events["trace"]}}, "lost_events"),
        (
            {"events": ended().events | {"trace": [("planning",), ("execution",), ("execution",)]}},
            "doubled_events",
        ),
        ({"ids": {"corpus": ["a", "a"], "trace": ["a", "b"]}}, "doubled_events"),
        ({"events": ended().events | {"corpus": [("execution",), ("planning",)]}}, "answer"),
        ({"calls": AGAIN, "saved": [(1, 3)]}, "repeated_tools"),
        ({"calls": [*AGAIN[:1], AGAIN[0], AGAIN[1]]}, "repeated_calls"),
        # What the step before looked up is looked up once more by the process that resumes, and once only.
        ({"calls": [*AGAIN[:2], *[AGAIN[2] | {"step": 4}] * 2], "saved": [(1, 3)]}, "repeated_tools"),
        ({"calls": [*AGAIN[:2], AGAIN[1] | {"step": 4}], "saved": [(1, 3)]}, "repeated_tools"),
    ],
)
def test_each_kind_of_harm_to_a_run_is_seen(changes: dict[str, Any], name: str) -> None:
    found = crash_runs.judge(ended(**changes), ended())
    assert {kind for kind in crash_runs.BAD if found[kind]} == {name}


def test_a_step_that_was_not_saved_may_run_again() -> None:
    found = crash_runs.judge(ended(calls=AGAIN, saved=[(1, 2)]), ended())
    assert not any(found[kind] for kind in crash_runs.BAD)
    # Nor does it count when the process that resumes looks up what died with the one before.
    later = [*AGAIN[:2], AGAIN[2] | {"step": 4}]
    found = crash_runs.judge(ended(calls=later, saved=[(1, 3)]), ended())
    assert not any(found[kind] for kind in crash_runs.BAD)


def told(step: int, status: StepStatus, error_kind: str | None = None, answer: str = "") -> ReasoningState:
    """A state that says of one step how it ended, and of the others that they were done."""
    steps = []
    for number, (tool, args) in enumerate(PLANNED, start=1):
        kind = error_kind if number == step else None
        result = ToolResult(tool=tool, returncode=-1 if kind else 0, error=kind, error_kind=kind)
        ended = status if number == step else StepStatus.SUCCESS
        call = ToolCall(tool=tool, args=args)
        steps.append(PlanStep(num=number, description="d", tool_call=call, status=ended, result=result))
    return ReasoningState(plan=Plan(objective="x", steps=steps), final_answer=answer)


@pytest.mark.parametrize(
    ("count", "state", "name"),
    [
        (0, told(3, StepStatus.SUCCESS), "lost"),
        (2, told(3, StepStatus.SUCCESS), "repeated"),
        (1, told(3, StepStatus.FAILED, "refused"), "hidden"),
        (1, told(3, StepStatus.FAILED, "interrupted"), "uncertain"),
        (0, told(3, StepStatus.FAILED, "interrupted", "Step 3 (edit) was interrupted"), "uncertain_shown"),
    ],
)
def test_each_kind_of_harm_is_seen(count: int, state: ReasoningState, name: str) -> None:
    counts = [1] * len(PLANNED)
    counts[2] = count
    verdict = judge(Trial(1, counts, state))
    bad = {kind for kind in ("lost", "repeated", "hidden", "uncertain", "uncertain_shown") if verdict[kind]}
    assert name in bad and bad <= {name, "uncertain"}
    calm = judge(Trial(0, [1] * len(PLANNED), told(3, StepStatus.SUCCESS)))
    assert not any(calm[kind] for kind in ("lost", "repeated", "hidden", "uncertain"))
