"""A run is killed right after its step was entered and before its checkpoint; resumed, it enters it once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from evals.fixture_repository import build_fixture_repository

GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
PLAN = {"steps": [{"description": "Look", "command": "grep Boreas data/ships.csv"}]}


def executions(root: Path) -> list[dict[str, Any]]:
    path = root / ".reflect" / "reasoning_traces" / "t.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [record for record in map(json.loads, lines) if record.get("stage") == "execution"]


@pytest.mark.integration
def test_a_step_entered_before_a_kill_replaces_itself(tmp_path: Path) -> None:
    root = build_fixture_repository(tmp_path / "project")
    script = tmp_path / "script.yaml"
    roles = {
        "classifier": [{"complexity": "moderate"}],
        "planner": [PLAN],
        # The answer is phrased in the same visit as the step: long enough to be killed in the middle.
        "worker": [{"delay": 4, "reply": "Boreas flies the flag GR."}],
        "verifier": [{"passed": True, "reason": "", "confidence": 0.9}],
    }
    script.write_text(yaml.safe_dump({"roles": roles, "repeat_last": True}))
    environment = {**os.environ, "HOME": str(tmp_path), "REFLECT_REASONING_TRACE__ENABLED": "true"}
    command = [sys.executable, "-m", "cli.main"]
    options = ["--root", str(root), "--model", f"scripted:{script}", "--quiet"]
    here = Path(__file__).resolve().parents[2]
    run = subprocess.Popen([*command, "ask", GOAL, "--thread", "t", *options], env=environment, cwd=here)
    try:
        end = time.monotonic() + 90
        while not executions(root) and run.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    (before,) = executions(root)
    done = subprocess.run(
        [*command, "resume", "t", "--json", *options],
        env=environment, cwd=here, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout)["stop_reason"] == "success", done.stderr
    versions = executions(root)
    assert len(versions) == 2 and {entry["entry_id"] for entry in versions} == {before["entry_id"]}
    shown = subprocess.run(
        [*command, "trace", "show", "t", "--root", str(root), "--json"],
        env=environment, cwd=here, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    (only,) = json.loads(shown.stdout)["runs"]
    assert [e["stage"] for e in only["entries"]] == ["planning", "execution", "verification", "finalization"]
