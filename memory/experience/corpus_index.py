"""The vector index of a corpus: follows the record table's texts, rebuilt when it cannot be trusted.

A vector lies under the digest of its text. So a text has one however many events share it, and neither
pruning nor a table that is built anew makes anybody embed again what has a vector.

On disk, `<directory>/<collection>/state.json` names the Chroma directory in use and how far it got; every
rebuild uses a new directory, so that no process goes on with one that was replaced. A collection is named
after embedder and dimension: vectors of two embedders never meet. Deleting all of it loses nothing.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.redaction import path_text
from memory.errors import IndexDamaged, IndexUnavailable, reason_and_remedy
from memory.experience.chroma_collection import Neighbour
from memory.experience.chroma_vectors import ChromaVectors
from memory.experience.new_texts import NewTexts, first_after, read_new
from memory.experience.record_table import RecordTable
from memory.experience.texts import known_digests, texts_after

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]

MOST_AT_ONCE = 256
"""Texts one search embeds at most: 0.6 s with MiniLM for one-line goals. The next search continues."""

STATE = "state.json"
_GENERATION = "chroma-"
_SET_ASIDE = ".set-aside"
_LOCK_SECONDS = 2.0

_log = logging.getLogger(__name__)


class IndexState(BaseModel):
    """How far the index got.

    Attributes:
        generation: name of the Chroma directory in use.
        source: the build of the record table whose texts it follows.
        upto: number of the last text that has its vector.
        indexed: vectors it holds.
        epoch: of the table when vectors of texts that had vanished were last removed.
    """

    model_config = ConfigDict(frozen=True)

    generation: str = Field(pattern=rf"^{_GENERATION}[0-9a-f]+$")
    source: str = ""
    upto: int = Field(0, ge=0)
    indexed: int = Field(0, ge=0)
    epoch: str = ""


def collection_name(embedder: str, dimension: int) -> str:
    """A name Chroma takes, different for every embedder and dimension."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", embedder).strip("-")[:40]
    digest = hashlib.sha256(embedder.encode("utf-8", "replace")).hexdigest()[:8]
    return f"events-{plain or 'embedder'}-{digest}-{dimension}"


class CorpusIndex:
    """The index of one corpus for one embedder; any thread may call it.

    Args:
        directory: holds the indexes of this corpus.
        embedder: its name.
        dimension: length of its vectors.
    """

    def __init__(self, directory: Path, embedder: str, dimension: int) -> None:
        self._collection = collection_name(embedder, dimension)
        self._dimension = dimension
        self._directory = directory / self._collection
        self._between_threads = RLock()
        self._between_processes = FileLock(self._directory / "lock", mode=0o600)
        self._vectors: ChromaVectors | None = None
        self._opened: IndexState | None = None
        self._tried: str | None = None
        self.foreign_told = False

    def begun(self) -> bool:
        """Whether it was ever begun, so that searches go on with it."""
        return read_state(self._directory) is not None

    def catch_up(self, table: RecordTable, embed: Embed, most: int = MOST_AT_ONCE) -> int:
        """Embed texts of the table that have no vector yet; returns how many were added.

        Texts are embedded before the lock is taken, which other processes' searches wait for.

        Raises:
            IndexUnavailable: the index cannot be written, or another process keeps it locked.
            IndexDamaged: it cannot be opened.
        """
        with self._between_threads:
            known = self._trusted(table.state().source)
            if known == read_state(self._directory) and not self._lags(known, table):
                return 0
            with self._waited_for():
                known = self._trusted(table.state().source)
                new = self._read_new(table, known, most)
            vectors = embed(new.texts) if new.texts else None
            with self._waited_for():
                return self._add(table, new, vectors, known)

    def behind(self, table: RecordTable) -> int:
        """Number of the first text of the table that has no vector yet; 0 when all have one."""
        with self._between_threads:
            return first_after(table, self._trusted(table.state().source).upto)

    def tidy(self, table: RecordTable) -> int:
        """Remove the vectors of texts that vanished, however many; returns how many there were.

        Searches leave it alone when they are many: half a millisecond each. Until then such a vector is found
        and stands for nothing. Other processes search between the parts.

        Raises:
            IndexUnavailable: the index cannot be written, or another process keeps it locked.
            IndexDamaged: it cannot be opened.
        """
        with self._between_threads:
            with self._waited_for():
                state = read_state(self._directory)
                if state is None or not state.indexed:
                    return 0
                vanished = self._vanished(table, self._open(state))
            for start in range(0, len(vanished), MOST_AT_ONCE):
                with self._waited_for():
                    state = read_state(self._directory) or state
                    vectors = self._open(state)
                    vectors.remove(vanished[start : start + MOST_AT_ONCE])
                    self._opened = state.model_copy(update={"indexed": vectors.count})
                    self._write(self._opened)
            return len(vanished)

    def nearest(self, vector: NDArray[np.float32], count: int) -> list[Neighbour]:
        """Search what is indexed.

        Raises:
            IndexDamaged: the index cannot be opened, or lost vectors.
            IndexUnavailable: another process keeps it locked.
        """
        state = read_state(self._directory)
        if state is None or not state.indexed:
            return []
        with self._between_threads, self._waited_for():
            state = read_state(self._directory)
            return self._open(state).nearest(vector, count) if state and state.indexed else []

    def start_over(self) -> None:
        """Begin a new, empty index; the one in use is set aside, and the one set aside before it removed.

        Raises:
            IndexUnavailable: the directory cannot be written, or another process keeps it locked.
        """
        with self._between_threads, self._waited_for():
            self._begin(None)

    def recover(self, reason: str) -> None:
        """Start over, unless another process has replaced the damaged index already.

        Raises:
            IndexUnavailable: the directory cannot be written, or another process keeps it locked.
        """
        with self._between_threads, self._waited_for():
            state = read_state(self._directory)
            if state is None or state.generation == self._tried:
                self._begin(reason)

    def close(self) -> None:
        """Let go of Chroma; the next call opens it again."""
        with self._between_threads:
            if self._vectors is not None:
                self._vectors.close()
            self._vectors = self._opened = None

    def _lags(self, state: IndexState, table: RecordTable) -> bool:
        now = table.state()
        few = state.indexed - now.texts <= MOST_AT_ONCE
        return (few and state.epoch != now.epoch) or bool(table.read(partial(texts_after, state.upto, 1)))

    def _read_new(self, table: RecordTable, state: IndexState, most: int) -> NewTexts:
        """Texts without a vector, under the lock."""
        return read_new(table, state.upto, most, partial(self._missing, state))

    def _missing(self, state: IndexState, digests: Sequence[str]) -> set[str]:
        return self._open(state).missing(digests) if state.indexed and digests else set(digests)

    def _add(
        self, table: RecordTable, new: NewTexts, vectors: NDArray[np.float32] | None, known: IndexState
    ) -> int:
        """Add, under the lock, what no other process has added since `known` was read."""
        now = table.state()
        state = self._trusted(now.source)
        if state != known:
            return 0
        if vectors is not None:
            self._open(state).add(new.digests, vectors)
        complete = not table.read(partial(texts_after, new.upto, 1))
        few = state.indexed + len(new.texts) - now.texts <= MOST_AT_ONCE
        if complete and few and state.epoch != now.epoch and state.indexed:
            vectors_held = self._open(state)
            vectors_held.remove(self._vanished(table, vectors_held))
        # What is open may be from before another process added what this one was about to.
        held = self._vectors.count if self._vectors is not None and self._opened == state else state.indexed
        after = state.model_copy(
            update={
                "upto": new.upto,
                "indexed": held,
                "epoch": now.epoch if complete and few else state.epoch,
            }
        )
        self._write(after)
        if self._vectors is not None and self._opened == state:
            self._opened = after
        return len(new.texts)

    def _vanished(self, table: RecordTable, vectors: ChromaVectors) -> list[str]:
        held = list(vectors.digests())
        there = table.read(partial(known_digests, held))
        return [digest for digest in held if digest not in there]

    def _open(self, state: IndexState) -> ChromaVectors:
        """Chroma as it is on disk, under the lock: it does not bear two processes at once."""
        if self._vectors is None or self._opened != state:
            self.close()
            self._tried = state.generation
            generation = self._directory / state.generation
            if any(path.is_symlink() for path in (generation, *generation.rglob("*"))):
                raise IndexDamaged(f"{path_text(generation)} holds a link, which Chroma would write through.")
            self._vectors = ChromaVectors(generation, self._collection, self._dimension, state.indexed)
            self._opened = state
        return self._vectors

    def _trusted(self, source: str) -> IndexState:
        """The state, as far as the table's numbers of texts go; else a fresh one."""
        state = read_state(self._directory)
        if state is not None and (not state.indexed or (self._directory / state.generation).is_dir()):
            if state.source != source:
                # The table was built anew: the vectors still stand for their texts, the numbers do not.
                return state.model_copy(update={"source": source, "upto": 0, "epoch": ""})
            return state
        fresh = IndexState(generation=_GENERATION + "0", source=source)
        if not self._between_processes.is_locked:
            return fresh
        reason = "its state cannot be read" if self._has_generations() else None
        return self._begin(reason).model_copy(update={"source": source})

    def _has_generations(self) -> bool:
        return any(self._directory.glob(f"{_GENERATION}*"))

    def _begin(self, reason: str | None) -> IndexState:
        if reason is not None:
            _log.warning("The index %s is rebuilt from its corpus: %s.", self._directory, reason.rstrip("."))
        self.close()
        for old in self._directory.glob(f"{_GENERATION}*{_SET_ASIDE}"):
            if old.is_symlink():
                old.unlink()
            else:
                shutil.rmtree(old)
        for used in self._directory.glob(f"{_GENERATION}*"):
            used.rename(used.with_name(used.name + _SET_ASIDE))
        state = IndexState(generation=_GENERATION + uuid4().hex[:12])
        self._write(state)
        return state

    def _write(self, state: IndexState) -> None:
        new = self._directory / f"{STATE}.new"
        # What a killed process left, or a link, is not written into.
        new.unlink(missing_ok=True)
        with new.open("x", encoding="utf-8") as stream:
            stream.write(state.model_dump_json())
        new.replace(self._directory / STATE)

    @contextlib.contextmanager
    def _waited_for(self) -> Iterator[None]:
        try:
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            if self._directory.is_symlink():
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            with self._between_processes.acquire(timeout=_LOCK_SECONDS):
                yield
        except Timeout as error:
            raise IndexUnavailable(
                f"{path_text(self._directory)} was locked by another process for {_LOCK_SECONDS:g} s.",
                "Search again when it has finished.",
            ) from error
        except OSError as error:
            what, remedy = reason_and_remedy(self._directory, error)
            raise IndexUnavailable(f"The index cannot be written in {what}.", remedy) from error


def read_state(directory: Path) -> IndexState | None:
    """Read how far the index of one collection got; None when there is none that can be read."""
    try:
        return IndexState.model_validate_json((directory / STATE).read_bytes())
    except (OSError, ValidationError):
        return None
