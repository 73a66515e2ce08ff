"""The vector index of a corpus: brought up to date by byte offset, rebuilt when it cannot be trusted.

On disk, `<directory>/<collection>/state.json` names the Chroma directory in use and how far it got; every
rebuild uses a new directory, so that no process goes on with one that was replaced. A collection is named
after embedder and dimension: vectors of two embedders never meet. Deleting all of it loses nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from uuid import uuid4

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from configs.redaction import path_text
from memory.chroma_vectors import ChromaVectors, Neighbour
from memory.errors import IndexUnavailable, reason_and_remedy
from memory.json_lines import TORN, JsonLines
from memory.recollection import recollect

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]

MOST_AT_ONCE = 256
"""Events one search indexes at most: 0.6 s with MiniLM for one-line goals. The next search continues."""

_STATE = "state.json"
_GENERATION = "chroma-"
_SET_ASIDE = ".set-aside"
_LOCK_SECONDS = 2.0
_MARK_BYTES = 512

_log = logging.getLogger(__name__)


class IndexState(BaseModel):
    """How far the index got.

    Attributes:
        generation: name of the Chroma directory in use.
        offset: bytes of the corpus that were read.
        indexed: vectors that were added.
        mark: digest of the bytes before the offset: another one means the corpus was rewritten.
    """

    model_config = ConfigDict(frozen=True)

    generation: str = Field(pattern=rf"^{_GENERATION}[0-9a-f]+$")
    offset: int = Field(ge=0)
    indexed: int = Field(ge=0)
    mark: str


class _NewEvents(NamedTuple):
    """What is to be indexed: offsets of the lines, their texts, and where the next line starts."""

    offsets: list[int]
    texts: list[str]
    end: int


def collection_name(embedder: str, dimension: int) -> str:
    """A name Chroma takes, different for every embedder and dimension."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", embedder).strip("-")[:40]
    digest = hashlib.sha256(embedder.encode("utf-8", "replace")).hexdigest()[:8]
    return f"events-{plain or 'embedder'}-{digest}-{dimension}"


class CorpusIndex:
    """The index of one corpus for one embedder; any thread may call it.

    Args:
        corpus: the truth.
        directory: holds the indexes of this corpus.
        embedder: its name.
        dimension: length of its vectors.
    """

    def __init__(self, corpus: JsonLines, directory: Path, embedder: str, dimension: int) -> None:
        self._corpus = corpus
        self._collection = collection_name(embedder, dimension)
        self._dimension = dimension
        self._directory = directory / self._collection
        self._between_threads = RLock()
        self._between_processes = FileLock(self._directory / "lock", mode=0o600)
        self._vectors: ChromaVectors | None = None
        self._opened: IndexState | None = None
        self._tried: str | None = None

    def catch_up(self, embed: Embed, most: int = MOST_AT_ONCE) -> int:
        """Index what was appended since the last time; returns how many events were added.

        Texts are embedded before the lock is taken, which other processes' searches wait for.

        Raises:
            IndexUnavailable: the index cannot be written, or another process keeps it locked.
        """
        with self._between_threads:
            known = self._trusted()
            if known.offset >= self._corpus.size():
                return 0
            new = self._read_new(known.offset, most)
            vectors = embed(new.texts) if new.texts else None
            with self._waited_for():
                return self._add(new, vectors, known)

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

    def _read_new(self, start: int, most: int) -> _NewEvents:
        offsets: list[int] = []
        texts: list[str] = []
        end = start
        for line in self._corpus.read(start):
            if line.problem == TORN or len(texts) == most:
                break
            end = line.end
            recalled = recollect(line.record) if line.record is not None else None
            if recalled is not None:
                offsets.append(line.offset)
                texts.append(recalled.indexed_text)
        return _NewEvents(offsets, texts, end)

    def _add(self, new: _NewEvents, vectors: NDArray[np.float32] | None, known: IndexState) -> int:
        """Add, under the lock, what no other process has added since `known` was read."""
        state = self._trusted()
        if state.offset < known.offset or state.offset >= new.end:
            return 0
        missing = [number for number, offset in enumerate(new.offsets) if offset >= state.offset]
        if missing and vectors is not None:
            self._open(state).add([new.offsets[number] for number in missing], vectors[missing])
        after = state.model_copy(
            update={"offset": new.end, "indexed": state.indexed + len(missing), "mark": self._mark(new.end)}
        )
        self._write(after)
        if self._vectors is not None and self._opened == state:
            self._opened = after
        return len(missing)

    def _open(self, state: IndexState) -> ChromaVectors:
        """Chroma as it is on disk, under the lock: it does not bear two processes at once."""
        if self._vectors is None or self._opened != state:
            self.close()
            self._tried = state.generation
            self._vectors = ChromaVectors(
                self._directory / state.generation, self._collection, self._dimension, state.indexed
            )
            self._opened = state
        return self._vectors

    def _trusted(self) -> IndexState:
        """The state when it fits the corpus; else a fresh one, with what does not fit set aside."""
        state = read_state(self._directory)
        if state is not None and self._fits(state):
            return state
        fresh = IndexState(generation=_GENERATION + "0", offset=0, indexed=0, mark=self._mark(0))
        if not self._between_processes.is_locked:
            return fresh
        return self._begin("it does not fit the corpus" if self._has_generations() else None)

    def _fits(self, state: IndexState) -> bool:
        there = not state.indexed or (self._directory / state.generation).is_dir()
        return there and state.offset <= self._corpus.size() and state.mark == self._mark(state.offset)

    def _has_generations(self) -> bool:
        return any(self._directory.glob(f"{_GENERATION}*"))

    def _begin(self, reason: str | None) -> IndexState:
        if reason is not None:
            _log.warning("The index %s is rebuilt from its corpus: %s.", self._directory, reason)
        self.close()
        for old in self._directory.glob(f"{_GENERATION}*{_SET_ASIDE}"):
            shutil.rmtree(old)
        for used in self._directory.glob(f"{_GENERATION}*"):
            used.rename(used.with_name(used.name + _SET_ASIDE))
        state = IndexState(generation=_GENERATION + uuid4().hex[:12], offset=0, indexed=0, mark=self._mark(0))
        self._write(state)
        return state

    def _mark(self, offset: int) -> str:
        return hashlib.sha256(self._corpus.bytes_before(offset, _MARK_BYTES)).hexdigest()[:16]

    def _write(self, state: IndexState) -> None:
        new = self._directory / f"{_STATE}.new"
        new.write_text(state.model_dump_json(), encoding="utf-8")
        new.replace(self._directory / _STATE)

    @contextlib.contextmanager
    def _waited_for(self) -> Iterator[None]:
        try:
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
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
        return IndexState.model_validate_json((directory / _STATE).read_bytes())
    except (OSError, ValidationError):
        return None
