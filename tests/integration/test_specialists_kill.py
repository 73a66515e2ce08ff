"""A run of specialists that is killed goes on where it was, and answers what an undisturbed one does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.specialists.project import write_project

pytestmark = pytest.mark.integration
ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 300.0
GOAL = "Audit this project"
COMMAND = [sys.executable, "-m", "cli.main", "specialists"]
MOMENTS = ("specialists:", "ast_scan", "documentation", "is asked", "answered")
"""Words of the progress at which the process is killed."""


def answered(*words: str) -> dict[str, Any]:
    done = subprocess.run(
        [*COMMAND, *words, "--json", "--quiet"], cwd=ROOT, capture_output=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_run_goes_on(tmp_path: Path, moment: str) -> None:
    (tmp_path / "p").mkdir()
    write_project(tmp_path / "p", 2)
    script = tmp_path / "script.yaml"
    script.write_text("default: ['{\"sentences\": []}']\nrepeat_last: true\n")
    place = ["--root", str(tmp_path / "p"), "--model", f"scripted:{script}"]
    process = subprocess.Popen(
        [*COMMAND, GOAL, *place, "--thread", "t"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    with process.stderr:
        for line in process.stderr:
            if moment in line.decode().partition("go on with")[0]:
                break
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    resumed = answered("--resume", "t", *place)
    whole = answered(GOAL, *place, "--thread", "whole")
    for field in ("answer", "findings", "specialists", "status", "report"):
        assert resumed[field] == whole[field], field
