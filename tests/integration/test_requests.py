"""Everyday requests through the whole graph, against reference commands run on a second tree."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from evals.ask import ask
from evals.requests.__main__ import SILENT, read_requests, run
from evals.requests.judge import snapshot
from evals.requests.tree import build_tree

pytestmark = pytest.mark.integration
QUESTIONS = Path(str(files("evals"))) / "questions"


def silent(tmp_path: Path) -> str:
    script = tmp_path / "silent.yaml"
    script.write_text(SILENT)
    return f"scripted:{script}"


async def test_requests_are_answered_without_a_model_and_none_wrongly(tmp_path: Path) -> None:
    requests = read_requests(QUESTIONS / "requests_dev.jsonl")
    report = await run(requests, silent(tmp_path), verbose=False)
    assert report["wrong_ids"] == [] and report["right"] >= 0.95 * len(requests)


@pytest.mark.parametrize(
    "goal",
    [
        "make scripts/run.sh executable",
        "delete empty files in tmp",
        'append "x" to a.txt',
        "copy conf to conf2",
    ],
)
async def test_a_dry_run_shows_a_change_and_makes_none(goal: str, tmp_path: Path) -> None:
    root = build_tree(tmp_path / "tree")
    before = snapshot(root)
    state = await ask(goal, root, silent(tmp_path), "dry", tools__approval="dry_run")
    assert state.stop_reason == "dry_run" and state.status == "partial" and snapshot(root) == before


async def test_a_change_that_cannot_be_made_is_no_success(tmp_path: Path) -> None:
    root = build_tree(tmp_path / "tree")
    before = snapshot(root)
    state = await ask(
        'replace "no such text" with "b" in a.txt', root, silent(tmp_path), "failed", tools__approval="yes"
    )
    assert state.status == "could_not" and snapshot(root) == before
