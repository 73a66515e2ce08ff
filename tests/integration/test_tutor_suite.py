"""The tutor suite on many seeds: the oracle wins every game and who knows nothing none; its command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.report import Case, Planned, run_cases
from evals.tutor.field import ARMS, ORACLE, arms_of
from evals.tutor.figures import metrics_of
from evals.tutor.running import run_case
from nodes.tutor.games.generating import GAMES

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
SECONDS = 200


async def cases_of(model: str, seeds: int) -> list[Case]:
    """Every game of every seed, each in one arm: the arms take turns."""
    arms = arms_of(model, ARMS)
    planned = [
        Planned(id=id, variant=arms[(seed + number) % len(arms)], model=model, seed=seed)
        for seed in range(seeds)
        for number, id in enumerate(GAMES)
    ]
    return await run_cases(planned, run_case, jobs=2)


def told(cases: list[Case]) -> list[Any]:
    return [(case.id, case.seed, case.variant, case.status, case.detail) for case in cases if not case.passed]


async def test_the_oracle_wins_every_game_of_twenty_seeds() -> None:
    cases = await cases_of(ORACLE, 20)
    assert told(cases) == [] and len(cases) == 200
    assert {metric.name: metric.met for metric in metrics_of(cases, [], 0)} == {
        "oracle: won": True,
        "oracle: won in par + 1 turns at most": True,
        "accepted answers that are false": True,
        "games that ended in an error": True,
    }


# The more a player reads, the longer its games take.
@pytest.mark.parametrize(
    ("name", "seeds"), [("cards-only", 20), ("dump-everything", 4), ("eager-item", 1), ("random-item", 1)]
)
async def test_who_knows_nothing_wins_no_game(name: str, seeds: int) -> None:
    cases = await cases_of(f"player:{name}", seeds)
    assert told(cases) == [] and {case.status for case in cases} == {"lost"}


def reflect(*words: str) -> tuple[dict[str, Any], int]:
    command = [sys.executable, "-m", "cli.main", "eval", "tutor", *words, "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.stdout, ended.stderr[-3000:]
    return json.loads(ended.stdout), ended.returncode


def test_the_command_line_measures_writes_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = ("--model", "player:middling", "--games", "B01,B03", "--seeds", "2", "--arm", "none,all")
    words = (*words, "--players", "oracle,cards-only", "--resume", str(tmp_path / "done.jsonl"))
    report, code = reflect(*words, "--html", str(tmp_path / "report.html"))
    metrics = {metric["name"]: metric for metric in report["metrics"]}
    assert len(report["cases"]) == 3 * 2 * 2 * 2 and code == 0
    assert metrics["oracle: won"]["met"] and metrics["null players: won"]["met"]
    assert metrics["player:middling, none: turns"]["value"] > 4
    assert "Won by game" in (tmp_path / "report.html").read_text("utf-8")
    again, _ = reflect(*words)
    assert again["cases"] == report["cases"]


def test_a_failure_is_repeated_by_the_command_that_is_told() -> None:
    words = ("--model", "player:middling", "--games", "B01", "--seed", "5", "--seeds", "1", "--arm", "menu")
    first, _ = reflect(*words, "--players", "none")
    case = first["cases"][0]
    again, _ = reflect(
        *("--only", case["id"], "--strategy", case["variant"], "--model", case["model"]),
        *("--seed", str(case["seed"]), *case["extra"]["rerun_options"]),
    )
    kept = ("id", "seed", "status", "steps", "extra", "goal")
    assert [[one[name] for name in kept] for one in again["cases"]] == [[case[name] for name in kept]]
