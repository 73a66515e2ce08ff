"""A sample of the research suite: sentences, reports, replays, and runs that are killed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
SECONDS = 600


def reflect(*words: str) -> tuple[dict[str, Any], int]:
    command = [sys.executable, "-m", "cli.main", "eval", "research", *words, "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.stdout, ended.stderr[-3000:]
    return json.loads(ended.stdout), ended.returncode


def test_the_check_of_sentences_is_measured_without_a_model() -> None:
    report, code = reflect("--checker-only", "--limit", "60", "--seed", "900")
    metrics = {metric["name"]: metric for metric in report["metrics"]}
    assert len(report["cases"]) == 60 and report["model"] == "code"
    assert all(case["model_calls"] == 0 for case in report["cases"])
    assert {"false alarms", "span stands where it is said to"} <= set(metrics)
    missed = any(metric["met"] is False for metric in metrics.values())
    assert code == int(missed)


def test_an_analyst_who_is_often_wrong_gets_nothing_invented_past_the_check(tmp_path: Path) -> None:
    words = ("--model", "scripted:noisy", "--strategy", "full", "--limit", "9", "--seed", "901")
    report, _ = reflect(*words, "--resume", str(tmp_path / "done.jsonl"))
    cases = report["cases"]
    assert len({case["group"] for case in cases}) == len(cases) == 9
    assert sum(case["model_calls"] for case in cases) > 0
    assert [case["id"] for case in cases if case["extra"]["invented"] or case["extra"]["canary"]] == []
    assert [case["id"] for case in cases if case["extra"]["tier_violations"]] == []
    again, _ = reflect(*words, "--resume", str(tmp_path / "done.jsonl"))
    assert [case["seconds"] for case in again["cases"]] == [case["seconds"] for case in cases]


def test_a_replayed_and_a_killed_run_give_the_report_of_the_undisturbed_one() -> None:
    words = ("--model", "scripted:noisy", "--strategy", "replay", "--strategy", "resume", "--limit", "2")
    report, code = reflect(*words)
    cases = report["cases"]
    assert {case["variant"] for case in cases} == {"replay", "resume"} and len(cases) == 4
    assert [case["detail"] for case in cases if not case["passed"]] == [] and code == 0
    assert any(case["extra"]["kills"] for case in cases if case["variant"] == "resume")
