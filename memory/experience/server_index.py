"""The vector index of a corpus on a Chroma server, which hosts that share the corpus share as well.

As in the local index, a vector lies under the digest of its text: whoever embeds a text first serves all, and
doing it twice changes nothing. How far this host's record table got stands in
`<directory>/server-<collection>.json`; it is true of one collection only, which Chroma tells apart by an id,
and as long as no vectors went missing. Else the texts are gone through again: those that have a vector cost
no embedding.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory.errors import IndexDamaged, IndexUnavailable, reason_and_remedy
from memory.experience.chroma_collection import Neighbour
from memory.experience.chroma_server import ChromaConnection, ServerVectors, destroy, vectors_of
from memory.experience.corpus_index import MOST_AT_ONCE, collection_name
from memory.experience.new_texts import first_after, read_new
from memory.experience.record_table import RecordTable
from memory.experience.texts import texts_after

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Embed: TypeAlias = Callable[[Sequence[str]], NDArray[np.float32]]

_CORPUS_ID = "server-corpus"
_OWN = "own:"
"""Begins the name of a corpus nobody shares: a repository may ship an id that is a shared one's name."""

_log = logging.getLogger(__name__)


class ServerState(BaseModel):
    """How far this host got with a collection.

    Attributes:
        collection: Chroma's id of it.
        source: the build of the record table whose texts were looked at.
        upto: number of the last text that has its vector.
        held: vectors the collection held then.
    """

    model_config = ConfigDict(frozen=True)

    collection: str
    source: str
    upto: int = Field(0, ge=0)
    held: int = Field(0, ge=0)


class ServerIndex:
    """The index of one corpus for one embedder; any thread may call it.

    Args:
        connection: to the server.
        directory: holds what this host knows of it.
        corpus: the same on all hosts that share the corpus; of this corpus alone when empty.
        embedder: its name.
        dimension: length of its vectors.
    """

    def __init__(
        self, connection: ChromaConnection, directory: Path, corpus: str, embedder: str, dimension: int
    ) -> None:
        self._connection = connection
        self._directory = directory
        self._dimension = dimension
        self.collection = _name(corpus or f"{_OWN}{_own_id(directory)}", embedder, dimension)
        self._state_file = directory / f"server-{self.collection}.json"
        self._opening = Lock()
        self._vectors: ServerVectors | None = None

    def count(self) -> int:
        """How many vectors the server has of the corpus.

        Raises:
            IndexUnavailable: the server cannot be used.
        """
        return vectors_of(self._connection, self.collection)

    def catch_up(self, table: RecordTable, embed: Embed, most: int = MOST_AT_ONCE) -> int:
        """Embed texts of the table that have no vector yet; returns how many were added.

        While another process of this host does so, nothing is done.

        Raises:
            IndexUnavailable: the server cannot be used, or the directory cannot be written.
        """
        source = table.state().source
        state = self._trusted(source)
        if not table.read(partial(texts_after, state.upto, 1)):
            return 0
        with self._by_one() as ours:
            if not ours:
                return 0
            vectors = self._open()
            new = read_new(table, state.upto, most, vectors.missing)
            if new.texts:
                vectors.add(new.digests, embed(new.texts))
            held = vectors.count()
            self._write(ServerState(collection=vectors.identity, source=source, upto=new.upto, held=held))
            return len(new.texts)

    def behind(self, table: RecordTable) -> int:
        """Number of the first text of the table that is not known to have its vector; 0 when all have one.

        Raises:
            IndexUnavailable: the server cannot be used.
        """
        return first_after(table, self._trusted(table.state().source).upto)

    def nearest(self, vector: NDArray[np.float32], count: int) -> list[Neighbour]:
        """Search what is indexed.

        Raises:
            IndexDamaged: the collection is gone, or lost vectors.
            IndexUnavailable: the server cannot be used.
        """
        found = self._open().nearest(vector, count)
        state = self._read()
        # The graph is approximate and may miss a few; a collection that was emptied misses nearly all.
        if state is not None and len(found) * 2 < min(count, state.held):
            raise IndexDamaged(
                f"The Chroma server {self._connection.server} has lost vectors of {self.collection}."
            )
        return found

    def remove(self, digests: Sequence[str]) -> None:
        """Remove vectors of texts that vanished.

        Raises:
            IndexUnavailable: the server cannot be used.
        """
        if digests:
            vectors = self._open()
            vectors.remove(digests)
            state = self._read()
            if state is not None and state.collection == vectors.identity:
                self._write(state.model_copy(update={"held": vectors.count()}))

    def begun(self) -> bool:
        """Whether this host ever looked through the texts, so that searches go on with what is there."""
        return self._read() is not None

    def recover(self, reason: str) -> None:
        """Open the collection again, and go through all texts anew.

        Raises:
            IndexUnavailable: the directory cannot be written.
        """
        _log.warning("Vectors are looked through anew: %s", reason)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.close()
        with self._told():
            self._state_file.unlink(missing_ok=True)

    def start_over(self) -> None:
        """Delete the collection on the server; other hosts notice and add what they have.

        Raises:
            IndexUnavailable: the server cannot be used, or the directory cannot be written.
        """
        destroy(self._connection, self.collection)
        self._begin_anew()

    def close(self) -> None:
        """Forget the collection; the next call looks for it again."""
        with self._opening:
            self._vectors = None

    def _open(self) -> ServerVectors:
        with self._opening:
            if self._vectors is None:
                vectors = ServerVectors(self._connection, self.collection, self._dimension)
                state = self._read()
                if state is not None and state.collection == vectors.identity:
                    self._forget_if_fewer(state, vectors.count())
                self._vectors = vectors
            return self._vectors

    def _forget_if_fewer(self, state: ServerState, held: int) -> None:
        """A server that came back from an older backup has the same collection with less in it."""
        if held < state.held:
            self._write(state.model_copy(update={"upto": 0, "held": held}))

    def _trusted(self, source: str) -> ServerState:
        """The state, as far as the table's numbers of texts and the collection go; else a fresh one."""
        identity = self._open().identity
        state = self._read()
        if state is not None and (state.collection, state.source) == (identity, source):
            return state
        return ServerState(collection=identity, source=source)

    def _read(self) -> ServerState | None:
        try:
            return ServerState.model_validate_json(self._state_file.read_bytes())
        except (OSError, ValidationError):
            return None

    def _write(self, state: ServerState) -> None:
        with self._told():
            _replace(self._state_file, state.model_dump_json())

    @contextlib.contextmanager
    def _by_one(self) -> Iterator[bool]:
        """Whether this thread of this process is the one that adds; nobody waits for another."""
        with self._told():
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = FileLock(f"{self._state_file}.lock", timeout=0, mode=0o600)
            try:
                lock.acquire()
            except Timeout:
                yield False
                return
        try:
            yield True
        finally:
            lock.release()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            what, remedy = reason_and_remedy(self._directory, error)
            raise IndexUnavailable(f"The index cannot be written in {what}.", remedy) from error


def _name(corpus: str, embedder: str, dimension: int) -> str:
    digest = hashlib.sha256(corpus.encode("utf-8", "replace")).hexdigest()[:16]
    return f"reflect-{digest}-{collection_name(embedder, dimension).removeprefix('events-')}"


def _own_id(directory: Path) -> str:
    """Tells a corpus that is not shared from those of other machines."""
    path = directory / _CORPUS_ID
    new = path.with_name(f"{path.name}.{uuid4().hex[:8]}")
    try:
        if not path.exists():
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            new.write_text(uuid4().hex, "ascii")
            with contextlib.suppress(FileExistsError):
                os.link(new, path)
            new.unlink()
        return path.read_text("ascii", "replace")
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise IndexUnavailable(f"The index cannot be written in {what}.", remedy) from error


def _replace(path: Path, text: str) -> None:
    """Write a file beside and rename, so that nobody reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_name(f"{path.name}.{uuid4().hex[:8]}")
    try:
        with new.open("x", encoding="utf-8") as stream:
            stream.write(text)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
