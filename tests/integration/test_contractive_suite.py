"""The contractive suite from the command line, with a thinker whose errors are known."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.contractive.peers import peer_for
from evals.contractive.suite import installed_models

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
NOISY = "scripted:noisy-thinker"
SECONDS = 300


def reflect(*words: str) -> tuple[dict[str, Any], int]:
    command = [sys.executable, "-m", "cli.main", "eval", "contractive", *words, "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.stdout, ended.stderr[-3000:]
    return json.loads(ended.stdout), ended.returncode


def test_every_scenario_runs_is_judged_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ("--model", NOISY, "--limit", "6", "--jobs", "3", "--resume", str(tmp_path / "done.jsonl"))
    report, code = reflect(*words, "--html", str(tmp_path / "report.html"))
    cases, metrics = report["cases"], {metric["name"]: metric for metric in report["metrics"]}
    assert {case["variant"] for case in cases} == {f"S{number}" for number in range(7)} and len(cases) == 42
    assert len({case["group"] for case in cases}) == 6
    assert [case["detail"] for case in cases if case["status"] == "error"] == []
    by = {
        name: [case for case in cases if case["variant"] == name] for name in ("S0", "S1", "S2", "S3", "S4")
    }
    assert {case["model_calls"] for case in by["S0"]} == {1}
    assert all(case["model_calls"] >= 3 for case in by["S2"])
    assert all(not case["extra"]["split"] and not case["extra"]["reviewed"] for case in by["S2"])
    assert any(case["extra"]["reviewed"] for case in by["S3"])
    assert all(
        case["extra"]["peer"] == NOISY and "no model of" in case["extra"]["peer_told"] for case in by["S4"]
    )
    assert metrics["echoes and empty replies that pass"]["value"] == 0
    assert metrics["S2: accuracy less that of S0"]["target"] == ">= 0"
    assert code == int(any(metric["met"] is False for metric in report["metrics"]))
    assert "Right by domain" in (tmp_path / "report.html").read_text("utf-8")
    again, _ = reflect(*words)
    assert again["cases"] == cases


def test_the_same_seed_gives_the_same_answers(tmp_path: Path) -> None:
    words = ("--model", NOISY, "--scenarios", "S2", "--limit", "6", "--seed", "3")
    first, second = (reflect(*words)[0]["cases"] for _ in range(2))
    kept = ("id", "passed", "status", "confidence", "tokens", "model_calls")
    assert [[case[name] for name in kept] for case in first] == [
        [case[name] for name in kept] for case in second
    ]


def test_a_person_is_asked_in_s6_and_means_what_was_asked() -> None:
    report, _ = reflect("--model", NOISY, "--scenarios", "S6", "--limit", "12")
    notes = [note for case in report["cases"] for note in case["extra"]["notes"]]
    assert any(note.startswith("asked ") for note in notes)
    assert [case["detail"] for case in report["cases"] if case["status"] == "error"] == []


def test_a_slip_is_a_usage_error() -> None:
    command = [sys.executable, "-m", "cli.main", "eval", "contractive", "--scenarios", "S9"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 2 and "There is no scenario S9." in ended.stderr and not ended.stdout


def test_peers_are_looked_for_among_what_ollama_has(ollama: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama)
    installed_models.cache_clear()
    try:
        assert "smollm2:135m" in installed_models()
        found = peer_for("S4", "ollama:qwen2.5:0.5b", other=None, strong=None, installed=installed_models)
        assert found.model == "ollama:smollm2:135m" and "as installed" in found.told
        lonely = peer_for("S5", "ollama:smollm2:135m", other=None, strong=None, installed=installed_models)
        assert lonely.model == "ollama:smollm2:135m" and "the model itself" in lonely.told
    finally:
        installed_models.cache_clear()
