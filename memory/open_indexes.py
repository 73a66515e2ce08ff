"""The indexes this process has open: one per place, however many runs use it.

Chroma's clients of one path share their state within a process, so two of ours would hide changes from each
other.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock

from memory.corpus_index import CorpusIndex
from memory.json_lines import JsonLines

MOST_OPEN = 16

_open: OrderedDict[tuple[Path, str, int], CorpusIndex] = OrderedDict()
_lock = Lock()


def open_index(corpus: JsonLines, directory: Path, embedder: str, dimension: int) -> CorpusIndex:
    """Return the process's index of a corpus; the one unused longest is closed when there are too many."""
    key = (directory.resolve(), embedder, dimension)
    with _lock:
        index = _open.pop(key, None) or CorpusIndex(corpus, directory, embedder, dimension)
        _open[key] = index
        oldest = _open.popitem(last=False)[1] if len(_open) > MOST_OPEN else None
    if oldest is not None:
        oldest.close()
    return index


def close_indexes() -> None:
    """Close every index; the next search opens its own again."""
    with _lock:
        indexes = list(_open.values())
        _open.clear()
    for index in indexes:
        index.close()
