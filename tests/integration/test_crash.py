"""Runs that change files, killed at any moment: the measure itself, over few kills."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evals.crash import PLANNED, Trial, judge
from nodes.reflective.state import Plan, PlanStep, ReasoningState, StepStatus
from tests.support.processes import ROOT
from tools.protocol import ToolCall, ToolResult

pytestmark = pytest.mark.integration


def test_nothing_is_lost_or_done_twice(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "evals.crash", "effects", "--kills", "12", "--seed", "11", "--json"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    counts = json.loads(done.stdout)
    assert done.returncode == 0, counts
    assert counts["kills"] >= 12 and counts["effects"] > 12
    assert (counts["lost"], counts["repeated"], counts["hidden"]) == (0, 0, 0)
    assert counts["uncertain"] == counts["uncertain_shown"]


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
