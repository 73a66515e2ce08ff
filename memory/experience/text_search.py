"""Finding texts of one corpus: by meaning, by words, or by both."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from configs.redaction import path_text
from memory.errors import IndexDamaged, IndexUnavailable
from memory.experience.chroma_collection import Neighbour
from memory.experience.corpus_index import STATE, read_state
from memory.experience.keyword_search import keyword_matches
from memory.experience.open_indexes import VectorPlace, open_index, open_server_index
from memory.experience.rank_fusion import Match, fused
from memory.experience.record_table import RecordTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from models.embeddings import Embedder

MOST_SILENTLY = 256
"""Texts that another embedding model's index may have had to be embedded anew without being asked."""

_log = logging.getLogger(__name__)


class Query(NamedTuple):
    """A text that is searched for.

    Attributes:
        text: the text.
        vector: its vector, shape (dimension,); None when the model failed.
        embedder: the model; None when it failed.
        threshold: cosine below which nothing is alike.
        settled: leave the vector index as it is; what was written since it was brought up to date is found by
            its words only.
    """

    text: str
    vector: NDArray[np.float32] | None
    embedder: Embedder | None
    threshold: float
    settled: bool = False


class VectorIndex(Protocol):
    """What a search needs of an index, in a directory or on a server."""

    def begun(self) -> bool:
        """Whether searches go on with it."""

    def catch_up(self, table: RecordTable, embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> int:
        """Embed what has no vector yet."""

    def nearest(self, vector: NDArray[np.float32], count: int) -> Sequence[Neighbour]:
        """Search it."""

    def recover(self, reason: str) -> None:
        """Begin it anew."""


class TextSearch:
    """Searches the texts of one corpus.

    Args:
        corpus: its file, for messages.
        table: holds the texts.
        place: where its vectors are.

    Attributes:
        problem: why a server's vectors could not be searched the last time; empty when they could.
    """

    def __init__(self, corpus: Path, table: Callable[[], RecordTable], place: VectorPlace) -> None:
        self._corpus = corpus
        self._table = table
        self._place = place
        self._directory = place.directory
        self.problem = ""

    def matches(self, query: Query, most: int) -> tuple[dict[str, Match], bool]:
        """Digests of texts that were found, with their scores, and whether there may be more.

        When the vector index fails twice, or another process is busy building it, that is logged and words
        alone decide.

        Args:
            query: what is searched for.
            most: texts of either kind at most.

        Raises:
            IndexUnavailable: the table cannot be used.
            ModelError: the embedding model failed.
        """
        near: list[tuple[str, float]] = []
        if query.vector is not None and query.embedder is not None:
            near = self._near(query.vector, query.embedder, most, settled=query.settled)
        alike = [(digest, cosine) for digest, cosine in near if cosine >= query.threshold]
        table = self._table()
        frequencies = self._frequencies(table)
        sharing = table.read(partial(keyword_matches, query.text, table.state().texts, frequencies))[:most]
        more = len(alike) == most
        return fused(alike, [(match.digest, match.coverage) for match in sharing]), more

    def other_embedder(self, embedder: Embedder) -> str | None:
        """The index of another embedding model, when this one has none and there is too much to embed.

        Raises:
            IndexUnavailable: the table cannot be used.
        """
        if self._place.server is not None:
            return None
        mine = open_index(self._directory, embedder.name, embedder.dimension)
        if mine.begun() or self._table().state().texts <= MOST_SILENTLY:
            return None
        return next(iter(indexes_below(self._directory)), None)

    def _near(
        self, vector: NDArray[np.float32], embedder: Embedder, most: int, *, settled: bool
    ) -> list[tuple[str, float]]:
        if self._place.server is None and self._is_foreign(embedder):
            return []
        try:
            index = self._index(embedder)
            try:
                found = self._nearest(index, vector, embedder, most, settled=settled)
            except IndexDamaged as error:
                index.recover(str(error))
                found = self._nearest(index, vector, embedder, most, settled=False)
        except IndexUnavailable as error:
            _log.warning("Experience in %s is searched by words only: %s", self._corpus, error)
            self.problem = error.what if self._place.server is not None else ""
            return []
        self.problem = ""
        return found

    def _index(self, embedder: Embedder) -> VectorIndex:
        if self._place.server is None:
            return open_index(self._directory, embedder.name, embedder.dimension)
        return open_server_index(self._place, embedder.name, embedder.dimension)

    def _is_foreign(self, embedder: Embedder) -> bool:
        """Whether another embedding model's index has to be built anew first; that is told once."""
        other = self.other_embedder(embedder)
        index = open_index(self._directory, embedder.name, embedder.dimension)
        if other is not None and not index.foreign_told:
            index.foreign_told = True
            _log.warning("%s", told_foreign(self._corpus, other, embedder))
        return other is not None

    def _nearest(
        self,
        index: VectorIndex,
        vector: NDArray[np.float32],
        embedder: Embedder,
        most: int,
        *,
        settled: bool,
    ) -> list[tuple[str, float]]:
        if not settled or not index.begun():
            index.catch_up(self._table(), embedder.embed)
        return [(neighbour.digest, neighbour.cosine) for neighbour in index.nearest(vector, most)]

    @staticmethod
    def _frequencies(table: RecordTable) -> dict[str, int]:
        """Word frequencies that were looked up, as long as the corpus has about the same size."""
        state = table.state()
        source, texts = table.frequencies_of
        if source != state.epoch or not texts <= state.texts <= texts + texts // 10:
            table.frequencies = {}
            table.frequencies_of = (state.epoch, state.texts)
        return table.frequencies


def told_foreign(corpus: Path, other: str, embedder: Embedder) -> str:
    """Say which embedding model a corpus is indexed with, which is in use, and what to do."""
    return (
        f"Experience in {path_text(corpus)} is indexed with {other.removeprefix('events-')}, "
        f"now the model is {embedder.name} ({embedder.dimension} dimensions): "
        "run `reflect experience reindex`. Until then it is searched by words."
    )


def index_in_use(directory: Path) -> str:
    """Name of the vector index that was written last; empty when none holds anything."""
    return max(
        indexes_below(directory), key=lambda name: (directory / name / STATE).stat().st_mtime_ns, default=""
    )


def indexes_below(directory: Path) -> list[str]:
    """Names of the vector indexes that hold something, the fullest first."""
    states = {path.name: state for path in directory.glob("events-*") if (state := read_state(path))}
    return sorted((name for name in states if states[name].indexed), key=lambda name: -states[name].indexed)
