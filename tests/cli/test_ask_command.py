from __future__ import annotations

import asyncio
import io
import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.running import EXIT_BY_STATUS
from graph.reflective import build
from memory.checkpoints import open_checkpointer
from nodes.reflective.state import ReasoningState
from tests.cli.conftest import Ran, Reflect, Scripted

QUESTION = "How many python files are there?"
COUNTED = "There are 10 *.py files."
# No recipe covers this goal, so the planner must.
PLANNED = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"


def plan_of(command: str) -> dict[str, Any]:
    return {"objective": "look", "steps": [{"description": "find the ship", "command": command}]}


class Asked:
    """Asks about the fixture project with a scripted model."""

    def __init__(self, reflect: Reflect, project: Path, scripted: Scripted) -> None:
        self.project = project
        self._reflect = reflect
        self._scripted = scripted

    def __call__(self, *argv: str, **roles: list[Any]) -> Ran:
        return self._reflect("ask", *argv, "--root", self.project, "--model", self._scripted(**roles))

    def report(self, *argv: str, **roles: list[Any]) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self(*argv, "--json", "--quiet", **roles).out)
        return report


@pytest.fixture
def asked(reflect: Reflect, project: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")
    return Asked(reflect, project, scripted)


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


def kept_states(path: Path, thread: str) -> list[ReasoningState]:
    """The states of a thread that are in a checkpoint database, newest first."""

    async def read() -> list[ReasoningState]:
        async with open_checkpointer(path, 5) as checkpointer:
            history = build(checkpointer).aget_state_history({"configurable": {"thread_id": thread}})
            return [ReasoningState.model_validate(kept.values) async for kept in history]

    return asyncio.run(read())


def test_the_answer_is_on_stdout_and_the_progress_on_stderr(asked: Asked) -> None:
    ran = asked(QUESTION)
    assert ran.code == 0
    assert ran.out.startswith(f"{COUNTED}\n\nEvidence:\n  $ find ")
    assert ran.err.splitlines()[0] == f"Goal {QUESTION}"
    words = [line for line in ran.err.splitlines() if line.isupper()]
    assert words == ["CLASSIFY", "PLAN", "EXECUTE", "RESPOND"]
    assert "Goal" not in ran.out and COUNTED not in ran.err


def test_quiet_shows_the_answer_only(asked: Asked) -> None:
    ran = asked(QUESTION, "--quiet")
    assert ran.err == "" and ran.out.startswith(COUNTED)


def test_a_goal_needs_no_quotes(asked: Asked) -> None:
    ran = asked(*QUESTION.split())
    assert (ran.code, ran.err.splitlines()[0]) == (0, f"Goal {QUESTION}")


def test_a_dash_reads_the_goal_from_standard_input(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"How many python files\nare there?\n")
    ran = asked("-")
    assert ran.code == 0 and ran.out.startswith(COUNTED)


def test_standard_input_is_read_as_utf_8_whatever_the_locale_says(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, "Does the text “naïve” occur, or this byte: ".encode() + b"\xff")
    ran = asked("-")
    assert (
        ran.err.splitlines()[0] == "Goal Does the text “naïve” occur, or this byte: \N{REPLACEMENT CHARACTER}"
    )


@pytest.mark.parametrize("data", [b"", b" \n", b"\0"])
def test_an_empty_pipe_is_a_usage_error(asked: Asked, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    pipe(monkeypatch, data)
    ran = asked("-")
    assert (ran.code, ran.out) == (2, "") and "The goal is empty." in ran.err


def test_a_closed_standard_input_is_an_empty_goal(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    ran = asked("-")
    assert ran.code == 2 and "The goal is empty." in ran.err


def test_a_goal_that_is_refused_leaves_nothing_behind(asked: Asked) -> None:
    assert asked(" ").code == 2
    assert not (asked.project / ".reflect").exists()


def test_a_goal_with_bytes_that_are_no_text_is_asked_all_the_same(asked: Asked) -> None:
    ran = asked(f"{QUESTION} \udce9")
    assert ran.err.splitlines()[0] == f"Goal {QUESTION} ?"


def test_a_question_that_cannot_be_answered_gives_1_and_says_what_was_tried(asked: Asked) -> None:
    ran = asked("list the functions in zebra.py", critic=[{"error": "unavailable"}] * 3)
    assert ran.code == 1
    assert ran.out.startswith("I could not answer this.") and "zebra.py does not exist" in ran.out
    assert "could_not (" in ran.out.splitlines()[-1]


@pytest.mark.parametrize("error", ["unavailable", "missing", "timeout", "failed"])
def test_a_model_that_fails_is_the_surroundings_fault(asked: Asked, error: str) -> None:
    ran = asked("hello", worker=[{"error": error}] * 5)
    assert ran.code == 2
    reason = "timeout" if error == "timeout" else "error"
    assert "I could not answer this. The scripted" in ran.out and f"error ({reason})" in ran.out


def test_every_status_a_run_ends_with_has_an_exit_code_and_only_an_answer_gives_0() -> None:
    ends = set(ReasoningState.model_fields["status"].annotation.__args__) - {"running", "error"}  # type: ignore[union-attr]  # a Literal has arguments
    assert set(EXIT_BY_STATUS) == ends
    assert [status for status, code in EXIT_BY_STATUS.items() if code == 0] == ["answered"]


def test_json_is_one_object_that_tells_the_whole_run(asked: Asked) -> None:
    failing = plan_of("grep Nobody data/ships.csv")
    report = asked.report(
        PLANNED,
        "--thread",
        "voyage",
        planner=[failing, plan_of("grep Boreas data/ships.csv")],
        critic=[{"diagnosis": "The ship has another name.", "new_plan_summary": "Search for Boreas."}],
        worker=["Boreas flies the flag GR and is 240 long."],
        verifier=[{"passed": True, "reason": "the row says so", "confidence": 0.9}],
    )
    assert report["answer"] == "Boreas flies the flag GR and is 240 long."
    assert (report["status"], report["stop_reason"]) == ("answered", "success") and 0 < report[
        "confidence"
    ] < 1
    assert (report["complexity"], report["complexity_source"], report["plan_source"]) == (
        "moderate",
        "exemplars",
        "model",
    )
    assert [(step["num"], step["status"], step["returncode"]) for step in report["steps"]] == [
        (1, "success", 0)
    ]
    assert "another name" in report["reflections"][0]["diagnosis"]
    assert "probes" not in report["reflections"][0]
    assert any("Boreas,240,GR" in item["text"] for item in report["evidence"])
    assert report["usage"]["calls"] == 5
    assert report["usage"]["prompt_tokens"] > report["usage"]["completion_tokens"] > 0
    assert report["thread_id"] == "voyage" and report["model"].startswith("scripted:")
    assert report["sandbox_level"] in ("bwrap", "landlock", "policy")


def test_json_of_a_run_that_looked_at_nothing_names_no_sandbox(asked: Asked) -> None:
    report = asked.report("hello", worker=["Good day."])
    assert (report["steps"], report["evidence"], report["sandbox_level"]) == ([], [], "none")
    assert (report["plan_source"], report["complexity"]) == (None, "bypass")


def test_json_of_a_failure_is_still_one_object(asked: Asked) -> None:
    ran = asked("hello", "--json", worker=[{"error": "failed"}] * 5)
    assert ran.code == 2
    assert json.loads(ran.out)["status"] == "error"


def test_json_shows_letters_as_they_are(asked: Asked) -> None:
    ran = asked("hello", "--json", worker=["Grüße ✓"])
    assert "Grüße ✓" in ran.out


def test_json_is_readable_where_the_encoding_holds_no_such_letters(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "stdout").open("w", encoding="ascii") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        asked("hello", "--json", worker=["Grüße 😀"])
    report = json.loads((tmp_path / "stdout").read_text("ascii"))
    assert report["answer"].startswith("Grüße 😀")


def test_a_file_whose_name_is_no_text_is_told_in_both_forms(asked: Asked) -> None:
    (asked.project / "docs" / "caf\udce9.md").write_text("needle\n")
    assert asked('Which files contain "needle"?').code == 0
    report = asked.report('Which files contain "needle"?')
    assert "caf" in report["evidence"][0]["text"]


def test_the_thread_is_kept_under_the_root(asked: Asked) -> None:
    report = asked.report(QUESTION, "--thread", "mine")
    states = kept_states(asked.project / ".reflect" / "checkpoints.sqlite", "mine")
    assert states[0].final_answer == report["answer"] == COUNTED
    assert [state.iterations for state in states][:4] == [4, 3, 2, 1]


def test_a_thread_that_is_asked_again_answers_the_new_question(asked: Asked) -> None:
    asked(QUESTION, "--thread", "mine")
    report = asked.report("How many lines does data/ships.csv have?", "--thread", "mine")
    assert report["answer"] == "data/ships.csv has 5 lines."
    assert COUNTED not in str(report) and "find" not in str(report["evidence"])
    answers = {
        state.final_answer for state in kept_states(asked.project / ".reflect" / "checkpoints.sqlite", "mine")
    }
    assert {COUNTED, "data/ships.csv has 5 lines."} <= answers


def test_a_run_without_a_thread_gets_one_of_its_own(asked: Asked) -> None:
    threads = [asked.report(QUESTION)["thread_id"] for _ in range(2)]
    assert len(set(threads)) == 2 and all(thread.startswith("ask-") for thread in threads)


def test_the_settings_say_where_checkpoints_go(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLECT_CHECKPOINTS__PATH", "elsewhere/kept.db")
    asked(QUESTION, "--thread", "mine")
    assert kept_states(asked.project / "elsewhere" / "kept.db", "mine")[0].final_answer == COUNTED
    assert not (asked.project / ".reflect" / "checkpoints.sqlite").exists()


def test_a_flag_beats_the_settings_file(asked: Asked) -> None:
    (asked.project / ".reflect").mkdir()
    (asked.project / ".reflect" / "config.yaml").write_text("model: ollama:nothing\nprofile: safe\n")
    ran = asked(QUESTION, "--profile", "dev", "--strategy", "graph_v30")
    assert ran.code == 0 and "model scripted:" in ran.out


def test_the_safe_profile_runs_no_tool(asked: Asked) -> None:
    ran = asked(QUESTION, "--profile", "safe", "--json", "--quiet")
    report = json.loads(ran.out)
    assert ran.code == 2 and report["evidence"] == [] and report["sandbox_level"] == "none"


@pytest.mark.parametrize(
    ("flag", "value", "offered"),
    [("--profile", "cautious", "sovereign"), ("--strategy", "graph_v99", "graph_v30")],
)
def test_a_choice_that_does_not_exist_is_refused_before_anything_runs(
    asked: Asked, flag: str, value: str, offered: str
) -> None:
    ran = asked(QUESTION, flag, value)
    assert (ran.code, ran.out) == (2, "") and offered in ran.err
    assert not (asked.project / ".reflect").exists()


def test_the_root_is_here_unless_it_is_named(
    asked: Asked, reflect: Reflect, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(asked.project)
    ran = reflect("ask", QUESTION, "--model", scripted())
    assert ran.out.startswith(COUNTED)
    assert (asked.project / ".reflect").is_dir()


def test_a_run_leaves_ctrl_c_as_it_was(asked: Asked) -> None:
    before = signal.getsignal(signal.SIGINT)
    assert asked(QUESTION).code == 0 and asked(" ").code == 2
    assert signal.getsignal(signal.SIGINT) is before
