"""`reflect ask --background` as real processes: at work, ended, killed, and gone on with."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT, reflect, wait_until

pytestmark = pytest.mark.integration
QUIET = {"REFLECT_EXPERIENCE__ENABLED": "false"}
SLOW = "default:\n  - {delay: 600, reply: late}\nrepeat_last: true\n"
TALK = "what is a semaphore?"
QUESTION = "How many python files are there?"


def begun(project: Path, goal: str, script: str, *options: str) -> dict[str, Any]:
    (project.parent / "script.yaml").write_text(script)
    model = f"scripted:{project.parent / 'script.yaml'}"
    words = ("ask", "--background", "--json", "--root", str(project), "--model", model, *options, goal)
    ran = reflect(*words, home=project.parent, **QUIET)
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def status(project: Path, thread: str) -> dict[str, Any]:
    ran = reflect("status", thread, "--root", str(project), "--json", home=project.parent, **QUIET)
    record: dict[str, Any] = json.loads(ran.stdout)
    assert ran.returncode == (0 if record["state"] in ("running", "waiting", "finished") else 1)
    return record


def reached(project: Path, thread: str, wanted: str) -> dict[str, Any]:
    records: list[dict[str, Any]] = []

    def there() -> bool:
        records.append(status(project, thread))
        return str(records[-1]["state"]) == wanted

    assert wait_until(120, there), records[-1]
    return records[-1]


def test_a_run_goes_on_without_whoever_began_it_and_leaves_its_answer(project: Path) -> None:
    told = begun(project, QUESTION, "default: []\n", "--thread", "count")
    record = reached(project, "count", "finished")
    assert record["answer"] == "There are 10 *.py files." and record["status"] == "answered"
    assert record["exit_code"] == 0 and told["thread_id"] == "count"
    assert "There are 10 *.py files." in Path(told["output"]).read_text()


def test_a_run_that_is_killed_is_told_as_died_and_is_gone_on_with(project: Path) -> None:
    told = begun(project, TALK, SLOW)
    thread = told["thread_id"]

    def at_its_question() -> bool:
        record = status(project, thread)
        assert record["state"] == "running" and record["answer"] is None
        return record["next"] == ["direct_exec"]

    assert wait_until(120, at_its_question)
    os.kill(told["pid"], signal.SIGKILL)
    record = reached(project, thread, "died")
    assert record["answer"] is None and record["exit_code"] is None and record["status"] is None
    words = shlex.split(record["go_on"])
    assert words[:3] == ["reflect", "resume", thread]
    (project.parent / "script.yaml").write_text("default: [A counter with a queue.]\nrepeat_last: true\n")
    ran = reflect(*words[1:], "--quiet", home=project.parent, **QUIET)
    assert ran.returncode == 0 and "A counter with a queue." in ran.stdout
    assert reached(project, thread, "finished")["answer"].startswith("A counter with a queue.")


def test_a_run_that_is_asked_to_end_is_stopped_and_a_second_one_is_kept_off(project: Path) -> None:
    told = begun(project, TALK, SLOW, "--thread", "slow")
    again = reflect(
        "ask", "--background", "--thread", "slow", "--root", str(project), TALK, home=project.parent
    )
    assert again.returncode == 2 and "slow" in again.stderr
    assert wait_until(120, lambda: status(project, "slow")["next"] == ["direct_exec"])
    os.kill(told["pid"], signal.SIGTERM)
    record = reached(project, "slow", "stopped")
    assert record["exit_code"] == 143 and record["go_on"].startswith("reflect resume slow")


def test_a_package_of_the_project_is_not_taken_for_ours(project: Path) -> None:
    for name in ("cli", "memory"):
        (project / name).mkdir(exist_ok=True)
        (project / name / "__init__.py").write_text("raise SystemExit('not ours')\n")
    (project.parent / "script.yaml").write_text("default: []\n")
    model = f"scripted:{project.parent / 'script.yaml'}"
    words = ["ask", "--background", "--thread=count", f"--model={model}", QUESTION]
    # The shell stands in the project, as a person's does.
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "cli.main", *words],
        cwd=project,
        env=os.environ | QUIET | {"HOME": str(project.parent), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert reached(project, "count", "finished")["status"] == "answered"
