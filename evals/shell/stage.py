"""Where one task is played: a directory that holds a fresh copy of its file system, one task at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from configs.errors import UsageError
from evals.shell.places import rooted, tops_named
from evals.shell.tasks import Task, set_up_script
from evals.shell.trees import build, copy, remove, required_sandbox, snapshot
from tools.sandbox.confinement import Sandbox

# How old a built file system may be; see `trees.AGED_SECONDS` for what its age may change.
FRESH_SECONDS = 8 * 3600
BUILT = "built"


@dataclass(frozen=True)
class Stage:
    """The directory tasks are played in, with the benchmark's files beside it.

    Attributes:
        place: holds everything; nothing else is kept there.
        assets: of the benchmark's package.
        sandbox: bubblewrap.
    """

    place: Path
    assets: Path
    sandbox: Sandbox

    @property
    def root(self) -> Path:
        """Stands for the root of the benchmark's container."""
        return self.place / "fs"

    def template(self, file_system: int) -> Path:
        """A file system as its script built it; built anew when it is too old."""
        template = self.place / f"template-{file_system}"
        mark = self.place / f"template-{file_system}.{BUILT}"
        age = time.time() - mark.stat().st_mtime if mark.exists() else FRESH_SECONDS
        if not 0 <= age < FRESH_SECONDS or not template.is_dir():
            mark.unlink(missing_ok=True)
            build(set_up_script(self.assets, file_system), template, self.sandbox)
            mark.touch()
        return template

    def tops(self, task: Task) -> frozenset[str]:
        """Names at the root of the container that a task's paths may begin with."""
        made = os.listdir(self.template(task.file_system))
        return frozenset(made) | tops_named(task.query, task.gold)

    def here(self, text: str, task: Task) -> str:
        """A goal or gold command whose paths lead to the copy."""
        return rooted(text, self.root, self.tops(task))

    def fresh(self, task: Task) -> dict[str, str]:
        """Put a fresh copy in place; returns what it holds."""
        copy(self.template(task.file_system), self.root)
        return snapshot(self.root)

    def clear(self) -> None:
        """Leave nothing of a run in place."""
        remove(self.root)


@contextmanager
def open_stage(place: Path, assets: Path) -> Iterator[Stage]:
    """A stage for this process alone.

    Raises:
        UsageError: the place belongs to somebody else, is in use, or cannot be written.
        SandboxUnavailable: there is no bubblewrap.
    """
    sandbox = required_sandbox()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{place} cannot be made: {error.strerror}.", "Name another with --place."
        ) from error
    if place.is_symlink() or place.stat().st_uid != os.getuid():
        raise UsageError(f"{place} is a link or belongs to somebody else.", "Name another with --place.")
    lock = FileLock(place / "lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise UsageError(
            f"Another process plays its tasks in {place}.", "Wait for it, or name another with --place."
        ) from error
    stage = Stage(place.resolve(), assets, sandbox)
    try:
        yield stage
    finally:
        stage.clear()
        lock.release()
