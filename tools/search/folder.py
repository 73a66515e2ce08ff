"""A folder of documents as a search back end."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from configs.redaction import path_text
from configs.research import SearchSettings
from tools.errors import SearchUnavailable
from tools.search.extraction.reading import Limits
from tools.search.folder_scan import FolderScan
from tools.search.index.corpus_search import CorpusSearch
from tools.search.index.sources import CorpusSource
from tools.search.items import Item


class FolderBackend:
    """Markdown, text, HTML, PDF and Word files below a folder, indexed file by file as they change.

    The folder is looked at once, at the first search: a run sees one state of it.

    Args:
        folder: where the documents lie.
        index: holds the index; None keeps it in memory.
        settings: of searches.
        ignored: directory names that are passed over.
        logs: the directory runs write their logs to, which are no documents.

    Raises:
        SearchUnavailable: there is no such folder.
    """

    name = "folder"

    def __init__(
        self,
        folder: Path,
        index: Path | None,
        settings: SearchSettings,
        ignored: Collection[str] = (),
        logs: Path | None = None,
    ) -> None:
        if not folder.is_dir():
            raise SearchUnavailable(
                f"The corpus {path_text(folder)} is not a folder.",
                "Name the folder that holds the documents.",
            )
        limits = Limits(settings.max_document_chars, settings.max_file_mb * 10**6)
        self._scan = FolderScan(folder, ignored, limits, logs)
        self._search = CorpusSearch(index, self._sources, settings.embedder, settings.most_embedded)

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the corpus and the searches so far."""
        return [*self._scan.notes, *self._search.notes]

    async def search(self, query: str, limit: int) -> list[Item]:
        """Documents for a query, the best first.

        Raises:
            SearchUnavailable: the index cannot be used.
        """
        return await asyncio.to_thread(self._search.search, query, limit)

    def close(self) -> None:
        """Let go of the index."""
        self._search.close()

    def _sources(self) -> Iterable[CorpusSource]:
        return self._scan.sources()
