from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Protocol, TextIO

import pytest

from cli import graph_command
from cli.main import COLLECT_AFTER, main, parser, quiet_environment
from configs.errors import SettingsError, UsageError
from tests.cli.conftest import Reflect
from tests.support.processes import ROOT


class Command(Protocol):
    """Runs a body in the place of `reflect graph`; gives the exit code."""

    def __call__(self, body: Callable[[], int], stdout: TextIO | None = None) -> int: ...


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    def run(body: Callable[[], int], stdout: TextIO | None = None) -> int:
        monkeypatch.setattr(graph_command, "run", lambda _: body())
        if stdout is not None:
            monkeypatch.setattr(sys, "stdout", stdout)
        return main(["graph"])

    return run


@pytest.fixture
def stdout(tmp_path: Path) -> Iterator[TextIO]:
    """A standard output with a descriptor of its own, which may be redirected for good."""
    with (tmp_path / "stdout").open("w", encoding="ascii") as stream:
        yield stream


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_exit_code_is_the_commands_own(command: Command, code: int) -> None:
    assert command(lambda: code) == code


@pytest.mark.parametrize("kind", [UsageError, SettingsError])
def test_an_expected_error_is_one_message_with_its_remedy(
    command: Command,
    capsys: pytest.CaptureFixture[str],
    kind: type[UsageError],
) -> None:
    def fail() -> int:
        raise kind("The door is shut.", "Open it.")

    assert command(fail) == 2
    assert tuple(capsys.readouterr()) == ("", "reflect: The door is shut.\nOpen it.\n")


def test_an_error_without_a_remedy_leaves_no_empty_line(
    command: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> int:
        raise UsageError("The door is shut.")

    command(fail)
    assert capsys.readouterr().err == "reflect: The door is shut.\n"


def test_an_unexpected_error_is_not_hidden(command: Command) -> None:
    def fail() -> int:
        raise ZeroDivisionError("a mistake of ours")

    with pytest.raises(ZeroDivisionError):
        command(fail)


def test_an_interruption_says_so_and_gives_130(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    assert command(interrupt) == 130
    assert capsys.readouterr().err == "reflect: interrupted\n"


@pytest.mark.parametrize("error", [BrokenPipeError(), SystemExit(1)])
def test_a_reader_that_went_away_is_no_answer_that_failed(
    command: Command,
    capsys: pytest.CaptureFixture[str],
    stdout: TextIO,
    error: BaseException,
) -> None:
    def write() -> int:
        raise error

    assert command(write, stdout) == 2
    assert capsys.readouterr().err == ""
    os.write(stdout.fileno(), b"late")
    assert Path(stdout.name).read_bytes() == b"", "standard output still leads to the reader"


def test_output_that_cannot_be_written_is_told(
    command: Command, capsys: pytest.CaptureFixture[str], stdout: TextIO
) -> None:
    def write() -> int:
        raise OSError(28, "No space left on device")

    assert command(write, stdout) == 2
    assert capsys.readouterr().err == "reflect: [Errno 28] No space left on device\n"


def test_a_character_the_terminal_cannot_show_is_escaped(command: Command, stdout: TextIO) -> None:
    assert command(lambda: min(0, sys.stdout.write("naïve ✓ \udce9")), stdout) == 0
    assert Path(stdout.name).read_text("ascii") == "na\\xefve \\u2713 \\udce9"


def test_a_closed_standard_output_stops_nothing(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def write() -> int:
        return int(sys.stdout.write("said to nobody") == 0)

    monkeypatch.setattr(sys, "stdout", None)
    code = command(write)
    sys.stdout.close()
    assert code == 0


@pytest.mark.parametrize(
    "argv", [[], ["nonsense"], ["ask"], ["ask", "--nonsense", "x"], ["config", "nonsense"]]
)
def test_a_wrong_command_line_is_a_usage_error(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    printed = capsys.readouterr()
    assert stopped.value.code == 2
    assert printed.out == "" and printed.err.startswith("usage: reflect")


def test_help_names_every_command_and_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    shown = capsys.readouterr().out
    assert stopped.value.code == 0
    assert [word for word in ("ask", "doctor", "graph", "config") if f"\n    {word}" not in shown] == []
    assert [code for code in ("0 answered", "1 could not", "2 environment", "130") if code not in shown] == []


@pytest.mark.parametrize("name", ["ask", "doctor", "graph", "config"])
def test_every_command_says_what_each_of_its_options_does(name: str) -> None:
    choices = next(
        action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    options = choices[name]._actions
    assert [option.dest for option in options if not option.help] == []


def test_the_script_that_is_installed_runs_a_command(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    script = EntryPoint("reflect", scripts["reflect"], "console_scripts").load()
    monkeypatch.setattr(sys, "argv", ["reflect", "graph"])
    thresholds = gc.get_threshold()
    try:
        assert script() == 0 and gc.get_threshold()[0] == COLLECT_AFTER
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
    assert capsys.readouterr().out.startswith("start --> classify\n")


def test_tracing_and_telemetry_are_off_unless_someone_asks_for_them(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    quiet_environment()
    assert os.environ["LANGSMITH_TRACING"] == "true"
    assert os.environ["ANONYMIZED_TELEMETRY"] == "false"
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    assert os.environ["LANGGRAPH_NO_VERSION_CHECK"] == "1"


def test_a_command_quiets_the_environment_before_it_runs(command: Command) -> None:
    assert command(lambda: int(os.environ["ANONYMIZED_TELEMETRY"] == "false")) == 1


def test_help_imports_nothing_heavy() -> None:
    check = (
        "import sys, cli.main; cli.main.parser().format_help(); "
        "print(sorted({'pydantic', 'langgraph', 'rich', 'yaml', 'aiosqlite', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_command_is_found_by_its_name(reflect: Reflect) -> None:
    ran = reflect("graph")
    assert (ran.code, ran.err) == (0, "") and "classify" in ran.out


def test_a_process_that_inherits_an_ignored_sigchld_learns_how_programs_end() -> None:
    program = """
import signal, subprocess, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
import cli.main
cli.main.main = lambda: subprocess.run([sys.executable, "-c", "raise SystemExit(7)"]).returncode
sys.exit(cli.main.command())
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, timeout=60, check=False).returncode == 7
