"""`reflect specialists`: what it prints, and its exit codes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from cli import specialists_command
from cli.main import main


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "a.py").write_text("def f(x):\n    return eval(x)\n")
    (tmp_path / "script.yaml").write_text("default: ['{\"sentences\": []}']\nrepeat_last: true\n")
    return folder


def ask(root: Path, *words: str) -> int:
    model = f"scripted:{root.parent / 'script.yaml'}"
    return main(["specialists", *words, "--root", str(root), "--model", model])


def test_people_read_the_answer_and_its_place(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(root, "Is eval used?", "--thread", "t") == 0
    told = capsys.readouterr()
    assert told.out.startswith("Yes: there is 1 security finding about eval (1 Python file looked at).\n")
    assert "\n1. a.py:2 (medium): bandit warns (B307" in told.out
    assert "go on with: reflect specialists --resume=t" in told.err and "thread t" in told.err


def test_json_is_one_object_with_findings(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(root, "Which functions have no docstring?", "--json", "--quiet") == 0
    told = capsys.readouterr()
    result = json.loads(told.out)
    assert told.err == "" and result["status"] == "answered"
    assert [one["name"] for one in result["specialists"]] == ["documentation"]
    (finding,) = result["findings"]
    assert (finding["kernel"], finding["file"], finding["line"]) == ("documentation", "a.py", 1)
    assert set(finding) >= {"claim", "kernel", "file", "line", "end_line", "severity", "measured"}


def test_a_goal_nobody_answers_is_exit_code_1(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(root, "What is the weather in Paris?", "--quiet") == 1
    assert capsys.readouterr().out.startswith("None of the specialists answers this.")


def test_the_caller_chooses_who_answers(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(root, "Audit this", "--only", "documentation", "--json", "--quiet") == 0
    result = json.loads(capsys.readouterr().out)
    assert {one["kernel"] for one in result["findings"]} == {"documentation"}
    assert result["routed_by"] == "caller"


def test_a_run_is_gone_on_with(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(root, "Is eval used?", "--thread", "t", "--quiet") == 0
    first = capsys.readouterr().out
    assert main(["resume", "t", "--root", str(root), "--quiet"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "no goal is given"),
        ([" "], "There is no goal"),
        (["x", "--resume", "t"], "A goal and --resume"),
        (["x", "--only", "law"], "'law' is no specialist"),
        (["x", "--only", ","], "--only names nobody"),
        (["--resume", "t", "--only", "security"], "Leave out --thread and --only"),
        (["--resume", "nobody"], "There is no run 'nobody' here"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str], words: list[str], what: str
) -> None:
    assert ask(root, *words) == 2
    assert what in capsys.readouterr().err


def test_a_root_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["specialists", "Is eval used?", "--root", str(tmp_path / "no")]) == 2
    assert capsys.readouterr().err


def test_the_resume_line_keeps_what_the_run_was_begun_with() -> None:
    given = argparse.Namespace(root="/a b", model="ollama:x", profile=None, json=True, quiet=False)
    line = specialists_command.resume_line("t 1", given)
    assert line == "reflect specialists '--resume=t 1' '--root=/a b' --model=ollama:x --json"
