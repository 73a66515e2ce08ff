"""What a soak counts: files that say one thing, and a run that says another."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from evals.soak_runs import Work, judged, planned
from models.scripted import load_script
from nodes.reflective.state import ReasoningState

WHOLE = [1] * 7


def done(work: Work) -> None:
    """The files as a run leaves them that made every change once."""
    made = work.folder / "made"
    made.mkdir()
    (made / "written.txt").write_text("written\n")
    (work.folder / "edited.txt").write_text("mark!\n")
    (work.folder / "moved.txt").rename(made / "moved.txt")
    (work.folder / "deleted.txt").unlink()
    (work.folder / "ledger.txt").write_text("python\nrun\n")


def ended(work: Work, *, status: str = "success") -> ReasoningState:
    """A state in which all steps are as told."""
    steps = [
        {
            "num": number,
            "description": "step",
            "call": {"tool": tool, "args": args},
            "status": status,
            "result": {"tool": tool, "returncode": 0, "stdout": ""},
        }
        for number, (tool, args) in enumerate(planned(work.folder.name), start=1)
    ]
    plan = {"objective": work.goal, "source": "model", "steps": steps}
    return ReasoningState.model_validate(
        {"goal": work.goal, "plan": plan, "status": "answered", "final_answer": "Done."}
    )


@pytest.fixture
def work(tmp_path: Path) -> Work:
    (tmp_path / "project").mkdir()
    made = Work(1, tmp_path)
    made.lay_out()
    return made


TRASHED = Counter({"r1/deleted.txt": 1})


def test_nothing_is_there_before_the_run_and_everything_once_after_it(work: Work) -> None:
    assert work.found(Counter()) == [0] * 7
    done(work)
    assert work.found(TRASHED) == WHOLE


def test_the_script_plans_every_change_for_the_runs_own_folder(work: Work) -> None:
    script = load_script(work.context()["model"].removeprefix("scripted:"))
    planner = script.roles["planner"][0]["reply"]
    assert [step["tool"] for step in planner["steps"]] == [tool for tool, _ in planned("r1")]
    assert all("r1/" in json.dumps(step["args"]) for step in planner["steps"])


@pytest.mark.parametrize(
    ("name", "text", "index"),
    [("edited.txt", "mark!!\n", 2), ("ledger.txt", "python\nrun\nrun\n", 6), ("ledger.txt", "run\n", 5)],
)
def test_what_is_there_twice_or_not_at_all_is_seen(work: Work, name: str, text: str, index: int) -> None:
    done(work)
    (work.folder / name).write_text(text)
    assert [number for number, count in enumerate(work.found(TRASHED)) if count != 1] == [index]


def test_a_change_that_a_run_tells_and_that_is_not_there_is_lost(work: Work) -> None:
    done(work)
    (work.folder / "ledger.txt").write_text("python\n")
    work.ended = ended(work)
    # The trash is empty here, so that the deletion counts as lost as well.
    assert judged([work])["lost"] == 2


def test_a_change_made_twice_is_repeated(work: Work) -> None:
    done(work)
    (work.folder / "ledger.txt").write_text("python\nrun\nrun\n")
    work.ended = ended(work)
    assert judged([work])["repeated"] == 1


def test_changes_of_a_run_that_says_it_failed_are_hidden(work: Work) -> None:
    done(work)
    work.ended = ended(work, status="failed")
    assert judged([work])["hidden"] == 6


def test_a_run_that_never_ended_is_unfinished_and_none_is_no_run(work: Work) -> None:
    assert (judged([work])["unfinished"], judged([work])["runs"]) == (1, 1)
    assert judged([])["runs"] == 0
