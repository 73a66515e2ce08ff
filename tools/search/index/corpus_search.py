"""A corpus searched by words and by meaning at once."""

from __future__ import annotations

import logging
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

from configs.redaction import escaped
from models.errors import ModelError
from models.multilingual_embeddings import missing_for_e5
from models.passage_embeddings import PassageEmbedder, PassageModel, open_passage_embedder
from tools.errors import SearchUnavailable
from tools.search.copies import with_copies
from tools.search.index.document_index import DocumentIndex
from tools.search.index.keyword_ranking import KeywordHit, keyword_hits
from tools.search.index.rank_fusion import Ranked, ranked, score_of
from tools.search.index.schema import open_index, remove_index
from tools.search.index.sources import CorpusSource
from tools.search.index.vector_ranking import add_vectors, vector_hits
from tools.search.items import Item
from tools.search.merging import merged
from tools.search.tokens import language_of

Choice = Literal["auto", "e5", "minilm", "none"]

RETRIEVAL = "_retrieval"
"""Key of `schema_object`: why an item was found: `coverage` (share of the query's words, 0 to 1), `cosine`,
`embedder`, and `passages`, places in `description` with their scores, best first."""

FLOORS = {"multilingual-e5-small-q4-passages": 0.80, "minilm-l6-v2-int8": 0.25}
"""Cosines below which a passage has nothing to do with a query, by embedding model."""

_RERANKED = 32
_NO_VECTOR = " passages have no vector yet and are found by their words only."
_SLACK = 2

_log = logging.getLogger(__name__)


class CorpusSearch:
    """Searches one corpus; any thread may call it.

    Args:
        directory: holds the index; None keeps it in memory.
        sources: lists the corpus; called once, at the first search.
        embedder: which model, `auto` decides by the languages there are.
        most_embedded: passages one search embeds at most.
        opened: gives the model of a name.

    Attributes:
        notes: what a reader should know, one sentence each.
    """

    def __init__(
        self,
        directory: Path | None,
        sources: Callable[[], Iterable[CorpusSource]],
        embedder: Choice,
        most_embedded: int,
        opened: Callable[[PassageModel], PassageEmbedder] = open_passage_embedder,
    ) -> None:
        self._directory = directory
        self._sources = sources
        self._choice = embedder
        self._most_embedded = most_embedded
        self._open_embedder = opened
        self._index: DocumentIndex | None = None
        self._lock = threading.Lock()
        self.notes: list[str] = []

    def search(self, query: str, limit: int) -> list[Item]:
        """Documents for a query, the best first. Blocking.

        Raises:
            SearchUnavailable: the index can be kept neither on disk nor in memory.
        """
        with self._lock:
            try:
                return self._search(query, limit)
            except sqlite3.DatabaseError as error:
                if self._directory is None:
                    raise SearchUnavailable(f"The index in memory failed: {error}.") from error
                self._recover(error)
            try:
                return self._search(query, limit)
            except sqlite3.DatabaseError as error:
                where = "Remove the index below research.search.index, or set another place."
                raise SearchUnavailable(f"The index of the corpus failed: {error}.", where) from error

    def close(self) -> None:
        """Let go of the index; the next search opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._index is not None:
            self._index.database.close()
        self._index = None

    def _recover(self, error: sqlite3.DatabaseError) -> None:
        self._close()
        busy = isinstance(error, sqlite3.OperationalError)
        if busy:
            self._tell(f"The index on disk cannot be used ({error}), so the corpus is indexed in memory.")
            self._directory = None
        elif self._directory is not None:
            _log.warning("The index of the corpus is made anew: %s", error)
            remove_index(self._directory)

    def _search(self, query: str, limit: int) -> list[Item]:
        index = self._opened()
        sharing = keyword_hits(index.database, query)
        near = self._near(index, query, sharing)
        document_of = _documents(index, [*(hit.passage for hit in sharing), *(one for one, _ in near)])
        best = ranked(sharing, near, document_of)
        orders = 1 + bool(near)
        found = [_item(index, one, orders, self._embedder_name) for one in best[: limit * _SLACK]]
        items, notes = merged(found)
        for note in notes:
            self._tell(note)
        if not items:
            self._tell_nothing(index, query)
        return with_copies(items[:limit])

    def _opened(self) -> DocumentIndex:
        if self._index is None:
            try:
                index = DocumentIndex(open_index(self._directory))
            except SearchUnavailable as error:
                if self._directory is None:
                    raise
                self._tell(f"{error.what} The corpus is indexed in memory.")
                self._directory = None
                index = DocumentIndex(open_index(None))
            self._index = index
            weakref.finalize(self, index.database.close)
            index.update(self._sources())
            for note in index.notes():
                self._tell(note)
        return self._index

    _embedder_name: str | None = None

    def _near(
        self, index: DocumentIndex, query: str, sharing: Sequence[KeywordHit]
    ) -> list[tuple[int, float]]:
        self._embedder_name = None
        model = self._model(index, query)
        if model is None:
            return []
        try:
            embedder = self._open_embedder(model)
            first = [hit.passage for hit in sharing[:_RERANKED]]
            missing = add_vectors(index.database, embedder, first, self._most_embedded)
            hits = vector_hits(index.database, embedder, query)
        except ModelError as error:
            self._tell(f"Passages were found by their words only: {error.what}")
            return []
        self._embedder_name = embedder.name
        self._tell(f"Passages were found by their words and by {embedder.name}.")
        self.notes[:] = [note for note in self.notes if not note.endswith(_NO_VECTOR)]
        if missing:
            self._tell(f"{missing:,}{_NO_VECTOR}")
        return [(passage, cosine) for passage, cosine in hits if cosine >= FLOORS.get(embedder.name, 0.0)]

    def _model(self, index: DocumentIndex, query: str) -> PassageModel | None:
        if self._choice == "none":
            self._tell("Passages were found by their words only, as set in research.search.embedder.")
            return None
        english = language_of(query) in ("en", None) and not set(index.languages()) - {"en", None}
        if self._choice == "e5" or (self._choice == "auto" and not english and missing_for_e5() is None):
            return "e5"
        if language_of(query) not in ("en", None):
            why = (
                missing_for_e5() if self._choice == "auto" else "it is not chosen in research.search.embedder"
            )
            self._tell(f"Passages were found by their words only: multilingual-e5-small is not used, {why}.")
            return None
        return "minilm"

    def _tell_nothing(self, index: DocumentIndex, query: str) -> None:
        languages = index.languages()
        if not languages:
            self._tell("The corpus holds no document that could be read.")
            return
        asked = language_of(query)
        if asked and asked not in languages:
            there = ", ".join(sorted(language or "others" for language in languages))
            self._tell(f"The query is in {asked!r}, and the corpus has documents in {there} only.")
        self._tell(f"No document has anything to do with {escaped(query[:100])!r}.")

    def _tell(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _documents(index: DocumentIndex, passages: Sequence[int]) -> dict[int, int]:
    find = "SELECT document FROM passages WHERE id = ?"
    return {number: index.database.execute(find, (number,)).fetchone()[0] for number in passages}


def _item(index: DocumentIndex, found: Ranked, orders: int, embedder: str | None) -> Item:
    item = index.document(found.document)
    place = "SELECT start, end FROM passages WHERE id = ?"
    passages = [
        {"start": start, "end": end, "score": round(score, 6)}
        for number, score in found.passages.items()
        for start, end in index.database.execute(place, (number,))
    ]
    facts = {
        "coverage": round(found.coverage, 4),
        "cosine": None if found.cosine is None else round(found.cosine, 4),
        "embedder": embedder,
        "passages": passages,
    }
    schema = {**item.schema_object, RETRIEVAL: facts}
    return item.model_copy(update={"score": score_of(found, orders), "schema_object": schema})
