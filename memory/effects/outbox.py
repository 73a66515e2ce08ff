"""Ends of effects that could not be written to the server: kept beside the project until they are.

An effect that was made while the server went away is on this host's disk, and so is what came of it. Each end
is a file of its own, whole or not there, and goes once the server has it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ValidationError

from configs.redaction import path_text
from memory.effects.entries import EffectState, Slot
from memory.errors import JournalUnusable, reason_and_remedy
from memory.project_directory import linked_parent, make_parent

DIRECTORY = "unsent"
_SUFFIX = ".json"


class End(BaseModel):
    """What came of an effect.

    Attributes:
        task: as in `Slot`; so are `step` and `call_hash`.
        owner: who made the effect, as its entry names it.
        state: done or uncertain.
        result: as it is written to the entry; None without one.
        finished: UTC, ISO.
    """

    task: str
    step: int
    call_hash: str
    owner: str
    state: EffectState
    result: str | None
    finished: str


class Outbox:
    """The ends that one project owes one database.

    Args:
        project: the project's `.reflect`.
        database: tells it from others.
    """

    def __init__(self, project: Path, database: str) -> None:
        name = hashlib.sha256(database.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._directory = project / DIRECTORY / name

    @property
    def shown(self) -> str:
        """Where the ends are, for people."""
        return path_text(self._directory)

    def put(self, slot: Slot, end: End) -> None:
        """Keep an end, durably.

        Raises:
            JournalUnusable: it cannot be kept.
        """
        path = self._directory / f"{hashlib.sha256(repr(slot.key).encode()).hexdigest()}{_SUFFIX}"
        with self._named():
            make_parent(path)
            with tempfile.NamedTemporaryFile(
                "w", dir=self._directory, delete=False, encoding="utf-8"
            ) as file:
                file.write(end.model_dump_json())
                file.flush()
                os.fsync(file.fileno())
            os.replace(file.name, path)
            _sync(self._directory)

    def waiting(self) -> list[tuple[Path, End]]:
        """The ends that are kept, with their files.

        Raises:
            JournalUnusable: one cannot be read.
        """
        with self._named():
            if not self._directory.is_dir() or linked_parent(self._directory / DIRECTORY) is not None:
                return []
            paths = sorted(path for path in self._directory.iterdir() if path.suffix == _SUFFIX)
            found = [(path, _read(path)) for path in paths if not path.is_symlink()]
            return [(path, end) for path, end in found if end is not None]

    def drop(self, path: Path) -> None:
        """Remove an end that the server has; another process may have been first.

        Raises:
            JournalUnusable: it cannot be removed.
        """
        with self._named():
            path.unlink(missing_ok=True)

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            what, remedy = reason_and_remedy(self._directory, error)
            raise JournalUnusable(f"Results of changes cannot be kept in {what}.", remedy) from error


def _read(path: Path) -> End | None:
    """The end a file holds; None if another process has sent and removed it meanwhile."""
    try:
        return End.model_validate_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (ValidationError, UnicodeDecodeError) as error:
        raise JournalUnusable(
            f"{path_text(path)} holds the result of a change, and cannot be read.",
            "Look at what the last run changed, then move the file away.",
        ) from error


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
