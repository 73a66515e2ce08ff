"""The indexes this process has open: one per place, however many runs use it.

Chroma's clients of one path share their state within a process, so two of ours would hide changes from each
other; and opening a database again for every run would cost more than searching it.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Generic, Protocol, TypeVar

from configs.redaction import path_text
from memory.experience.chroma_address import ChromaServer
from memory.experience.chroma_server import ChromaConnection
from memory.experience.corpus_index import CorpusIndex
from memory.experience.mirror import Mirror
from memory.experience.record_log import RecordLog
from memory.experience.record_table import RecordTable
from memory.experience.server_index import ServerIndex
from memory.json_lines import JsonLines

MOST_OPEN = 16


@dataclass(frozen=True)
class VectorPlace:
    """Where the vectors of a corpus are.

    Attributes:
        directory: holds its indexes, or what is known here of one on a server; resolved.
        server: the Chroma server that has the vectors; None when they are in the directory.
        corpus: on that server, the same for all hosts that share the corpus; empty when nobody shares it.
    """

    directory: Path
    server: ChromaServer | None = None
    corpus: str = ""


class _Closable(Protocol):
    def close(self) -> None: ...


_Opened = TypeVar("_Opened", bound=_Closable)


class _Shelf(Generic[_Opened]):
    """What is open, by place; the one unused longest is closed when there are too many."""

    def __init__(self) -> None:
        self._open: OrderedDict[Hashable, _Opened] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], _Opened]) -> _Opened:
        with self._lock:
            found = self._open.pop(key, None) or make()
            self._open[key] = found
            oldest = self._open.popitem(last=False)[1] if len(self._open) > MOST_OPEN else None
        if oldest is not None:
            oldest.close()
        return found

    def close(self) -> None:
        with self._lock:
            everything = list(self._open.values())
            self._open.clear()
        for one in everything:
            one.close()


_indexes: _Shelf[CorpusIndex] = _Shelf()
_tables: _Shelf[RecordTable] = _Shelf()
_connections: _Shelf[ChromaConnection] = _Shelf()
_on_servers: _Shelf[ServerIndex] = _Shelf()
_logs: _Shelf[RecordLog] = _Shelf()
_mirrors: _Shelf[Mirror] = _Shelf()
_borrowed: dict[Path, TemporaryDirectory[str]] = {}
_lock = Lock()
_log = logging.getLogger(__name__)


def index_place(directory: Path) -> Path:
    """Where the indexes of a corpus are kept: in their directory, or else in one of this process alone.

    So a corpus that may only be read can still be searched, and a link that came with somebody's repository
    makes nobody write elsewhere. What is kept for one process goes when it ends.

    Args:
        directory: it need not exist; its parent is resolved.
    """
    # os.path says no where pathlib raises: a directory above may be closed to this user.
    nearest = next(parent for parent in (directory, *directory.parents) if os.path.exists(parent))
    if not os.path.islink(directory) and (os.access(nearest, os.W_OK) or not os.path.isdir(nearest)):
        return directory
    with _lock:
        if directory not in _borrowed:
            _log.warning(
                "%s is a link or cannot be written: each process indexes it anew.", path_text(directory)
            )
            _borrowed[directory] = TemporaryDirectory(prefix="reflect-index-")
        return Path(_borrowed[directory].name)


def open_index(directory: Path, embedder: str, dimension: int) -> CorpusIndex:
    """Return the process's vector index for one embedder, of the corpus whose indexes lie in a directory.

    Args:
        directory: resolved, so that a place has one name.
        embedder: its name.
        dimension: length of its vectors.
    """
    key = (directory, embedder, dimension)
    return _indexes.get(key, lambda: CorpusIndex(directory, embedder, dimension))


def open_table(corpus: JsonLines, directory: Path) -> RecordTable:
    """Return the process's record table of a corpus, whose indexes lie in a resolved directory."""
    return _tables.get(directory, lambda: RecordTable(corpus, directory))


def open_server_index(place: VectorPlace, embedder: str, dimension: int) -> ServerIndex:
    """Return the process's index for one embedder on the Chroma server of a place.

    Args:
        place: of the corpus; it names a server.
        embedder: its name.
        dimension: length of its vectors.

    Raises:
        IndexUnavailable: the directory cannot be written.
    """
    server = place.server
    assert server is not None

    def make() -> ServerIndex:
        # A process that is forked off must not share the sockets.
        connection = _connections.get((server, os.getpid()), lambda: ChromaConnection(server))
        return ServerIndex(connection, place.directory, place.corpus, embedder, dimension)

    return _on_servers.get((place, embedder, dimension, os.getpid()), make)


def open_mirror(url: str, scope: str, corpus: JsonLines, directory: Path) -> Mirror:
    """Return what shares a corpus with other hosts in this process.

    Args:
        url: postgres:// URL of the database.
        scope: what the corpus is called there.
        corpus: the file.
        directory: holds its indexes; resolved.
    """

    def make() -> Mirror:
        log = _logs.get((url, os.getpid()), lambda: RecordLog(url))
        return Mirror(log, scope, corpus, open_table(corpus, directory))

    return _mirrors.get((url, scope, directory, os.getpid()), make)


def close_indexes() -> None:
    """Close every index, table and connection; the next search opens its own again."""
    for shelf in (_indexes, _tables, _on_servers, _connections, _mirrors, _logs):
        shelf.close()
