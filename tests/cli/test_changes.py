"""Changes from the command line: asked about or not made, gone on with later, put back from the trash."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli import approval, running
from cli.approval import Person
from tests.cli.conftest import Ran, Reflect, Scripted

# What the file is to hold is left open, so a planner is asked.
GOAL = "delete data/empty.txt and create the file notes.txt with something new in it"
DELETE = {"description": "delete", "tool": "delete", "args": {"path": "data/empty.txt"}}
WRITE = {"description": "write", "tool": "write_file", "args": {"path": "notes.txt", "content": "new\n"}}
PLAN = {"objective": "x", "steps": [DELETE, WRITE]}
PASSED = {"passed": True, "reason": "done", "confidence": 0.9}

Changed = Callable[..., Ran]


@pytest.fixture
def changed(reflect: Reflect, project: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> Changed:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")
    model = scripted(planner=[PLAN], verifier=[PASSED])

    def run(command: str, *argv: str) -> Ran:
        return reflect(command, *argv, "--root", project, "--model", model, "--quiet")

    return run


class Keys:
    """A person whose answers are known beforehand."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)
        self.prompts: list[str] = []

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self._lines.pop(0) + "\n" if self._lines else ""


def sit_down(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Put somebody at the terminal."""
    monkeypatch.setattr(running, "can_ask", lambda: True)
    monkeypatch.setattr(approval.sys, "stdin", Keys(*lines))


def test_without_a_terminal_nothing_is_changed_and_the_run_waits(changed: Changed, project: Path) -> None:
    ran = changed("ask", GOAL, "--thread", "t")
    assert ran.code == 3 and "it has not been made" in ran.out and "reflect resume t" in ran.out
    assert (project / "data" / "empty.txt").exists() and not (project / "notes.txt").exists()
    ran = changed("resume", "t", "--yes")
    assert ran.code == 0 and ran.out.startswith("Done:\n- delete data/empty.txt\n- write_file notes.txt")
    assert not (project / "data" / "empty.txt").exists() and (project / "notes.txt").read_text() == "new\n"
    again = changed("resume", "t", "--yes")
    assert again.code == 0 and again.out == ran.out


def test_what_waits_is_in_the_json_too(changed: Changed) -> None:
    ran = changed("ask", GOAL, "--json")
    report = json.loads(ran.out)
    assert ran.code == 3 and report["status"] == "running"
    assert [question["tool"] for question in report["waiting_for"]] == ["delete"]


def test_a_dry_run_changes_nothing(changed: Changed, project: Path) -> None:
    ran = changed("ask", GOAL, "--dry-run")
    assert ran.code == 1 and "nothing was changed" in ran.out and "+new" in ran.out
    assert (project / "data" / "empty.txt").exists() and not (project / "notes.txt").exists()


def test_yes_and_dry_run_exclude_each_other(changed: Changed) -> None:
    with pytest.raises(SystemExit) as ended:
        changed("ask", GOAL, "--yes", "--dry-run")
    assert ended.value.code == 2


def test_the_person_at_the_terminal_decides(
    changed: Changed, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit_down(monkeypatch, "what?", "a", "r", "keep it")
    ran = changed("ask", GOAL)
    assert ran.code == 1 and "You rejected it: keep it" in ran.out
    assert "What was changed before:\n- delete data/empty.txt" in ran.out
    assert not (project / "data" / "empty.txt").exists() and not (project / "notes.txt").exists()


def test_a_person_may_write_other_arguments(
    changed: Changed, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    mine = json.dumps({"path": "mine.txt", "content": "mine\n"})
    sit_down(monkeypatch, "y", "e", "{broken", "e", "[1]", "e", mine, "y")
    assert changed("ask", GOAL).code == 0
    assert (project / "mine.txt").read_text() == "mine\n" and not (project / "notes.txt").exists()


def test_an_editor_is_used_if_there_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/old/new/ "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.setattr(approval.sys, "stdin", Keys("e"))
    question = {
        "problem": "",
        "summary": "s",
        "preview": "+x",
        "args": {"path": "old.txt"},
        "fingerprint": "f",
    }
    assert Person("t").decide(question) == {"decision": "edit", "args": {"path": "new.txt"}}


def test_who_goes_away_finds_the_run_waiting(
    changed: Changed, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sit_down(monkeypatch)
    ran = changed("ask", GOAL, "--thread", "t")
    assert ran.code == 130 and "reflect resume t" in ran.err
    assert (project / "data" / "empty.txt").exists()
    sit_down(monkeypatch, "l", "l")
    assert changed("resume", "t").code == 0


def test_a_thread_that_does_not_exist_is_a_usage_error(changed: Changed) -> None:
    ran = changed("resume", "nobody")
    assert ran.code == 2 and "no thread 'nobody'" in ran.err


def test_threads_are_listed_and_deleted(changed: Changed, reflect: Reflect, project: Path) -> None:
    changed("ask", GOAL, "--thread", "first", "--yes")
    changed("ask", "how many python files are there?", "--thread", "second")
    listed = [line.split() for line in reflect("threads", "list", "--root", project).out.splitlines()]
    assert [(words[0], words[4]) for words in listed] == [("second", "answered"), ("first", "answered")]
    ran = reflect("threads", "delete", "first", "nobody", "--root", project)
    assert ran.code == 1 and "first: " in ran.out and "2 journal entries" in ran.out
    assert "no thread 'nobody'" in ran.err
    [left] = reflect("threads", "list", "--root", project).out.splitlines()
    assert left.startswith("second ")


def test_what_was_deleted_can_be_put_back(changed: Changed, reflect: Reflect, project: Path) -> None:
    changed("ask", GOAL, "--yes")
    [line] = reflect("trash", "list", "--root", project).out.splitlines()
    name, path = line.split("  ")
    assert path == "data/empty.txt" and not (project / path).exists()
    assert reflect("trash", "restore", name, "--root", project).code == 0
    assert (project / path).exists() and reflect("trash", "list", "--root", project).out == ""
    ran = reflect("trash", "restore", name, "--root", project)
    assert ran.code == 2 and "no entry of the trash" in ran.err


def test_a_question_of_any_kind_shows_what_it_is_about(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    question: dict[str, Any] = {
        "problem": "It has changed since you were asked.",
        "summary": "edit \x1b[31mred",
        "preview": "\n".join(f"+line {number}" for number in range(100)),
        "args": {},
        "fingerprint": "f",
    }
    monkeypatch.setattr(approval.sys, "stdin", Keys("approve"))
    assert Person("t").decide(question) == {"decision": "approve", "fingerprint": "f"}
    shown = capsys.readouterr().err
    assert "It has changed" in shown and "line 99" in shown and "\x1b" not in shown


REVIEW: dict[str, Any] = {
    "kind": "review",
    "summary": "Is this answer right? The confidence in it is 0.42.",
    "preview": "Three \x1b[31mships.",
    "evidence": [{"command": "wc -l ships", "returncode": 0, "text": "3"}],
    "doubts": ["the number 3"],
    "problem": "The answer could not be read.",
}


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        (["a"], {"decision": "accept"}),
        (["maybe", "yes"], {"decision": "accept"}),
        (["r", "it is four"], {"decision": "reject", "reason": "it is four"}),
        (["i", "", "i", "count the boats"], {"decision": "instead", "instead": "count the boats"}),
    ],
)
def test_an_answer_in_doubt_is_judged_at_the_terminal(
    typed: list[str],
    decision: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(approval.sys, "stdin", Keys(*typed))
    assert Person("t").decide(REVIEW) == decision
    shown = capsys.readouterr().err
    assert all(
        told in shown for told in ("0.42", "ships.", "wc -l ships", "the number 3", "could not be read")
    )
    assert "\x1b" not in shown
