"""How far a host got with sharing a corpus: a file beside it, changed by one of its processes at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory.errors import CorpusUnwritable, RecordsUnshared, reason_and_remedy
from memory.project_directory import make_parent

STATE = "shared.json"
_POLL_SECONDS = 0.01
LOCK_SECONDS = 5.0
"""How long a process waits for its turn."""


class MirrorBusy(RecordsUnshared):
    """Another process of this host exchanges records of the corpus."""


class MirrorState(BaseModel):
    """How far this host got.

    Attributes:
        scope: of the table it speaks of: what was sent under another name is not known under this one.
        epoch: of the table it speaks of.
        seq: the last place of the table's order that was taken in.
        offset: bytes of the file whose lines were sent.
        mark: digest of the bytes before the offset; another one means the file was replaced.
    """

    model_config = ConfigDict(frozen=True)

    scope: str = ""
    epoch: str = ""
    seq: int = Field(0, ge=0)
    offset: int = Field(0, ge=0)
    mark: str = ""


class MirrorPlace:
    """The file, and the lock beside it.

    Args:
        path: the file; made by the first writing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(f"{path}.lock", mode=0o600)

    def read(self) -> MirrorState:
        """How far this host got; nowhere when the file is missing, or cannot be read."""
        try:
            return MirrorState.model_validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return MirrorState()

    def write(self, state: MirrorState) -> MirrorState:
        """Replace the file, so that nobody reads half of it.

        Raises:
            CorpusUnwritable: it cannot be written.
        """
        new = self._path.with_name(f"{self._path.name}.{uuid4().hex[:8]}")
        try:
            try:
                with new.open("x", encoding="utf-8") as stream:
                    stream.write(state.model_dump_json())
                new.replace(self._path)
            finally:
                new.unlink(missing_ok=True)
        except OSError as error:
            what, remedy = reason_and_remedy(self._path, error)
            raise CorpusUnwritable(
                f"How far records were shared cannot be kept in {what}.", remedy
            ) from error
        return state

    def begun(self) -> bool:
        """Whether a process of this host ever shared the corpus; one may be at it now."""
        return self._path.exists() or Path(self._lock.lock_file).exists()

    @contextlib.contextmanager
    def alone(self, seconds: float) -> Iterator[None]:
        """Keep other processes of this host from exchanging records of the corpus.

        Raises:
            MirrorBusy: another process does, for longer than the seconds.
            CorpusUnwritable: the lock cannot be made.
            ProjectDirectoryUnwritable: the project's directory cannot be used.
        """
        try:
            make_parent(self._path)
            self._lock.acquire(timeout=seconds, poll_interval=_POLL_SECONDS)
        except Timeout as error:
            raise MirrorBusy(
                f"Another process of this host exchanged records for {seconds:g} s.",
                "Try again when it has finished.",
            ) from error
        except OSError as error:
            what, remedy = reason_and_remedy(self._path, error)
            raise CorpusUnwritable(f"Records cannot be shared from {what}.", remedy) from error
        try:
            yield
        finally:
            self._lock.release()
