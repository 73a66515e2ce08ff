"""Runs in processes of their own: what was started, whether it still goes on, and what it wrote.

Each has a directory `.reflect/background/<thread>/` with its record, its output, its errors and a lock. The
process that runs holds the lock from before its first instruction to its last, so that nobody has to guess
from a process id, which another process may have by now. The kernel lets go of it however the process ends.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from memory.errors import BackgroundRunUnusable, ProjectDirectoryUnwritable, reason_and_remedy
from memory.project_directory import DIRECTORY, ensure_project_directory, linked_parent, make_parent
from memory.trace.session_trace import file_name_of

BACKGROUND = "background"
RECORD, LOCK, OUTPUT, ERRORS = "run.json", "lock", "output.txt", "errors.txt"
_PRIVATE_FILE = 0o600


class BackgroundRun(BaseModel):
    """One run.

    Attributes:
        thread: its name.
        goal: what was asked.
        argv: words of the command, without `reflect`.
        started: when, UTC, ISO 8601.
        pid: of its process; None before it began.
        ended: when it ended in order; None while it goes on, and for one that was killed.
        code: its exit code; None as for `ended`.
    """

    thread: str
    goal: str
    argv: list[str]
    started: str
    pid: int | None = None
    ended: str | None = None
    code: int | None = None


def directory_of(root: Path, thread: str) -> Path:
    """Where a thread's background run keeps its files; it need not exist."""
    return root / DIRECTORY / BACKGROUND / file_name_of(thread)


def begin(root: Path, thread: str, goal: str, argv: list[str]) -> tuple[Path, int]:
    """Take a thread for a background run, and write its record.

    Args:
        root: the project.
        thread: its name.
        goal: what is asked.
        argv: words of the command, without `reflect`.

    Returns:
        The run's directory, and the descriptor of its lock, to be handed to the process.

    Raises:
        BackgroundRunUnusable: one is at work on the thread already.
        ProjectDirectoryUnwritable: the directory cannot be made or written.
    """
    ensure_project_directory(root)
    directory = directory_of(root, thread)
    try:
        make_parent(directory / RECORD)
        descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, _PRIVATE_FILE)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ProjectDirectoryUnwritable(f"A background run cannot be kept in {what}.", remedy) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        raise BackgroundRunUnusable(
            f"A background run is at work on thread {thread!r}.", "Wait for it, or choose another thread."
        ) from error
    now = datetime.now(UTC).isoformat()
    write(directory, BackgroundRun(thread=thread, goal=goal, argv=argv, started=now))
    return directory, descriptor


def write(directory: Path, run: BackgroundRun) -> None:
    """Write a record beside and rename, so that nobody reads half of it.

    Raises:
        OSError: it cannot be written.
    """
    with tempfile.NamedTemporaryFile("w", dir=directory, delete=False, encoding="utf-8") as file:
        try:
            file.write(run.model_dump_json(indent=2) + "\n")
            file.flush()
            os.replace(file.name, directory / RECORD)
        except OSError:
            os.unlink(file.name)
            raise


def read(directory: Path) -> BackgroundRun | None:
    """The record in a directory; None if there is none.

    Raises:
        BackgroundRunUnusable: it is damaged.
    """
    path = directory / RECORD
    try:
        return BackgroundRun.model_validate(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, ValidationError) as error:
        raise BackgroundRunUnusable(
            f"The record {RECORD} of a background run in {directory.name} cannot be read: {error}.",
            f"Remove {BACKGROUND}/{directory.name} below {DIRECTORY}.",
        ) from error


def runs_of(root: Path) -> list[BackgroundRun]:
    """The background runs of a project, the one started last first.

    Raises:
        BackgroundRunUnusable: a record is damaged.
    """
    below = root / DIRECTORY / BACKGROUND
    found = [read(path) for path in sorted(below.iterdir())] if below.is_dir() else []
    return sorted((one for one in found if one is not None), key=lambda one: one.started, reverse=True)


def is_held(path: Path) -> bool:
    """True if a process holds a lock file, by `flock`, as `filelock` does."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        # Shared, so that two who look do not take one another for the process.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def forget_run(root: Path, thread: str) -> bool:
    """Remove what a thread's background run left, unless it still goes on; True if something was there."""
    directory = directory_of(root, thread)
    linked = directory.is_symlink() or linked_parent(directory) is not None
    if linked or not directory.is_dir() or is_held(directory / LOCK):
        return False
    shutil.rmtree(directory)
    return True
