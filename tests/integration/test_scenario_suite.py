"""The scenario suite as it runs: plans hold on real files, a kill loses nothing, failures can be repeated."""

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from configs.settings import ToolSettings
from evals.reflective.generated_project import Project, write_project
from evals.reflective.judging import Outcome, judge
from evals.reflective.scenario import Scenario, Step, load_scenarios
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

pytestmark = pytest.mark.integration
HERE = Path(__file__).resolve().parents[2]
SEEDS = (0, 5)
# How long a run of a few scripted scenarios may take on a machine with better things to do.
PATIENCE = 300


@pytest.fixture(scope="module", params=SEEDS)
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Project:
    return write_project(tmp_path_factory.mktemp("project") / "pristine", request.param)


async def run_steps(steps: list[Step], toolbox: Toolbox) -> list[ToolResult]:
    results: list[ToolResult] = []
    for step in steps:
        call = (
            ToolCall(tool="command", args={"command": step})
            if isinstance(step, str)
            else ToolCall.model_validate(step)
        )
        results.append(await toolbox.run(call, timeout=60))
        if not results[-1].ok:
            break
    return results


def outcome_of(results: list[ToolResult], toolbox: Toolbox, root: Path) -> Outcome:
    """What somebody would answer who shows the last output as it is."""
    done = results[-1]
    good = done.ok and not done.truncated
    answer = toolbox.full_output(done).strip() if good else ""
    commands = [result.command for result in results]
    return Outcome("answered" if good else "could_not", answer, commands, len(results), root)


def problems(project: Project, place: Path, scenarios: list[Scenario], *, trap: bool) -> dict[str, str]:
    """Scenarios whose plan (or trap) does not give the right answer, and why."""
    copy = project.copy_to(place / "shared").root
    found = {}
    for number, scenario in enumerate(scenarios):
        root = project.copy_to(place / str(number)).root if scenario.is_change else copy
        toolbox = Toolbox(root, ToolSettings(), "read_write", artifacts=root / ".reflect" / "artifacts")
        results = asyncio.run(run_steps(scenario.trap if trap else scenario.oracle, toolbox))
        verdict = judge(scenario, outcome_of(results, toolbox, root), project.root)
        if not verdict.passed:
            found[scenario.id] = f"{verdict.why} {results[-1].error or ''} {results[-1].stderr[:200]}"
    return found


def test_the_plan_of_every_scenario_gives_the_answer_that_python_computed(
    project: Project, tmp_path: Path
) -> None:
    planned = [
        scenario
        for scenario in load_scenarios(project.slots)
        if scenario.oracle and scenario.family not in ("impossible", "bypass")
    ]
    assert len(planned) >= 80
    assert problems(project, tmp_path, planned, trap=False) == {}


def test_no_trap_gives_the_right_answer_by_itself(project: Project, tmp_path: Path) -> None:
    trapped = [scenario for scenario in load_scenarios(project.slots) if scenario.trap]
    assert set(problems(project, tmp_path, trapped, trap=True)) == {scenario.id for scenario in trapped}


def suite(*options: str) -> list[str]:
    return [sys.executable, "-m", "cli.main", "eval", "reflective", *options]


def run_suite(command: list[str], home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    return subprocess.run(
        command, cwd=HERE, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_a_failure_is_listed_with_a_command_that_repeats_just_it(tmp_path: Path) -> None:
    script = tmp_path / "silent.yaml"
    script.write_text("default: ['']\nrepeat_last: true\n")
    ids = ["ct-lines-readme", "re-failed-stage"]
    only = [word for name in ids for word in ("--only", name)]
    done = run_suite(suite("--model", f"scripted:{script}", "--strategy", "graph_v30", *only), tmp_path)
    assert done.returncode == 1, done.stderr
    listed = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith("reflect eval")]
    assert len(listed) == 1 and "re-failed-stage" in listed[0]
    words = shlex.split(listed[0])
    assert words[:3] == ["reflect", "eval", "reflective"]
    again = run_suite(suite(*words[3:], "--json"), tmp_path)
    cases = json.loads(again.stdout)["cases"]
    assert [(case["id"], case["passed"], case["status"]) for case in cases] == [
        ("re-failed-stage", False, "could_not")
    ]


def test_a_kill_loses_no_finished_case_and_doubles_none(tmp_path: Path) -> None:
    resume = tmp_path / "cases.jsonl"
    options = ("--model", "scripted:oracle", "--limit", "12", "--jobs", "2", "--resume", str(resume))
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    process = subprocess.Popen(
        suite(*options), cwd=HERE, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        started = time.monotonic()
        while (not resume.exists() or len(resume.read_text().splitlines()) < 3) and process.poll() is None:
            assert time.monotonic() - started < PATIENCE
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = resume.read_bytes()
    done = run_suite(suite(*options, "--json"), tmp_path)
    assert done.returncode in (0, 1), done.stderr
    finished = [json.loads(line) for line in before.splitlines() if line.endswith(b"}")]
    whole = before[: before.rfind(b"\n") + 1]
    assert 3 <= len(finished) < 24 and resume.read_bytes().startswith(whole)
    entries = []
    for line in resume.read_text().splitlines():
        try:
            entries.append(json.loads(line)["key"])
        except ValueError:
            continue  # what the kill cut off
    reported = json.loads(done.stdout)["cases"]
    assert len(entries) == len(set(entries)) == len(reported) == 24
    assert {case["variant"] for case in reported} == {"graph_v30", "S0"}


def test_an_unknown_scenario_is_a_usage_error(tmp_path: Path) -> None:
    done = run_suite(suite("--only", "no-such-scenario"), tmp_path)
    assert done.returncode == 2 and "no-such-scenario" in done.stderr and "Traceback" not in done.stderr
