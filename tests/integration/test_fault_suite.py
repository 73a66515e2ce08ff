"""A sample of the fault suite through the command line, with memory on and every `respond` event counted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration
SECONDS = 600


def reflect(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli.main", "eval", "faults", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False)


def test_a_sample_of_every_strategy_tells_no_lie_and_recovers(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    page = tmp_path / "report.html"
    ended = reflect("--limit", "25", "--noisy", "5", "--json", "--html", str(page), cwd=root)
    report = json.loads(ended.stdout)
    ours = [case for case in report["cases"] if case["variant"] != "S0"]
    assert {case["variant"] for case in ours} == {"graph_v30", "graph_v2", "loop_v1"} and len(ours) == 75
    assert [case["id"] for case in ours if case["false_success"]] == []
    assert [(case["id"], case["detail"]) for case in ours if case["extra"]["broken"]] == []
    assert [case["id"] for case in ours if case["extra"]["invalid"]] == []
    # The oracle is asked: a suite whose goals a recipe answers would measure nothing.
    assert all(case["model_calls"] > 0 for case in ours)
    assert sum(case["recovered"] is True for case in ours) > sum(case["recovered"] is False for case in ours)
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert "<svg" in page.read_text("utf-8")


def test_one_case_can_be_repeated_by_its_id_and_goes_on_from_a_file(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    done = tmp_path / "done.jsonl"
    words = ["--only", "planner/prose/first", "--strategy", "graph_v30", "--resume", str(done), "--json"]
    first = reflect(*words, cwd=root)
    case = json.loads(first.stdout)["cases"][0]
    assert case["passed"] and case["recovered"] and case["extra"]["met"] == ["planner/unreadable"]
    again = json.loads(reflect(*words, cwd=root).stdout)["cases"][0]
    assert again["seconds"] == case["seconds"]


@pytest.mark.parametrize(
    "words", [["--model", "embedded"], ["--only", "planner/none/first"], ["--right", "2"]]
)
def test_what_means_nothing_here_is_a_usage_error(tmp_path: Path, words: list[str]) -> None:
    ended = reflect("--strategy", "graph_v30", *words, cwd=Path(__file__).parents[2])
    assert ended.returncode == 2 and ended.stdout == ""
