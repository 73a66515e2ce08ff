"""`reflect threads`, `history`, `fork`: what they print, and what they do to threads."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Reflect

GOAL = "How many lines does data/ships.csv have?"
ANSWER = "data/ships.csv has 5 lines."
OTHER = "How many lines does notes.txt have?"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test's thread is kept for the others."""
    return tmp_path_factory.mktemp("kept") / "reflect"


@pytest.fixture
def asked(project: Path, reflect: Reflect, kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a finished thread."""
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")
    (project / "notes.txt").write_text("a\nb\n")
    if not kept.exists():
        ran = reflect("ask", GOAL, "--root", project, "--thread", "t", "--model", "embedded", "--quiet")
        assert ran.code == 0 and ANSWER in ran.out
        shutil.copytree(project / ".reflect", kept)
    shutil.copytree(kept, project / ".reflect", dirs_exist_ok=True)
    return project


def test_threads_are_listed_with_where_they_stand(asked: Path, reflect: Reflect) -> None:
    [line] = reflect("threads", "list", "--root", asked).out.splitlines()
    assert line.startswith("t  20") and "step   3  answered" in line and line.endswith(GOAL)
    [record] = json.loads(reflect("threads", "list", "--json", "--root", asked).out)
    assert (record["thread"], record["step"], record["checkpoints"]) == ("t", 3, 5)
    assert (record["standing"], record["goal"]) == ("answered", GOAL)


def test_no_threads(project: Path, reflect: Reflect) -> None:
    assert reflect("threads", "list", "--root", project).out == ""
    assert json.loads(reflect("threads", "list", "--json", "--root", project).out) == []
    assert reflect("threads", "prune", "--root", project).out == "0 checkpoints of 0 threads deleted\n"
    for words in (["history", "t"], ["fork", "t", "--at", "1"]):
        ran = reflect(*words, "--root", project)
        assert ran.code == 2 and "There is no thread 't'" in ran.err and ran.out == ""


def test_a_history_names_each_step_what_ran_and_what_changed(asked: Path, reflect: Reflect) -> None:
    lines = reflect("history", "t", "--root", asked).out.splitlines()
    steps = [line.split() for line in lines if not line.startswith("      ")]
    assert [step[0] for step in steps] == ["-1", "0", "1", "2", "3"]
    assert [" ".join(step[3:]) for step in steps] == [
        "input -> __start__",
        "loop -> classify",
        "classify -> direct_exec",
        "direct_exec -> respond",
        "respond -> answered",
    ]
    assert f"final_answer={ANSWER}" in lines[-1] and "status=answered" in lines[-1]
    records: list[dict[str, Any]] = json.loads(reflect("history", "t", "--json", "--root", asked).out)
    assert [record["checkpoint_id"] for record in records] == [step[2] for step in steps]
    assert [record["next"] for record in records] == [
        ["__start__"],
        ["classify"],
        ["direct_exec"],
        ["respond"],
        [],
    ]
    assert records[-1]["standing"] == "answered" and "complexity=simple" in records[2]["changed"]


@pytest.mark.integration  # takes seconds
def test_a_fork_goes_on_and_prints_as_ask_does(asked: Path, reflect: Reflect) -> None:
    ran = reflect("fork", "t", "--at", "1", "--as", "f", "--root", asked)
    assert ran.code == 0 and ran.out.startswith(ANSWER) and "f (step 1 of t)" in ran.err
    assert "Forked from step 1 of thread t" in ran.out
    ran = reflect("fork", "t", "--at", "0", "--set", f"goal={OTHER}", "--json", "--quiet", "--root", asked)
    report = json.loads(ran.out)
    assert report["answer"] == "notes.txt has 2 lines." and report["thread_id"].startswith("t-fork-")
    assert [
        record["thread"] for record in json.loads(reflect("threads", "list", "--json", "--root", asked).out)
    ] == [
        report["thread_id"],
        "f",
        "t",
    ]


def test_a_fork_that_is_not_run_waits_for_resume(asked: Path, reflect: Reflect) -> None:
    ran = reflect(
        "fork", "t", "--at", "0", "--set", f"goal={OTHER}", "--as", "f", "--no-run", "--root", asked
    )
    assert (ran.code, ran.out, ran.err) == (0, "f\n", "")
    assert "stopped before classify" in reflect("threads", "list", "--root", asked).out
    ran = reflect("resume", "f", "--quiet", "--root", asked)
    assert ran.code == 0 and ran.out.startswith("notes.txt has 2 lines.")
    ran = reflect("fork", "t", "--at", "2", "--as", "g", "--no-run", "--json", "--root", asked)
    assert json.loads(ran.out)["forked_from"]["step"] == 2


def test_a_fork_that_cannot_be_is_explained(asked: Path, reflect: Reflect) -> None:
    cases = [
        (["--at", "1", "--set", "status=answered"], "says what happened"),
        (["--at", "1", "--set", "final_answer=42"], "says what happened"),
        (["--at", "1", "--set", "verified=true"], "says what happened"),
        (["--at", "1", "--set", "gaol=x"], "'goal' was perhaps meant"),
        (["--at", "1", "--set", "nothing"], "sets nothing"),
        (["--at", "7"], "has no step '7'"),
        (["--at", "1", "--as", "t"], "already"),
        (["--at", "3", "--set", "iterations=2"], "at its end"),
    ]
    for words, told in cases:
        ran = reflect("fork", "t", *words, "--root", asked)
        assert ran.code == 2 and told in ran.err and "Traceback" not in ran.err and ran.out == ""


def test_a_pruned_thread_is_still_shown(asked: Path, reflect: Reflect) -> None:
    assert (
        reflect("threads", "prune", "--dry-run", "--root", asked).out
        == "4 checkpoints of 1 threads would go\n"
    )
    assert reflect("threads", "prune", "--older-than", "1", "--root", asked).out.startswith("0 checkpoints")
    assert reflect("threads", "prune", "--keep", "2", "--root", asked).out.startswith("3 checkpoints")
    assert len(json.loads(reflect("history", "t", "--json", "--root", asked).out)) == 2
    assert reflect("resume", "t", "--quiet", "--root", asked).out.startswith(ANSWER)
    for words in (
        ["--keep", "0"],
        ["--older-than", "-1"],
        ["--older-than", "nan"],
        ["--older-than", "1e300"],
    ):
        assert reflect("threads", "prune", *words, "--root", asked).code == 2


@pytest.mark.integration  # takes seconds
def test_every_command_works_on_an_encrypted_database_and_needs_its_key(
    asked: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", bytes(range(32)).hex())
    monkeypatch.setenv("REFLECT_CHECKPOINTS__ENCRYPTION_KEY_ENV", "THE_KEY")
    assert reflect("fork", "t", "--at", "1", "--as", "f", "--quiet", "--root", asked).out.startswith(ANSWER)
    assert len(json.loads(reflect("history", "f", "--json", "--root", asked).out)) == 3
    assert reflect("threads", "prune", "--root", asked).out.startswith("6 checkpoints of 2 threads")
    assert "encrypted" in reflect("doctor", "--root", asked).out
    asking = [["threads", "list"], ["history", "f"], ["resume", "f"], ["ask", OTHER, "--quiet"]]
    for wrong, commands in (
        (bytes(range(1, 33)).hex(), asking),
        ("a typed sentence", asking[:1]),
        ("", asking[:1]),
    ):
        monkeypatch.setenv("THE_KEY", wrong)
        for words in commands:
            ran = reflect(*words, "--root", asked)
            assert ran.code == 2 and "key" in ran.err and "Traceback" not in ran.err and ran.out == ""
            assert not wrong or wrong not in ran.err
    monkeypatch.delenv("REFLECT_CHECKPOINTS__ENCRYPTION_KEY_ENV")
    ran = reflect("resume", "t", "--root", asked)
    assert ran.code == 2 and "encrypted, and no key is set" in ran.err


def test_no_word_of_an_encrypted_run_is_in_the_files_of_its_thread(
    project: Path, reflect: Reflect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")
    monkeypatch.setenv("THE_KEY", bytes(range(32)).hex())
    for variable, there in (("THE_KEY", False), (None, True)):
        path = f".reflect/{'encrypted' if variable else 'clear'}.sqlite"
        monkeypatch.setenv("REFLECT_CHECKPOINTS__PATH", path)
        monkeypatch.setenv("REFLECT_CHECKPOINTS__ENCRYPTION_KEY_ENV", variable or "null")
        ran = reflect("ask", GOAL, "--root", project, "--thread", "t", "--model", "embedded", "--quiet")
        assert ran.out.startswith(ANSWER)
        written = b"".join(file.read_bytes() for file in project.glob(f"{path}*"))
        assert {word in written for word in (b"ships", b"How many lines", b"wc -l")} == {there}
        assert len(written) > 10_000
