"""The command as a process: interrupted, killed, beside another, piped, in a narrow or poor terminal."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.reflective import build
from memory.checkpoints import open_checkpointer
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tests.support.processes import ROOT, reflect, wait_until

pytestmark = pytest.mark.integration
QUESTION = "How many python files are there?"
COUNTED = "There are 10 *.py files."
# No recipe covers this goal, so the planner must.
PLANNED = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
FLAG = "Boreas flies the flag GR and is 240 long."
LONG = 300


LOOK = {"description": "find the ship", "command": "grep Boreas data/ships.csv"}
PLAN = {"objective": "look", "steps": [LOOK]}
# The sum of a hole this large takes minutes, and the hole takes no space.
HOLE = 2**36
SLOW_PLAN = {"objective": "look", "steps": [LOOK, {"description": "sum", "command": "sha256sum hole.bin"}]}


@pytest.fixture
def hole(project: Path) -> Path:
    """A file whose reading lasts longer than any test."""
    path = project / "hole.bin"
    with path.open("wb") as stream:
        stream.truncate(HOLE)
    return path


def script(project: Path, **replies: Any) -> str:
    """A script in a file, for a process to read; gives the model's name."""
    roles = {
        "classifier": [{"complexity": "moderate"}],
        "planner": [PLAN],
        "worker": [FLAG],
        "verifier": [{"passed": True, "reason": "the row says so", "confidence": 0.9}],
        **{role: [reply] for role, reply in replies.items()},
    }
    path = project.parent / f"script-{len(list(project.parent.glob('script-*')))}.yaml"
    path.write_text(json.dumps({"roles": roles, "repeat_last": True}))
    return f"scripted:{path}"


def environment(home: Path, **variables: str) -> dict[str, str]:
    """What `reflect` of tests.support runs in, with output buffered as it is for most people."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "OLLAMA_"))}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache, "PYTHONUNBUFFERED": ""}
    return kept | own | variables


@contextlib.contextmanager
def started(project: Path, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A running `reflect`, which is gone at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=project.parent,
        env=environment(project.parent, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ask(project: Path, goal: str, *more: str, model: str = "", **variables: str) -> Any:
    model = model or script(project)
    arguments = ["ask", goal, "--root", str(project), "--model", model, *more]
    return reflect(*arguments, home=project.parent, **variables)


def planned(project: Path, model: str, *more: str) -> list[str]:
    return ["ask", PLANNED, "--root", str(project), "--model", model, *more]


def shell(project: Path, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which $REFLECT is the command; its exit code is that of the first failing part."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=project,
        env=environment(project.parent, REFLECT=f"{sys.executable} -m cli.main", **variables),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def processes_about(project: Path) -> list[str]:
    """Command lines of every living process that was told of the project or works in it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                if command and (str(project) in command or str(project) in os.readlink(entry / "cwd")):
                    found.append(command)
    return found


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    """Read progress until a line appears."""
    assert process.stderr is not None
    seen = []
    for text in process.stderr:
        seen.append(text)
        if line in text:
            return
    raise AssertionError(f"{line!r} did not appear:\n{''.join(seen)}")


def tool_runs(project: Path) -> bool:
    return any("sha256sum" in command.split()[0] for command in processes_about(project))


async def resume(project: Path, thread: str, model: str) -> tuple[tuple[str, ...], ReasoningState]:
    """Where a thread stands, and its state after going on from there."""
    async with open_checkpointer(project / ".reflect" / "checkpoints.sqlite", 5) as checkpointer:
        graph = build(checkpointer)
        config: Any = {"configurable": {"thread_id": thread}}
        waiting = (await graph.aget_state(config)).next
        context = RunContext(
            root=str(project), model=model, settings={"experience.global_root": str(project.parent / "home")}
        )
        final = await graph.ainvoke(None, config, context=context)
        return waiting, ReasoningState.model_validate(final)


def events(project: Path) -> list[dict[str, Any]]:
    lines = (project / ".reflect" / "experience" / "events.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


# Interrupted and killed


def test_ctrl_c_while_the_model_thinks_gives_130_and_the_thread_can_go_on(project: Path) -> None:
    slow = script(project, verifier={"delay": LONG, "reply": "never"})
    with started(project, *planned(project, slow, "--thread", "voyage")) as process:
        wait_for(process, "VERIFY")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("reflect: interrupted\n") and "Traceback" not in err
    before = len([event for event in events(project) if event["event_type"] == "planning"])
    waiting, state = asyncio.run(resume(project, "voyage", script(project)))
    assert waiting == ("verify",)
    assert (state.status, state.final_answer) == ("answered", FLAG)
    after = len([event for event in events(project) if event["event_type"] == "planning"])
    assert before == after == 1, "what was done before was done again"


@pytest.mark.parametrize("seconds", [0.0, 0.1, 0.2, 0.3, 0.5])
def test_ctrl_c_while_things_are_loaded_gives_130(project: Path, seconds: float) -> None:
    with started(project, *planned(project, script(project))) as process:
        threads = Path(f"/proc/{process.pid}/task")
        assert wait_until(30, lambda: len(list(threads.iterdir())) > 1)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, ""), err
    assert err.endswith("reflect: interrupted\n") and "Traceback" not in err


def test_ctrl_c_while_a_tool_runs_stops_the_tool(project: Path, hole: Path) -> None:
    with started(project, *planned(project, script(project, planner=SLOW_PLAN))) as process:
        wait_for(process, "step 2/2")
        assert wait_until(60, lambda: tool_runs(project)), processes_about(project)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "") and "Traceback" not in err
    assert wait_until(5, lambda: processes_about(project) == []), processes_about(project)


def test_a_request_to_end_stops_the_tool_and_says_how_to_go_on(project: Path, hole: Path) -> None:
    model = script(project, planner=SLOW_PLAN)
    with started(project, *planned(project, model, "--thread", "voyage")) as process:
        wait_for(process, "step 2/2")
        assert wait_until(60, lambda: tool_runs(project)), processes_about(project)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (143, "") and "Traceback" not in err
    assert err.endswith("reflect: The run was ended by SIGTERM.\nGo on with: reflect resume voyage\n")
    assert wait_until(5, lambda: processes_about(project) == []), processes_about(project)
    hole.write_bytes(b"")
    again = reflect(
        *("resume", "voyage", "--root", str(project), "--model", model, "--json", "--quiet"),
        home=project.parent,
    )
    report = json.loads(again.stdout)
    assert [step["status"] for step in report["steps"]] == ["success", "success"]


@pytest.mark.parametrize("moment", ["CLASSIFY", "PLAN", "EXECUTE", "VERIFY"])
def test_a_killed_run_loses_nothing_and_its_thread_can_be_asked_again(project: Path, moment: str) -> None:
    slow = script(project, verifier={"delay": LONG, "reply": "never"})
    with started(project, *planned(project, slow, "--thread", "voyage")) as process:
        wait_for(process, moment)
        process.kill()
        process.wait(30)
    again = ask(project, PLANNED, "--thread", "voyage", "--json", "--quiet")
    report = json.loads(again.stdout)
    assert (again.returncode, report["answer"], report["thread_id"]) == (0, FLAG, "voyage")
    assert {event["session_id"] for event in events(project)} == {"voyage"}
    doctor = reflect("doctor", "--root", str(project), home=project.parent)
    assert doctor.returncode == 0 and " 0 unreadable lines" in doctor.stdout


def test_a_killed_run_takes_its_tool_with_it(project: Path, hole: Path) -> None:
    with started(project, *planned(project, script(project, planner=SLOW_PLAN))) as process:
        wait_for(process, "step 2/2")
        assert wait_until(60, lambda: tool_runs(project)), processes_about(project)
        process.kill()
        process.wait(30)
        assert wait_until(5, lambda: processes_about(project) == []), processes_about(project)


# Beside another run, and for another program


@pytest.mark.parametrize("threads", [("one", "two"), ("same", "same")])
def test_two_runs_on_one_root_do_not_disturb_each_other(project: Path, threads: tuple[str, str]) -> None:
    questions = {QUESTION: COUNTED, "How many lines does data/ships.csv have?": "data/ships.csv has 5 lines."}
    with contextlib.ExitStack() as stack:
        running = [
            stack.enter_context(
                started(
                    project,
                    *("ask", question, "--root", str(project), "--model", script(project)),
                    *("--thread", thread, "--json", "--quiet"),
                )
            )
            for question, thread in zip(questions, threads, strict=True)
        ]
        ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0, 0], ended
    assert [err for _, err in ended] == ["", ""]
    assert [json.loads(out)["answer"] for out, _ in ended] == list(questions.values())
    told = [
        (event["session_id"], event["goal"]) for event in events(project) if event["event_type"] == "respond"
    ]
    assert sorted(told) == sorted(zip(threads, questions, strict=True))


@pytest.mark.parametrize(
    ("goal", "replies", "code", "status"),
    [
        (QUESTION, {}, 0, "answered"),
        ("list the functions in zebra.py", {"critic": {"error": "failed"}}, 1, "could_not"),
        ("hello", {"worker": {"error": "unavailable"}}, 2, "error"),
    ],
)
def test_json_is_one_object_whatever_the_exit_code(
    project: Path, goal: str, replies: dict[str, Any], code: int, status: str
) -> None:
    done = ask(project, goal, "--json", model=script(project, **replies))
    assert done.returncode == code
    assert json.loads(done.stdout)["status"] == status
    assert done.stdout.startswith("{\n") and done.stdout.endswith("\n}\n")
    assert done.stderr.startswith("Goal ")


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--help"], 0), (["ask", "--help"], 0), ([], 2), (["ask"], 2), (["nonsense"], 2)]
)
def test_usage_is_told_before_anything_is_opened(project: Path, arguments: list[str], code: int) -> None:
    done = reflect(*arguments, home=project.parent)
    assert done.returncode == code
    assert (done.stderr if code else done.stdout).startswith("usage: reflect")


# Pipes


def test_a_reader_of_one_line_gets_the_answer(project: Path) -> None:
    done = shell(project, f"$REFLECT ask --quiet '{QUESTION}' --model {script(project)} | head -1")
    assert done.stdout == f"{COUNTED}\n" and done.stderr == ""


@pytest.mark.parametrize("command", ["graph", "config schema", "config", "doctor", "doctor --json", "ask"])
def test_a_reader_that_is_gone_gets_no_complaint(project: Path, command: str) -> None:
    if command == "ask":
        command = f"ask --quiet '{QUESTION}' --model {script(project)}"
    done = shell(project, f"$REFLECT {command} | true")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("command", ["graph", "config", "doctor --json", "ask"])
def test_a_full_disk_below_standard_output_is_told(project: Path, command: str) -> None:
    if command == "ask":
        command = f"ask --quiet '{QUESTION}' --model {script(project)}"
    done = shell(project, f"$REFLECT {command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "reflect: [Errno 28] No space left on device\n")


def test_a_goal_comes_from_a_pipe(project: Path) -> None:
    done = shell(project, f"echo '{QUESTION}' | $REFLECT ask - --quiet --model {script(project)}")
    assert done.returncode == 0 and done.stdout.startswith(COUNTED)


def test_closed_standard_streams_are_no_crash(project: Path) -> None:
    done = shell(project, f"$REFLECT ask - --model {script(project)} <&-")
    assert done.returncode == 2 and "The goal is empty." in done.stderr and "Traceback" not in done.stderr
    done = shell(project, f"$REFLECT ask '{QUESTION}' --model {script(project)} >&-")
    assert done.returncode == 0 and "answered (success)" in done.stderr and "Traceback" not in done.stderr


# Terminals and encodings


def in_terminal(project: Path, columns: int, *arguments: str, **variables: str) -> tuple[int, str]:
    """Exit code and screen of a command in a terminal of a width, with line ends as written."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    unset = {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}
    variables = {"TERM": "xterm-256color", **variables}
    with subprocess.Popen(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=project,
        env={
            name: value
            for name, value in environment(project.parent, **variables).items()
            if name not in unset or name in variables
        },
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        screen = b""
        # A terminal nobody holds open any more cannot be read.
        with contextlib.suppress(OSError):
            while read := os.read(ours, 65_536):
                screen += read
    os.close(ours)
    return process.returncode, screen.decode().replace("\r\n", "\n")


def plain(screen: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", screen)


def test_a_terminal_of_40_columns_breaks_no_command_and_no_path(project: Path) -> None:
    code, screen = in_terminal(project, 40, "ask", QUESTION, "--model", script(project))
    lines = plain(screen).splitlines()
    assert code == 0 and COUNTED in lines
    assert any(line.startswith("  $ find . ") and line.endswith("-print0  (exit 0)") for line in lines)
    assert lines[-1].startswith("answered (success), confidence") and "thread ask-" in lines[-1]


def test_a_table_fits_a_terminal_of_40_columns(project: Path) -> None:
    code, screen = in_terminal(project, 40, "config")
    assert code == 0 and max(map(len, plain(screen).splitlines())) <= 40


COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7]|38;)")


def test_a_terminal_shows_colour_unless_no_color_is_set(project: Path) -> None:
    arguments = ["ask", QUESTION, "--model", script(project)]
    assert COLOUR.search(in_terminal(project, 80, *arguments)[1])
    code, screen = in_terminal(project, 80, *arguments, NO_COLOR="1")
    assert code == 0 and COUNTED in plain(screen) and COLOUR.search(screen) is None


POOR = [
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
]


@pytest.mark.parametrize("variables", POOR, ids=lambda variables: ",".join(variables.values()))
def test_a_poor_locale_loses_no_answer(project: Path, variables: dict[str, str]) -> None:
    (project / "docs" / "naïve-✓.md").write_text("needle\n", "utf-8")
    goal = 'Which files contain "needle"?'
    done = ask(project, goal, **variables)
    assert done.returncode == 0 and "One of the files contains" in done.stdout, done.stdout + done.stderr
    assert "docs/na" in done.stdout and "Traceback" not in done.stderr
    done = ask(project, goal, "--json", "--quiet", **variables)
    assert "docs/na" in json.loads(done.stdout)["evidence"][0]["text"]


# A server that answers


def test_the_doctor_lists_what_an_ollama_has(project: Path, ollama: str) -> None:
    done = reflect("doctor", "--root", str(project), "--json", home=project.parent, OLLAMA_HOST=ollama)
    found = {check["name"]: check for check in json.loads(done.stdout)}
    assert done.returncode == 0
    assert found["ollama"]["verdict"] == "ok" and "smollm2:135m" in found["ollama"]["found"]
    assert found["model in use"]["found"] == f"ollama:smollm2:135m (Ollama answers at {ollama})"


def test_the_doctor_says_that_a_model_is_not_there(project: Path, ollama: str) -> None:
    done = reflect("doctor", home=project.parent, OLLAMA_HOST=ollama, REFLECT_MODEL="ollama:nothing:7b")
    assert done.returncode == 2 and "ollama pull nothing:7b" in done.stdout


def test_ctrl_c_at_an_approval_ends_the_run_at_once(project: Path) -> None:
    write = {"description": "write", "tool": "write_file", "args": {"path": "new.txt", "content": "x"}}
    model = script(project, planner={"objective": "x", "steps": [write]})
    ours, theirs = pty.openpty()
    words = ("ask", "create the file new.txt", "--root", str(project), "--model", model)
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", *words],
        cwd=ROOT,
        env={**os.environ, "HOME": str(project.parent)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    try:
        while b"this run? " not in shown:
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    finally:
        process.kill()
        os.close(ours)
    assert not (project / "new.txt").exists()
