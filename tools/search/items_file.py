"""A file of items, one JSON object a line, as a search back end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from configs.redaction import path_text
from configs.research import SearchSettings
from tools.search.index.corpus_search import CorpusSearch
from tools.search.index.sources import CorpusSource, Loaded
from tools.search.items import Item, read_items
from tools.search.merging import merged
from tools.search.own_reports import without_reports


class ItemsFileBackend:
    """Items of a JSONL file; those of one address are one document.

    Args:
        path: the file; it is read once, at the first search.
        index: holds the index; None keeps it in memory.
        settings: of searches.
    """

    name = "items_file"

    def __init__(self, path: Path, index: Path | None, settings: SearchSettings) -> None:
        self._path = path
        self._problems: list[str] = []
        self._search = CorpusSearch(index, self._sources, settings.embedder, settings.most_embedded)

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the file and the searches so far."""
        return [*self._problems, *self._search.notes]

    async def search(self, query: str, limit: int) -> list[Item]:
        """Documents for a query, the best first.

        Raises:
            UsageError: the file cannot be read.
            SearchUnavailable: the index cannot be used.
        """
        return await asyncio.to_thread(self._search.search, query, limit)

    def close(self) -> None:
        """Let go of the index."""
        self._search.close()

    def _sources(self) -> Iterator[CorpusSource]:
        read, problems = read_items(self._path)
        others, left_out = without_reports(read)
        items, told = merged(others)
        told += left_out
        empty = sum(not item.description.strip() for item in items)
        if empty:
            told.append(f"{empty} items of {path_text(self._path)} have no text and were left out.")
        self._problems = [*problems, *told]
        for item in items:
            if item.description.strip():
                yield CorpusSource(item.url, "", partial(_digest, item), partial(Loaded, [item]))


def _digest(item: Item) -> str:
    return sha256(json.dumps(item.dump(), sort_keys=True).encode()).hexdigest()
