"""A Chroma collection that somebody else filled, as a search back end.

Which model its vectors are of, a collection does not say for certain, and a query embedded by another one
would find nonsense. So its texts are what is used: they are indexed like those of a folder.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from configs.redaction import escaped, path_text
from configs.research import SearchSettings
from tools.errors import SearchUnavailable
from tools.search.extraction.dates import iso_date
from tools.search.index.corpus_search import CorpusSearch
from tools.search.index.sources import CorpusSource, Loaded
from tools.search.items import DATE, LANGUAGE, Item
from tools.search.own_reports import is_report_item

MOST_DOCUMENTS = 50_000
FILE = "chroma.sqlite3"

_PAGE = 1_000
_KEYS = {
    "url": ("url", "source_url", "link", "source"),
    "name": ("name", "title"),
    "site": ("site", "publisher"),
    DATE: (DATE, "date", "published"),
    LANGUAGE: (LANGUAGE, "language", "lang"),
}


class ChromaCollectionBackend:
    """Documents of one collection in a Chroma directory.

    Args:
        directory: of a persistent Chroma.
        collection: its name; empty when the directory holds one only.
        index: holds our index of it; None keeps it in memory.
        settings: of searches.

    Raises:
        SearchUnavailable: there is no Chroma in the directory.
    """

    name = "chroma"

    def __init__(
        self, directory: Path, collection: str, index: Path | None, settings: SearchSettings
    ) -> None:
        # Chroma would make a new, empty one.
        if not (directory / FILE).is_file():
            raise SearchUnavailable(
                f"{path_text(directory)} holds no Chroma database.",
                "Name the directory of a persistent Chroma.",
            )
        self._directory = directory
        self._collection = collection
        self._told: list[str] = []
        self._search = CorpusSearch(index, self._sources, settings.embedder, settings.most_embedded)

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of the collection and the searches so far."""
        return [*self._told, *self._search.notes]

    async def search(self, query: str, limit: int) -> list[Item]:
        """Documents for a query, the best first.

        Raises:
            SearchUnavailable: the collection cannot be read, or is not there.
        """
        return await asyncio.to_thread(self._search.search, query, limit)

    def close(self) -> None:
        """Let go of the index."""
        self._search.close()

    def _sources(self) -> Iterator[CorpusSource]:
        import chromadb
        from chromadb.config import Settings

        try:
            client: Any = chromadb.PersistentClient(
                str(self._directory), settings=Settings(anonymized_telemetry=False)
            )
            names = sorted(collection.name for collection in client.list_collections())
            name = self._chosen(names)
            collection = client.get_collection(name, embedding_function=None)
            count = collection.count()
            documents = [
                entry
                for start in range(0, min(count, MOST_DOCUMENTS), _PAGE)
                for entry in _page(collection, start)
            ]
            client.close()
        except SearchUnavailable:
            raise
        except Exception as error:  # Chroma has no common class of errors.
            raise SearchUnavailable(
                f"The Chroma database {path_text(self._directory)} cannot be read: {error}.", "Repair it."
            ) from error
        self._note(count, documents)
        reports = 0
        for key, text, metadata in documents:
            if text and text.strip():
                item = _item(name, key, text, metadata)
                if is_report_item(item):
                    reports += 1
                    continue
                yield CorpusSource(f"{name}/{key}", "", partial(_digest, item), partial(Loaded, [item]))

        if reports:
            self._told.append(f"Documents that are reports of deep research were left out: {reports}.")

    def _chosen(self, names: list[str]) -> str:
        if self._collection in names or (not self._collection and len(names) == 1):
            return self._collection or names[0]
        there = ", ".join(map(escaped, names)) or "none"
        raise SearchUnavailable(
            f"{path_text(self._directory)} has the collections {there}"
            + (f", and {escaped(self._collection)!r} is not one of them." if self._collection else "."),
            "Name one of them: chroma:DIRECTORY#COLLECTION.",
        )

    def _note(self, count: int, documents: Sequence[tuple[str, str | None, Any]]) -> None:
        empty = sum(not (text and text.strip()) for _, text, _ in documents)
        self._told = []
        if count > len(documents):
            self._told.append(f"{count - len(documents):,} of {count:,} documents were left out.")
        if empty:
            self._told.append(f"{empty:,} documents of the collection have no text and were left out.")


def _page(collection: Any, start: int) -> list[tuple[str, str | None, Mapping[str, Any]]]:
    page = collection.get(
        limit=min(_PAGE, MOST_DOCUMENTS - start), offset=start, include=["documents", "metadatas"]
    )
    return [
        (key, text, metadata or {})
        for key, text, metadata in zip(page["ids"], page["documents"], page["metadatas"], strict=True)
    ]


def _item(collection: str, key: str, text: str, metadata: Mapping[str, Any]) -> Item:
    found = {
        name: next((str(metadata[key]) for key in keys if metadata.get(key)), "")
        for name, keys in _KEYS.items()
    }
    schema: dict[str, Any] = {"@type": "CreativeWork", "_id": key}
    if date := iso_date(found[DATE]):
        schema[DATE] = date
    if found[LANGUAGE]:
        schema[LANGUAGE] = found[LANGUAGE]
    given = {
        "url": found["url"] or f"chroma:{quote(collection)}/{quote(key)}",
        "name": found["name"] or key,
        "site": found["site"] or None if found["site"] or found["url"] else collection,
        "description": text,
        "schema_object": schema,
    }
    return Item.model_validate(given)


def _digest(item: Item) -> str:
    return hashlib.sha256(json.dumps(item.dump(), sort_keys=True).encode()).hexdigest()
