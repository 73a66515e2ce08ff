"""`reflect chat` as a person meets it: a real process at a terminal of its own, or at the end of a pipe."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT, reflect
from tests.support.terminal import ALT_ENTER, CTRL_C, CTRL_D, UP, Terminal, pasted, terminal

pytestmark = pytest.mark.integration
QUESTION = "How many python files are there?"
COUNTED = "There are 10 *.py files."
STACK = "what is a stack?"
LAST = "where the kitchen is."
SAID = f"A stack is a pile of plates in which the last one put on is the first one taken off, {LAST}"
PROMPT = "\n>"
WRITES = {
    "description": "write it",
    "tool": "write_file",
    "args": {"path": "new.txt", "content": "hello\n"},
}


def environment(home: Path, **variables: str) -> dict[str, str]:
    unset = ("REFLECT_", "OLLAMA_", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache, "TERM": "xterm-256color"}
    return kept | own | variables


def script(project: Path, **roles: list[Any]) -> str:
    """A model that answers from a file; gives its name."""
    path = project.parent / f"script-{len(list(project.parent.glob('script-*')))}.yaml"
    path.write_text(json.dumps({"roles": roles, "repeat_last": True}))
    return f"scripted:{path}"


def slow(project: Path) -> str:
    return script(project, worker=[{"pace": 0.3, "reply": SAID}])


@contextlib.contextmanager
def chat(project: Path, model: str, *more: str, columns: int = 100, **variables: str) -> Iterator[Terminal]:
    words = [sys.executable, "-m", "cli.main", "chat", "--root", str(project), "--model", model, *more]
    with terminal(words, project.parent, environment(project.parent, **variables), columns) as opened:
        yield opened


def leave(opened: Terminal, prompt: str = PROMPT) -> None:
    """End the chat as a person does, who waits for the prompt."""
    opened.wait_for(prompt)
    opened.type(CTRL_D)
    assert opened.ends() == 0


# Runs that are stopped


def test_ctrl_c_stops_a_run_and_resume_ends_it(project: Path) -> None:
    with chat(project, slow(project), "--thread", "t") as opened:
        opened.wait_for(PROMPT)
        opened.line(STACK)
        opened.wait_for("answering | A stack is a")
        opened.type(CTRL_C)
        opened.wait_for(f"Stopped: {STACK} (stopped before direct_exec).")
        opened.wait_for("/resume goes on with it")
        opened.wait_for(PROMPT)
        assert LAST not in opened.shown
        opened.line("/resume")
        opened.wait_for(f"{LAST}\n\n(From the model's own knowledge")
        leave(opened)
        assert opened.shown.count("CLASSIFY") == 1, "what was done is not done again"


def test_a_chat_that_is_killed_goes_on_in_the_next(project: Path) -> None:
    model = slow(project)
    with chat(project, model, "--thread", "t") as opened:
        opened.wait_for(PROMPT)
        opened.line(STACK)
        opened.wait_for("answering | A stack is a")
        opened.process.send_signal(signal.SIGKILL)
        opened.ends()
    with chat(project, model, "--thread", "t") as opened:
        opened.wait_for(f"Thread t, last asked: {STACK}")
        opened.wait_for("/resume goes on with it")
        opened.line("/resume")
        opened.wait_for(f"{LAST}\n\n(From the model's own knowledge")
        leave(opened)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("at_work", [True, False])
def test_a_signal_to_end_leaves_a_thread_that_goes_on(
    project: Path, ending: signal.Signals, at_work: bool
) -> None:
    with chat(project, slow(project), "--thread", "t") as opened:
        opened.wait_for(PROMPT)
        if at_work:
            opened.line(STACK)
            opened.wait_for("answering | A stack is a")
        opened.process.send_signal(ending)
        assert opened.ends() == 128 + ending
        assert "Traceback" not in opened.shown
    if at_work:
        done = reflect(
            "resume",
            "t",
            "--root",
            str(project),
            "--model",
            script(project, worker=["Yes."]),
            home=project.parent,
        )
        assert done.returncode == 0 and done.stdout.startswith("Yes.")


def test_a_window_that_is_closed_leaves_a_thread_that_goes_on(project: Path) -> None:
    with chat(project, slow(project), "--thread", "t") as opened:
        opened.wait_for(PROMPT)
        opened.line(STACK)
        opened.wait_for("answering | A stack is a")
        opened.hang_up()
        opened.process.wait(30)
    model = script(project, worker=["Yes."])
    done = reflect("resume", "t", "--root", str(project), "--model", model, home=project.parent)
    assert done.returncode == 0 and done.stdout.startswith("Yes.")


def test_ctrl_c_ends_a_script_as_a_whole(project: Path) -> None:
    words = [sys.executable, "-m", "cli.main", "chat", "--root", str(project), "--model", slow(project)]
    process = subprocess.Popen(
        words,
        env=environment(project.parent),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process, contextlib.suppress(ProcessLookupError):
        assert process.stdin is not None and process.stderr is not None and process.stdout is not None
        process.stdin.write(f"{STACK}\n{QUESTION}\n")
        process.stdin.flush()
        for line in process.stderr:
            if "asking the worker" in line:
                break
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert "Stopped: what is a stack?" in process.stderr.read() and process.stdout.read() == ""
        process.kill()


def test_ctrl_c_kills_the_tool_and_the_step_is_done_anew(project: Path) -> None:
    with (project / "hole.bin").open("wb") as stream:
        stream.truncate(2**36)
    plan = {"objective": "sum", "steps": [{"description": "sum", "command": "sha256sum hole.bin"}]}
    model = script(project, classifier=[{"complexity": "moderate"}], planner=[plan])
    with chat(project, model) as opened:
        opened.wait_for(PROMPT)
        opened.line("which sum does hole.bin have by the algorithm of the NSA, judging by sha256sum")
        opened.wait_for("step 1/1 sum")
        time.sleep(0.5)
        opened.type(CTRL_C)
        opened.wait_for("(stopped before execute).")
        assert "failed" not in opened.shown
        leave(opened)


# Lines


def test_ctrl_c_gives_up_a_line_and_ctrl_d_ends(project: Path) -> None:
    with chat(project, script(project, worker=["Good day."])) as opened:
        opened.wait_for(PROMPT)
        opened.type("something else")
        opened.wait_for("something else")
        opened.type(CTRL_C)
        opened.wait_for(PROMPT)
        opened.type(CTRL_C)
        opened.wait_for(PROMPT)
        opened.line("hello")
        opened.wait_for("Good day.\n\n(From the model's own knowledge")
        leave(opened)
    assert "something else" not in (project / ".reflect" / "chat_history").read_text()


def test_lines_come_back_in_the_next_chat_and_nobody_else_reads_them(project: Path) -> None:
    model = script(project, worker=["Good day."])
    with chat(project, model) as opened:
        opened.wait_for(PROMPT)
        opened.line("hello")
        opened.wait_for("Good day.\n\n(From")
        leave(opened)
    file = project / ".reflect" / "chat_history"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with chat(project, model) as opened:
        opened.wait_for(PROMPT)
        opened.type(UP)
        opened.wait_for("hello")
        opened.type("\r")
        opened.wait_for("Good day.\n\n(From")
        leave(opened)


def test_several_lines_are_one_question(project: Path) -> None:
    bypass = [{"complexity": "bypass"}]
    model = script(
        project,
        classifier=bypass,
        worker=[{"when": "first one\nsecond one\nthird one", "reply": "Together."}],
    )
    with chat(project, model) as opened:
        for typed in (
            "hello, first one\\\rsecond one\\\rthird one\r",
            f"hello, first one{ALT_ENTER}second one{ALT_ENTER}third one\r",
            pasted("hello, first one\nsecond one\nthird one") + "\r",
            "hello, first one\r```\rsecond one\rthird one\r```\r".replace("\r", ALT_ENTER, 1),
        ):
            opened.wait_for(PROMPT)
            opened.type(typed)
            opened.wait_for("Together.\n\n(From")
        leave(opened)


def test_what_is_no_text_and_what_is_too_long_is_told_and_the_chat_goes_on(project: Path) -> None:
    with chat(project, script(project, worker=["Good day."])) as opened:
        opened.wait_for(PROMPT)
        opened.type(b"hello \xff\xfe caf\xe9\r")
        opened.wait_for("Good day.\n\n(From")
        opened.wait_for(PROMPT)
        opened.type(pasted("long " * 8_000))
        opened.type("\r")
        opened.wait_for("characters; 20000 is the limit.")
        opened.wait_for(PROMPT)
        opened.line("hello")
        opened.wait_for("Good day.\n\n(From")
        leave(opened)


# Terminals


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {}])
@pytest.mark.parametrize("columns", [20, 100])
def test_the_answer_stands_once_in_every_terminal(
    project: Path, columns: int, variables: dict[str, str]
) -> None:
    hostile = "Good \x1b]0;title\x07day \x1b[2J to you all."
    with chat(project, script(project, worker=[hostile]), columns=columns, **variables) as opened:
        opened.wait_for(">")
        opened.line("hello")
        opened.wait_for("thread chat-")
        leave(opened, ">")
        assert "\x1b]0;title" not in opened.raw
        if variables.get("TERM") == "dumb":
            assert "answering |" not in opened.shown
        if "NO_COLOR" in variables:
            assert "\x1b[31m" not in opened.raw and "\x1b[36m" not in opened.raw


def test_a_terminal_may_be_resized(project: Path) -> None:
    with chat(project, slow(project)) as opened:
        opened.wait_for(PROMPT)
        opened.line(STACK)
        opened.wait_for("answering | A stack")
        for columns in (40, 10, 120):
            opened.resize(columns)
            opened.process.send_signal(signal.SIGWINCH)
            time.sleep(0.3)
        opened.wait_for("(From the model's own knowledge")
        leave(opened)


# Approvals


def test_a_change_is_asked_about_in_the_chat_and_made_when_approved(project: Path) -> None:
    model = script(
        project, classifier=[{"complexity": "moderate"}], planner=[{"objective": "", "steps": [WRITES]}]
    )
    with chat(project, model) as opened:
        opened.wait_for(PROMPT)
        opened.line("create the file new.txt with the text 'hello'")
        opened.wait_for("a[l]ways for this tool in this run?")
        opened.type(CTRL_C)
        opened.wait_for("Stopped: create the file new.txt")
        opened.wait_for("waiting for an approval")
        opened.wait_for(PROMPT)
        assert not (project / "new.txt").exists()
        opened.line("/resume")
        opened.wait_for("a[l]ways for this tool in this run?")
        opened.line("a")
        opened.wait_for("thread chat-")
        leave(opened)
    assert (project / "new.txt").read_text() == "hello\n"


# Threads and commands


def test_a_thread_has_one_chat(project: Path) -> None:
    model = script(project, worker=["Good day."])
    with chat(project, model, "--thread", "t") as first:
        first.wait_for(PROMPT)
        with chat(project, model, "--thread", "t") as second:
            second.wait_for("Another chat is open on thread 't'.")
            assert second.ends() == 2
        with chat(project, model, "--thread", "u") as other:
            other.wait_for(PROMPT)
            other.line("/thread t")
            other.wait_for("Another chat is open on thread 't'.")
            other.wait_for(PROMPT)
            other.line("/thread")
            other.wait_for("Thread u, new.")
            leave(other)
        first.line("/thread")
        first.wait_for("Thread t, new.")
        leave(first)
    with chat(project, model, "--thread", "t") as again:
        leave(again)


def test_the_commands_do_what_they_say(project: Path) -> None:
    with chat(project, script(project, worker=["Good day."])) as opened:
        for typed, shown in (
            ("/help", "Tab completes."),
            ("/why", "Nothing was asked in this thread yet."),
            ("/wyh", "Did you mean /why?"),
            (QUESTION, "answered (success), confidence"),
            ("/why", "Plan from recipe count-files"),
            ("/evidence", "./src/harbour/cli.py"),
            ("/history", f"> {QUESTION}\n  {COUNTED}\n  (answered)"),
            ("/steps", "execute -> respond"),
            ("/trace", "Run 1:"),
            ("and in src/?", "read as: How many python files are there in src/"),
            ("/fork 0 goal=hello", "is copied; that thread stays as it is."),
            ("/resume", "Good day."),
            ("/settings graph.max_iterations 7", "graph.max_iterations = 7"),
            ("/settings graph.max_iterations none", "graph.max_iterations"),
            ("/strategy graph_v99", "graph_v30"),
            ("/model nothing", "names no model"),
            ("/approval dry_run", "approval dry_run"),
            ("/threads", "chat-"),
            ("/new other", "Thread other, new."),
        ):
            opened.wait_for(PROMPT)
            opened.line(typed)
            opened.wait_for(shown)
        opened.wait_for(PROMPT)
        opened.line("/quit")
        assert opened.ends() == 0
        assert "Traceback" not in opened.shown


def test_a_run_that_fails_leaves_the_chat_as_it_was(project: Path) -> None:
    model = script(project, worker=[{"error": "failed"}])
    with chat(project, model) as opened:
        opened.wait_for(PROMPT)
        opened.line("hello")
        opened.wait_for("I could not answer this. The scripted model failed.")
        opened.wait_for(PROMPT)
        opened.line(f"/model {script(project, worker=['Good day.'])}")
        opened.wait_for(PROMPT)
        opened.line("/again")
        opened.wait_for("Good day.\n\n(From")
        leave(opened)


# Pipes


def piped(project: Path, data: bytes, *more: str, **roles: list[Any]) -> Any:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "cli.main",
            "chat",
            "--root",
            str(project),
            "--model",
            script(project, **roles),
            *more,
        ],
        cwd=project.parent,
        env=environment(project.parent),
        input=data,
        capture_output=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("", 0),
        (f"{QUESTION}\nhello", 0),
        ("list the functions in zebra.py\nhello\n", 1),
        ("create the file new.txt with the text 'hello'\nlist the functions in zebra.py\n", 3),
        ("/nonsense\nhello\n", 2),
        ("hello\n/quit\n/nonsense\n", 0),
    ],
)
def test_a_pipe_is_a_script_with_the_exit_code_of_its_worst_line(
    project: Path, lines: str, code: int
) -> None:
    done = piped(
        project,
        lines.encode(),
        worker=["Good day."],
        classifier=[{"complexity": "moderate"}],
        planner=[{"objective": "", "steps": [WRITES]}],
    )
    assert done.returncode == code, done.stderr.decode()
    assert b"\x1b" not in done.stdout + done.stderr and b"Traceback" not in done.stderr
    asked = lines.partition("/quit")[0].splitlines()
    assert done.stdout.count(b"Good day.") == asked.count("hello")


def test_json_is_one_line_a_run_and_quiet_is_quiet(project: Path) -> None:
    data = b"hello\n" + b"\xff\xfe hello \x00\x07\n" + f"{QUESTION}\n".encode()
    done = piped(project, data, "--json", "--quiet", worker=["Good day."])
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["status"] for report in reports] == ["answered"] * 3
    assert reports[2]["answer"] == COUNTED and done.stderr == b"" and done.returncode == 0


def test_a_line_of_any_length_is_refused_and_the_next_one_answered(project: Path) -> None:
    done = piped(project, b"x" * 3_000_000 + b"\nhello\n", "--quiet", worker=["Good day."])
    assert done.stdout.startswith(b"Good day.") and done.returncode == 2
    assert b"is the limit" in done.stderr and len(done.stderr) < 1000
