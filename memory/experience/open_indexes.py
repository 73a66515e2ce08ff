"""The indexes this process has open: one per place, however many runs use it.

Chroma's clients of one path share their state within a process, so two of ours would hide changes from each
other; and opening a database again for every run would cost more than searching it.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Generic, Protocol, TypeVar

from configs.redaction import path_text
from memory.experience.corpus_index import CorpusIndex
from memory.experience.record_table import RecordTable
from memory.json_lines import JsonLines

MOST_OPEN = 16


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


def close_indexes() -> None:
    """Close every index and table; the next search opens its own again."""
    _indexes.close()
    _tables.close()
