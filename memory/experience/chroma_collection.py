"""A collection of Chroma, wherever it lies: vectors, each under the digest of its text.

`ChromaVectors` opens one in a directory of this machine, `ServerVectors` one of a Chroma server; what is
asked of either is the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import numpy as np
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection
    from numpy.typing import NDArray

PAGE = 5_000

CONFIGURATION: CreateCollectionConfiguration = {
    # What the graph on disk lacks is added to it at every opening: 1000 vectors, the default, take 0.3 s.
    "hnsw": {"space": "cosine", "sync_threshold": 100, "batch_size": 100}
}


@dataclass(frozen=True)
class Neighbour:
    """A vector near a query: the digest of its text, and the cosine, from -1 to 1."""

    digest: str
    cosine: float


class ChromaCollection(ABC):
    """An open collection.

    A subclass sets `_collection` and says how Chroma's errors are told, and where it lies.
    """

    _collection: Collection

    @abstractmethod
    def _translated(self) -> AbstractContextManager[None]:
        """Raise what Chroma raises as errors of ours."""

    @abstractmethod
    def _largest_batch(self) -> int:
        """Vectors Chroma takes at once."""

    def missing(self, digests: Sequence[str]) -> set[str]:
        """Those of the digests that have no vector yet.

        Raises:
            IndexUnavailable: Chroma failed, or cannot be reached.
        """
        if not digests:
            return set()
        with self._translated():
            return set(digests) - set(_names(self._collection.get(ids=list(digests), include=[])["ids"]))

    def remove(self, digests: Sequence[str]) -> None:
        """Remove vectors; those that are not there are passed over.

        Raises:
            IndexUnavailable: Chroma refused, or cannot be reached.
        """
        with self._translated():
            for start in range(0, len(digests), PAGE):
                self._collection.delete(ids=list(digests[start : start + PAGE]))

    def add(self, digests: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add vectors of shape (len(digests), dimension); one that is there is replaced.

        Raises:
            IndexUnavailable: Chroma refused them, or cannot be reached.
        """
        with self._translated():
            batch = self._largest_batch()
            for start in range(0, len(digests), batch):
                part = slice(start, start + batch)
                self._collection.upsert(ids=list(digests[part]), embeddings=cast(Any, vectors[part]))

    def _query(self, vector: Any, count: int) -> list[Neighbour]:
        answer = self._collection.query(query_embeddings=[vector], n_results=count, include=["distances"])
        distances = answer["distances"] or [[]]
        return [
            Neighbour(name, 1.0 - distance)
            for name, distance in zip(_names(answer["ids"][0]), distances[0], strict=True)
        ]

    def _digests(self, count: int) -> Iterator[str]:
        for start in range(0, count, PAGE):
            yield from self._collection.get(limit=PAGE, offset=start, include=[])["ids"]


def counted(collection: Collection) -> int:
    """How many vectors a collection holds.

    Raises:
        ValueError: the answer is no number of vectors; Chroma's client hands on what any program answers.
    """
    count: object = collection.count()
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ValueError(f"a count of {str(count)[:40]!r}")
    return count


def _names(answered: object) -> list[str]:
    if not isinstance(answered, list) or not all(isinstance(name, str) for name in answered):
        raise ValueError("ids that are no texts")
    return answered
