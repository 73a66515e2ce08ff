"""`reflect batch` before anything runs: what is refused, and that nothing is left of it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from cli.batch_command import go_on_line
from cli.main import parser
from tests.cli.conftest import Reflect


@pytest.fixture
def goals(tmp_path: Path) -> Path:
    path = tmp_path / "goals.jsonl"
    path.write_text(json.dumps({"goal": "How many python files are there?"}) + "\n")
    return path


@pytest.mark.parametrize(
    "words, told",
    [
        (["--workers", "0"], "--workers 0"),
        (["--limit", "-1"], "--limit -1"),
        (["--timeout", "nan"], "--timeout nan"),
        (["--timeout", "inf"], "--timeout inf"),
        (["--deaths", "0"], "--deaths 0"),
        (["--address", "127.0.0.1:1"], "--engine ray"),
        (["--graph", "tutor"], "reflect play"),
        (["--graph", "none"], "is no graph"),
        (["--profile", "none"], "profile"),
        (["--root", "missing"], "missing"),
        (["--strategy", "none"], "strategy"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_leaves_no_file(
    project: Path, goals: Path, reflect: Reflect, words: list[str], told: str
) -> None:
    out = goals.parent / "out.jsonl"
    ran = reflect("batch", str(goals), "--out", str(out), "--root", str(project), *words)
    assert ran.code == 2 and told in ran.err and ran.out == ""
    assert not out.exists() and not out.with_name("out.jsonl.batch").exists()


def test_bad_goals_are_told_before_anything_is_begun(project: Path, goals: Path, reflect: Reflect) -> None:
    goals.write_text(goals.read_text() + "{\n")
    ran = reflect("batch", str(goals), "--out", str(goals.parent / "o"), "--root", str(project))
    assert ran.code == 2 and "line 2: it is not JSON" in ran.err and not (goals.parent / "o").exists()


def test_the_line_that_goes_on_has_every_choice(goals: Path) -> None:
    words = [
        "batch", str(goals), "--out=o o.jsonl", "--engine=ray", "--address=h:1", "--graph=auto",
        "--workers=3",
        "--limit=5", "--timeout=2.5", "--deaths=4", "--root=p", "--model=scripted:s", "--profile=safe",
        "--strategy=loop_v1", "--yes", "--json", "--quiet",
    ]  # fmt: skip
    given = parser().parse_args(words)
    again = parser().parse_args(shlex.split(go_on_line(given))[1:])
    assert vars(again) == {**vars(given), "resume": True}
