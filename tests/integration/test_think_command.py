"""`reflect think` as a process: kills, signals, pipes, chats, bad input, disks that are full."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from nodes.contractive.events import ResultLine, read_lines
from nodes.contractive.trace_export import read_trace
from tests.cli.thinking import BANK, READINGS, SCRIPTS, SUM, TOWERS, plain_project, script
from tests.support.processes import ROOT, wait_until
from tests.support.terminal import CTRL_C, CTRL_D, terminal

pytestmark = pytest.mark.integration


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "OLLAMA_"))}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return kept | {"HOME": str(home), "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache, "TERM": "xterm"}


def command(root: Path, model: str, *words: str) -> list[str]:
    choices = ["--root", str(root), "--model", model]
    return [sys.executable, "-m", "cli.main", "think", *words, *choices]


def ran(
    root: Path, model: str, *words: str, given: str | bytes = b"", prefix: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    data = given.encode() if isinstance(given, str) else given
    return subprocess.run(
        [*prefix, *command(root, model, *words)],
        cwd=root,
        env=environment(root),
        input=data,
        capture_output=True,
        timeout=120,
        check=False,
    )


@contextmanager
def running(root: Path, model: str, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command(root, model, *words),
        cwd=root,
        env=environment(root),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=10)


def journal(root: Path) -> list[dict[str, Any]]:
    """Records of the only journal; none before it is there."""
    found = list((root / ".reflect" / "contractive").glob("*.jsonl"))
    return [json.loads(line) for path in found for line in path.read_text("utf-8").splitlines()]


def ends(root: Path) -> list[str]:
    return [record["key"] for record in journal(root) if "tokens" in record]


def begun_to_wait(root: Path) -> bool:
    """True when the root's four samples and the first part's are in, and the second part's calls hang."""
    begun = [record for record in journal(root) if "most" in record]
    return len(ends(root)) >= 9 and len(begun) > len(ends(root))


def hanging(folder: Path, seconds: float = 60) -> str:
    """The towers, the second of which takes long to measure."""
    worker = [
        {**one, "reply": {"delay": seconds, "reply": one["reply"]}}
        if isinstance(one, dict) and "Lindow" in one["when"]
        else one
        for one in SCRIPTS["towers"]["worker"]
    ]
    return script(folder, "towers", worker=worker)


def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    root = plain_project(tmp_path)
    with running(root, hanging(tmp_path), TOWERS, "--thread", "t") as process:
        assert wait_until(60, lambda: begun_to_wait(root))
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    before = ends(root)
    trace = root / "t.json"
    done = ran(root, script(tmp_path, "towers"), "--resume", "t", "--json", "--export-trace", str(trace))
    result = json.loads(done.stdout)
    assert done.returncode == 0 and result["answer"] == "12.5 m", done.stderr
    after = ends(root)
    assert after[: len(before)] == before and len(set(after)) == len(after)
    assert result["metrics"]["tokens"] >= 1 and read_trace(trace).short_answer == "12.5 m"
    again = ran(root, "scripted:/gone", "--resume", "t", "--json", "--quiet")
    assert json.loads(again.stdout) == result and again.stderr == b"" and ends(root) == after


@pytest.mark.parametrize(
    ("sent", "code", "told"),
    [(signal.SIGTERM, 143, "was ended by SIGTERM"), (signal.SIGINT, 130, "interrupted")],
)
def test_a_run_that_is_asked_to_end_ends_soon_and_says_how_to_go_on(
    tmp_path: Path, sent: signal.Signals, code: int, told: str
) -> None:
    root = plain_project(tmp_path)
    with running(root, hanging(tmp_path), TOWERS, "--thread", "t", "--max-depth", "3") as process:
        assert wait_until(60, lambda: begun_to_wait(root))
        process.send_signal(sent)
        _, said = process.communicate(timeout=20)
    text = said.decode()
    assert process.returncode == code and told in text and "Traceback" not in text
    assert "go on with: reflect think --resume=t" in text.lower() and "--max-depth=3" in text
    done = ran(root, script(tmp_path, "towers"), "--resume", "t", "--quiet")
    assert done.returncode == 0 and done.stdout.startswith(b"12.5 m\n"), done.stderr


def test_events_are_lines_of_json_and_the_last_is_the_result(tmp_path: Path) -> None:
    root = plain_project(tmp_path)
    done = ran(root, script(tmp_path, "towers"), TOWERS, "--print-events", "--thread", "t")
    *events, result = read_lines(done.stdout.decode())
    assert isinstance(result, ResultLine) and (result.answer, result.thread_id) == ("12.5 m", "t")
    kinds = [one.type for one in events]
    assert kinds[-1] == "finished" and {"started", "decomposed", "sampled", "reviewed", "merged"} <= set(
        kinds
    )
    assert b"split into 2 parts" in done.stderr
    latin = subprocess.run(
        [*command(root, script(tmp_path, "towers"), "塔 é?"), "--print-events", "--quiet"],
        env=environment(root) | {"PYTHONIOENCODING": "latin-1"}, capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert latin.stdout.isascii() and read_lines(latin.stdout.decode())[-1].question == "塔 é?"  # type: ignore[union-attr]


@pytest.mark.parametrize("words", ["--print-events", "--json", "--quiet"])
def test_a_reader_that_goes_away_is_no_failure_of_ours(tmp_path: Path, words: str) -> None:
    root = plain_project(tmp_path)
    line = " ".join(f"'{word}'" for word in command(root, script(tmp_path, "towers"), TOWERS, words))
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line} | head -c 5"], env=environment(root), capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert len(done.stdout) == 5 and b"Traceback" not in done.stderr and done.returncode in (0, 2)


def test_a_full_standard_output_is_told_and_costs_no_file(tmp_path: Path) -> None:
    root = plain_project(tmp_path)
    trace = root / "t.json"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(root, script(tmp_path, "towers"), TOWERS, "--quiet", "--export-trace", str(trace)),
            env=environment(root), stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2 and b"No space left" in done.stderr and b"Traceback" not in done.stderr
    assert read_trace(trace).short_answer == "12.5 m"


def test_an_export_the_disk_has_no_room_for_leaves_what_was_there(tmp_path: Path) -> None:
    root = plain_project(tmp_path)
    trace = root / "t.json"
    first = ran(root, script(tmp_path, "sure"), SUM, "--quiet", "--export-trace", str(trace), "--thread", "a")
    assert first.returncode == 0, first.stderr
    before = trace.read_bytes()
    # Blocks of 1024 bytes: room for neither the second trace nor a growing database.
    finished = ran(root, script(tmp_path, "towers"), TOWERS, "--thread", "b", "--quiet")
    assert finished.returncode == 0
    small = ("bash", "-c", 'ulimit -f 4; exec "$@"', "bash")
    done = ran(root, script(tmp_path, "towers"), "--resume", "b", "--export-trace", str(trace), prefix=small)
    assert done.returncode == 2 and b"Traceback" not in done.stderr, done.stderr
    assert trace.read_bytes() == before and not [
        one for one in root.iterdir() if one.name.startswith(".t.json")
    ]
    again = ran(root, script(tmp_path, "towers"), "--resume", "b", "--export-trace", str(trace), "--quiet")
    assert again.returncode == 0 and read_trace(trace).question == TOWERS


@pytest.mark.parametrize(
    ("words", "given", "told"),
    [
        ([""], b"", "is empty"),
        (["-"], b"", "is empty"),
        (["-"], b"x" * 1_000_000, "1000000 characters"),
        ([SUM, "--context", "none.txt"], b"", "cannot be read"),
        ([SUM, "--context", "-"], b"\x7fELF\0\0", "zero byte"),
        ([SUM, "--context", "."], b"", "cannot be read"),
        ([SUM, "--export-trace", "."], b"", "can be made"),
        ([SUM, "--export-mermaid", "mine.txt"], b"", "would be lost"),
        ([SUM, "--max-depth", "99"], b"", "max_depth"),
        ([SUM, "--preset", "nice"], b"", "preset"),
        ([SUM, "--max-tokens", "many"], b"", "invalid int"),
        (["--resume", "never"], b"", "There is no run"),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_begun(
    tmp_path: Path, words: list[str], given: bytes, told: str
) -> None:
    root = plain_project(tmp_path)
    (root / "mine.txt").write_text("mine")
    done = ran(root, script(tmp_path, "sure"), *words, given=given)
    text = done.stderr.decode()
    assert done.returncode == 2 and told in text and "Traceback" not in text and done.stdout == b"", text
    assert (root / "mine.txt").read_text() == "mine" and not journal(root)


@pytest.mark.parametrize(("name", "code"), [("refusing", 1), ("broken", 2)])
def test_no_answer_is_none(tmp_path: Path, name: str, code: int) -> None:
    root = plain_project(tmp_path)
    done = ran(root, script(tmp_path, name), SUM, "--json", "--quiet")
    result = json.loads(done.stdout)
    assert done.returncode == code and result["answer"] == "" and result["confidence"] == 0
    assert bool(result["failure"]) == (code == 2)


def test_threads_of_other_commands_are_left_alone(tmp_path: Path) -> None:
    root, model = plain_project(tmp_path), script(tmp_path, "sure")
    assert ran(root, model, SUM, "--thread", "t", "--quiet").returncode == 0
    for words in (["ask", "how many files?"], ["research", "q"], ["fork", "t", "--at", "1"]):
        thread = [] if words[0] == "fork" else ["--thread", "t"]
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *words, *thread, "--root", str(root), "--model", model],
            cwd=root, env=environment(root), capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 2 and b"think" in done.stderr, done.stderr


def test_a_run_that_waits_is_answered_from_a_pipe(tmp_path: Path) -> None:
    root, model = plain_project(tmp_path, normalize="model"), script(tmp_path, "ambiguous")
    first = ran(root, model, BANK, "--ask", "--thread", "t")
    assert first.returncode == 3 and first.stdout == b"" and b"--reading=NUMBER" in first.stderr
    assert all(reading.encode() in first.stderr for reading in READINGS)
    listed = subprocess.run(
        [sys.executable, "-m", "cli.main", "threads", "list", "--root", str(root)],
        env=environment(root), cwd=root, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "waiting for an answer" in listed.stdout
    waiting = json.loads(ran(root, model, "--resume", "t", "--json").stdout)
    assert waiting["status"] == "running" and waiting["waiting_for"][0]["readings"][:2] == READINGS
    done = ran(root, model, "--resume", "t", "--reading", "2", "--quiet")
    assert done.returncode == 0 and done.stdout.startswith(b"2 km\n")
    late = ran(root, model, "--resume", "t", "--reading", "1")
    assert late.returncode == 2 and b"waits for no reading" in late.stderr


def test_a_chat_from_a_pipe_answers_a_line_at_a_time_and_remembers(tmp_path: Path) -> None:
    root = plain_project(tmp_path)
    model = script(
        tmp_path, "sure", worker=[{"when": r"two plus two\?\s+Answer: ", "reply": "Answer: 8"}, "Answer: 4"]
    )
    lines = f"{SUM}\n/tree\n/mermaid\nand twice that?\n"
    done = ran(root, model, "--chat", "--thread", "c", "--quiet", given=lines)
    text = done.stdout.decode()
    assert done.returncode == 0 and text.startswith("4\n") and "8\n\nentropy" in text, done.stderr
    assert f"0 {SUM}\n  = 4 [" in text and "flowchart TD" in text
    later = ran(root, model, "--chat", "--thread", "c", "--json", "--quiet", given="and?\n/asked\n")
    (line,) = read_lines(later.stdout.decode())
    assert isinstance(line, ResultLine) and line.short_answer == "8"
    asked = later.stderr.decode()
    assert f"{SUM} -> 4" in asked and "and twice that? -> 8" in asked
    # The worst of several counts; what comes after it is asked all the same.
    worst = ran(root, model, "--chat", "--thread", "c", "--quiet", given=f"/nope\n{'x' * 9000}\n{SUM}\n")
    assert worst.returncode == 2 and b"8\n\nentropy" in worst.stdout and b"/nope" in worst.stderr


def test_a_chat_at_a_terminal_asks_what_is_meant(tmp_path: Path) -> None:
    root, model = plain_project(tmp_path, normalize="model"), script(tmp_path, "ambiguous")
    words = command(root, model, "--chat", "--thread", "c", "--ask")
    with terminal(words, root, environment(root)) as screen:
        screen.wait_for("Ctrl-D ends")
        screen.line(BANK)
        screen.wait_for("more than one thing")
        screen.wait_for("[as asked]")
        screen.line("2")
        screen.wait_for("2 km")
        screen.wait_for("stopped: confident")
        screen.line("/tree")
        screen.wait_for("= 2 km [DONE")
        # What is typed before there is a prompt belongs to nobody.
        screen.wait_for("\n>")
        screen.type(CTRL_D)
        screen.wait_for("reflect think --chat --thread c")
        assert screen.ends() == 0


def test_ctrl_c_stops_a_question_of_a_chat_and_resume_goes_on(tmp_path: Path) -> None:
    root = plain_project(tmp_path)
    # A chat keeps its models, so what is slow before it is stopped is slow afterwards.
    words = command(root, hanging(tmp_path, 8), "--chat", "--thread", "c")
    with terminal(words, root, environment(root)) as screen:
        screen.wait_for("Ctrl-D ends")
        screen.line(TOWERS)
        assert wait_until(60, lambda: begun_to_wait(root))
        screen.type(CTRL_C)
        screen.wait_for("Stopped: By how many metres")
        screen.line("/resume")
        screen.wait_for("12.5 m")
        screen.wait_for("stopped: confident")
        screen.line("/quit")
        assert screen.ends() == 0
