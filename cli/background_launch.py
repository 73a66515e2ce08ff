"""`--background`: a command in a process of its own, which outlives the terminal it was begun at."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import cli
from cli.ask_command import print_json
from cli.live import printable
from memory.background import ERRORS, OUTPUT, begin
from memory.errors import ProjectDirectoryUnwritable, reason_and_remedy

PROCESS = "cli.background_process"


def launch(root: Path, thread: str, goal: str, argv: list[str], *, as_json: bool) -> int:
    """Begin a run in the background and say how to look at it; returns 0.

    Args:
        root: the project, resolved.
        thread: name of the run.
        goal: what is asked.
        argv: words of the command, without `reflect`.
        as_json: print one JSON object.

    Raises:
        BackgroundRunUnusable: one is at work on the thread already.
        ProjectDirectoryUnwritable: its files cannot be made.
    """
    directory, lock = begin(root, thread, goal, argv)
    try:
        pid = _begun(directory, lock)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ProjectDirectoryUnwritable(f"The background run cannot begin in {what}.", remedy) from error
    finally:
        # The process has it now, and nobody else.
        os.close(lock)
    _tell(root, thread, directory, pid, as_json=as_json)
    return 0


def _begun(directory: Path, lock: int) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    output, errors = (os.open(directory / name, flags, 0o600) for name in (OUTPUT, ERRORS))
    try:
        # -P and the path: the directory one stands in may have a package of the same name.
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", PROCESS, str(directory), str(lock)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            pass_fds=(lock,),
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": python_path()},
        )
    finally:
        os.close(output)
        os.close(errors)
    # It is not waited for: that is the point.
    process.returncode = 0
    return process.pid


def package_directory() -> Path:
    """Where our packages lie."""
    return Path(str(cli.__file__)).parent.parent


def python_path() -> str:
    """The PYTHONPATH of a process that finds our packages before all others."""
    package, before = str(package_directory()), os.environ.get("PYTHONPATH")
    return os.pathsep.join([package, before] if before else [package])


def _tell(root: Path, thread: str, directory: Path, pid: int, *, as_json: bool) -> None:
    look = status_line(root, thread)
    if as_json:
        told: dict[str, Any] = {
            "thread_id": thread,
            "pid": pid,
            "status": "running",
            "look": look,
            "output": str(directory / OUTPUT),
            "errors": str(directory / ERRORS),
        }
        print_json(told)
        return
    sys.stdout.write(f"Runs in the background as thread {printable(thread)}, process {pid}.\nLook: {look}\n")
    sys.stdout.flush()


def status_line(root: Path, thread: str) -> str:
    """The command that shows where a thread stands."""
    words = ["reflect", "status", thread]
    return shlex.join(words if root == Path.cwd() else [*words, "--root", str(root)])
