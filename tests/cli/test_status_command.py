"""`reflect status`: where a run stands, and what to do then."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from memory.background import begin, directory_of, read, write
from tests.cli.conftest import Reflect, Scripted
from tests.cli.test_changes import GOAL as CHANGE
from tests.cli.test_changes import PLAN

QUESTION = "How many python files are there?"


@pytest.fixture(autouse=True)
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")


def test_without_any_run_it_says_how_to_begin_one(reflect: Reflect, project: Path) -> None:
    ran = reflect("status", "--root", project)
    assert ran.code == 0 and "reflect ask --background" in ran.out


def test_a_run_that_is_not_there_is_an_error(reflect: Reflect, project: Path) -> None:
    ran = reflect("status", "nobody", "--root", project)
    assert ran.code == 2 and "nobody" in ran.err and "reflect threads list" in ran.err


def test_a_thread_of_the_foreground_is_told_too(reflect: Reflect, project: Path, scripted: Scripted) -> None:
    reflect("ask", QUESTION, "--root", project, "--model", scripted(), "--quiet", "--thread", "front")
    record = json.loads(reflect("status", "front", "--root", project, "--json").out)
    assert (record["state"], record["status"], record["background"]) == ("finished", "answered", False)
    assert record["answer"] == "There are 10 *.py files." and record["go_on"] is None


def test_a_process_that_holds_the_thread_is_at_work(reflect: Reflect, project: Path) -> None:
    _, lock = begin(project, "mine", QUESTION, ["ask", QUESTION])
    ran = reflect("status", "mine", "--root", project)
    assert ran.code == 0 and ran.out.startswith("mine: running")
    os.close(lock)
    died = reflect("status", "mine", "--root", project)
    assert died.code == 1 and died.out.startswith("mine: died")


def test_a_run_that_died_before_its_first_step_is_begun_anew(reflect: Reflect, project: Path) -> None:
    argv = ["ask", "--thread=mine", "--", "what is; it?"]
    os.close(begin(project, "mine", "what is; it?", argv)[1])
    record = json.loads(reflect("status", "mine", "--root", project, "--json").out)
    assert record["state"] == "died" and record["answer"] is None
    assert record["go_on"] == shlex.join(["reflect", *argv])


def test_a_run_is_gone_on_with_by_the_choices_it_was_begun_with(
    reflect: Reflect, project: Path, scripted: Scripted
) -> None:
    goal = "--model=other --yes"
    model = scripted(planner=[PLAN])
    options = ("--root", project, "--model", model, "--profile", "dev", "--quiet", "--thread", "waits")
    assert reflect("ask", *options, CHANGE).code == 3
    argv = ["ask", "--thread=waits", "--profile=dev", "--model=scripted:mine", "--quiet", "--", goal]
    directory, lock = begin(project, "waits", goal, argv)
    os.close(lock)
    run = read(directory)
    assert run is not None
    write(directory, run.model_copy(update={"started": "2000-01-01"}))
    record = json.loads(reflect("status", "waits", "--root", project, "--json").out)
    assert record["state"] == "waiting"
    words = shlex.split(record["go_on"])
    assert words == [
        *("reflect", "resume", "waits", "--root", str(project)),
        *("--profile=dev", "--model=scripted:mine"),
    ]


def test_an_answer_of_an_earlier_run_is_not_told_as_that_of_one_that_died(
    reflect: Reflect, project: Path, scripted: Scripted
) -> None:
    reflect("ask", QUESTION, "--root", project, "--model", scripted(), "--quiet", "--thread", "twice")
    os.close(begin(project, "twice", "another question", ["ask", "another question"])[1])
    record = json.loads(reflect("status", "twice", "--root", project, "--json").out)
    assert (record["state"], record["answer"], record["status"]) == ("died", None, None)


def test_a_run_that_failed_shows_its_last_words(reflect: Reflect, project: Path) -> None:
    directory, lock = begin(project, "mine", QUESTION, ["ask", QUESTION])
    os.close(lock)
    run = read(directory)
    assert run is not None
    write(directory, run.model_copy(update={"code": 2, "ended": "2026-01-01"}))
    (directory / "errors.txt").write_text("reflect: no server \x1b[31mhere\n")
    ran = reflect("status", "mine", "--root", project)
    assert ran.code == 1 and "mine: failed" in ran.out and "no server" in ran.out and "\x1b" not in ran.out


def test_background_runs_are_listed_and_go_with_their_threads(reflect: Reflect, project: Path) -> None:
    for name in ("one", "two"):
        os.close(begin(project, name, f"goal {name}", [])[1])
    listed = json.loads(reflect("status", "--root", project, "--json").out)["runs"]
    assert [(run["thread_id"], run["state"]) for run in listed] == [("two", "died"), ("one", "died")]
    assert "goal one" in reflect("status", "--root", project).out
    assert reflect("threads", "delete", "one", "--root", project).code == 0
    assert not directory_of(project, "one").exists() and directory_of(project, "two").exists()


def test_what_a_background_run_would_refuse_is_refused_at_once(reflect: Reflect, project: Path) -> None:
    for argv in (("--background", " "), ("--background", "--profile", "nobody", QUESTION)):
        ran = reflect("ask", *argv, "--root", project)
        assert ran.code == 2 and ran.err
    assert not (project / ".reflect" / "background").exists()
