"""Whether workers and driver work on the same project: its directory, and the place its threads are kept in.

A goal whose worker died is gone on with by another one, which has to find its thread, and what it changed. A
SQLite file does that for all processes of one machine and for no others: beside the file SQLite shares memory
(its wal-index), so that two machines on one network file system would damage it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cli.batch.orders import Facts, place_hash, this_machine
from configs.errors import UsageError
from configs.settings import Settings
from memory.checkpoints import checkpoint_place
from memory.errors import ProjectDirectoryUnwritable, reason_and_remedy
from memory.project_directory import DIRECTORY, ensure_project_directory, make_parent

MARKS = "batch"


@dataclass(frozen=True)
class Meeting:
    """What a worker has to share with its driver.

    Attributes:
        root: the project.
        mark, word: a file in it, and what stands there.
        machine: the driver's.
        threads: a hash of the place threads are kept in.
        why_here: why it has to be on the driver's machine, and what to do; None where not.
    """

    root: Path
    mark: Path
    word: str
    machine: str
    threads: str
    why_here: tuple[str, str] | None

    def check(self, facts: Facts) -> None:
        """Refuse a worker that would not find the threads of others.

        Raises:
            UsageError: it is on another machine and has to be on this one, or keeps threads elsewhere.
        """
        if self.why_here is not None and (facts.machine != self.machine or not facts.sees):
            why, remedy = self.why_here
            raise UsageError(f"A worker is on {facts.host}, elsewhere than this command: {why}", remedy)
        if facts.threads != self.threads:
            raise UsageError(
                f"A worker on {facts.host} keeps threads elsewhere than this command: nobody could go on "
                "with its goals.",
                "Give every machine the same `checkpoints`, in its settings file or its variables.",
            )


@contextmanager
def met(root: Path, settings: Settings, batch: str) -> Iterator[Meeting]:
    """Put the mark into the project, and take it away in the end.

    Raises:
        ProjectDirectoryUnwritable: it cannot be put there.
        CheckpointPlaceInvalid: the settings name no place for threads.
    """
    place = checkpoint_place(root, settings.checkpoints)
    why_here = _why_here(place, settings)
    ensure_project_directory(root)
    mark, word = root / DIRECTORY / MARKS / f"{batch}.mark", secrets.token_hex(16)
    try:
        make_parent(mark)
        mark.unlink(missing_ok=True)
        with mark.open("x", encoding="ascii") as file:
            file.write(word)
    except OSError as error:
        what, remedy = reason_and_remedy(mark, error)
        raise ProjectDirectoryUnwritable(f"A batch cannot be marked in {what}.", remedy) from error
    try:
        yield Meeting(root, mark, word, this_machine(), place_hash(place, word), why_here)
    finally:
        mark.unlink(missing_ok=True)


def _why_here(place: Path | str, settings: Settings) -> tuple[str, str] | None:
    """Why all workers have to be on one machine; None if they need not."""
    if getattr(settings.profiles, settings.profile).models == "local":
        return (
            f"the profile {settings.profile!r} keeps all on one machine.",
            "Work on one machine, or choose another profile.",
        )
    if isinstance(place, Path):
        return (
            "it does not share the SQLite file threads are kept in, so nobody could go on with its goals.",
            "Keep threads in Postgres (`checkpoints.url_env`), or work on one machine.",
        )
    return None
