"""One experience corpus: what past runs did, searched by meaning.

`<root>/experience/events.jsonl` is the truth; `<root>/experience/index/` can be deleted at any time.
Appending never touches the index: a search first brings it up to date.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from memory.corpus_index import CorpusIndex, read_state
from memory.errors import IndexDamaged, IndexUnavailable
from memory.events import ReasoningEvent
from memory.json_lines import JsonLines
from memory.open_indexes import open_index
from memory.recall_prompt import ExperienceHit, Scope
from memory.recollection import recollect
from memory.redaction import redact_record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from models.embeddings import Embedder

EVENTS_FILE = "events.jsonl"
INDEX_DIRECTORY = "index"

_OVERFETCH = 4
"""Age and duplicates are filtered after the query: a filter inside makes it 2 to 40 times slower."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CorpusStats:
    """What `reflect doctor` tells about a corpus.

    Attributes:
        scope: project or global.
        path: its file.
        events: lines that hold an object.
        bad_lines: lines that do not; they stay in the file.
        bytes: size of the file.
        indexed_offset: bytes the index has read; of the index that got furthest when there are several.
        indexed: vectors in that index.
    """

    scope: Scope
    path: Path
    events: int
    bad_lines: int
    bytes: int
    indexed_offset: int
    indexed: int


class ExperienceCorpus:
    """One corpus.

    Args:
        directory: holds the file and its index; made by the first append.
        scope: whose corpus it is.
        max_age_days: older events are not returned.
        embedder: opens the embedding model; called by searches only.
    """

    def __init__(
        self, directory: Path, scope: Scope, max_age_days: int, embedder: Callable[[], Embedder]
    ) -> None:
        self.scope = scope
        self._directory = directory
        self._file = JsonLines(directory / EVENTS_FILE)
        self._max_age = timedelta(days=max_age_days)
        self._embedder = embedder

    @property
    def path(self) -> Path:
        """The file of events."""
        return self._file.path

    def append(self, event: ReasoningEvent, *, once: bool = False) -> None:
        """Append an event, secrets redacted.

        Args:
            event: the event.
            once: append nothing if the file holds an event of that id already.

        Raises:
            CorpusUnwritable: it could not be written; the corpus is as it was.
        """
        self._file.append(redact_record(event.model_dump(mode="json")), once=once)

    def is_empty(self) -> bool:
        """Whether nothing was ever appended."""
        return self._file.size() == 0

    def search(self, vector: NDArray[np.float32], top_k: int, threshold: float) -> list[ExperienceHit]:
        """Return events near a query, nearest first, the newest of those that say the same.

        An index that fails is set aside and rebuilt, as far as one search goes. When it fails twice, or
        another process is busy building it, that is logged and nothing is found.

        Args:
            vector: of the query, shape (dimension,), normalised.
            top_k: hits at most.
            threshold: smallest cosine of a hit.

        Raises:
            ModelError: the embedding model failed.
        """
        if self.is_empty():
            return []
        embedder = self._embedder()
        index = open_index(self._file, self._directory / INDEX_DIRECTORY, embedder.name, embedder.dimension)
        try:
            try:
                return self._hits(index, vector, top_k, threshold)
            except IndexDamaged as error:
                index.recover(str(error))
                return self._hits(index, vector, top_k, threshold)
        except IndexUnavailable as error:
            _log.warning("Experience in %s is not searched: %s", self.path, error)
            return []

    def reindex(self) -> int:
        """Build the index anew, whole; returns how many events it holds.

        Raises:
            IndexUnavailable: the index cannot be written.
            ModelError: the embedding model failed.
        """
        if self.is_empty():
            return 0
        embedder = self._embedder()
        index = open_index(self._file, self._directory / INDEX_DIRECTORY, embedder.name, embedder.dimension)
        index.start_over()
        total = 0
        while added := index.catch_up(embedder.embed):
            total += added
        return total

    def stats(self) -> CorpusStats:
        """Count; reads the whole file.

        Raises:
            OSError: the file is there and cannot be read.
        """
        events = bad = 0
        for line in self._file.read():
            events += line.record is not None
            bad += line.record is None
        directories = (self._directory / INDEX_DIRECTORY).glob("*")
        states = [state for directory in directories if (state := read_state(directory))]
        furthest = max(states, key=lambda state: state.offset, default=None)
        return CorpusStats(
            scope=self.scope,
            path=self.path,
            events=events,
            bad_lines=bad,
            bytes=self._file.size(),
            indexed_offset=furthest.offset if furthest else 0,
            indexed=furthest.indexed if furthest else 0,
        )

    def _hits(
        self, index: CorpusIndex, vector: NDArray[np.float32], top_k: int, threshold: float
    ) -> list[ExperienceHit]:
        index.catch_up(self._embedder().embed)
        near = index.nearest(vector, top_k * _OVERFETCH)
        hits = [
            hit
            for neighbour in near
            if neighbour.cosine >= threshold and (hit := self._hit(neighbour.offset, neighbour.cosine))
        ]
        hits.sort(key=lambda hit: (round(hit.score, 6), _when(hit)), reverse=True)
        return distinct(hits)[:top_k]

    def _hit(self, offset: int, cosine: float) -> ExperienceHit | None:
        line = self._file.read_at(offset)
        recalled = recollect(line.record) if line and line.record is not None else None
        if recalled is None or (recalled.at and recalled.at < datetime.now(UTC) - self._max_age):
            return None
        return ExperienceHit(self.scope, min(cosine, 1.0), recalled)


def distinct(hits: Sequence[ExperienceHit]) -> list[ExperienceHit]:
    """Keep the first of those that say the same."""
    kept: dict[tuple[str, ...], ExperienceHit] = {}
    for hit in hits:
        kept.setdefault((hit.goal, hit.outcome, hit.error, hit.lesson), hit)
    return list(kept.values())


def _when(hit: ExperienceHit) -> float:
    return hit.at.timestamp() if hit.at else 0.0
