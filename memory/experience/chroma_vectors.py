"""Vectors in one Chroma directory, each under the digest of its text.

Facts about Chroma 1.5.9 this is built around, each tried:
- Not even searches of two processes may overlap: they write too (the graph is brought up to date).
- A client that is open does not see what other processes add; opening anew takes 18 ms.
- Clients of one path share their state within a process, even after the directory was replaced.
- A damaged `data_level0.bin` ends the process with a segmentation fault when it is first queried;
  other damage raises, or silently returns fewer neighbours than there are.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from configs.redaction import path_text
from memory.errors import IndexDamaged
from memory.experience.chroma_collection import CONFIGURATION, ChromaCollection, Neighbour

if TYPE_CHECKING:
    import numpy as np
    from chromadb.api.client import Client
    from numpy.typing import NDArray

_OPENING = "opening-"


class ChromaVectors(ChromaCollection):
    """An open Chroma directory; callers see to it that one thread of one process uses it at a time.

    Args:
        directory: made when missing; nothing else may open it in this process.
        collection: name of the collection in it.
        dimension: length of every vector.
        at_least: vectors it is known to hold.

    Raises:
        IndexDamaged: it cannot be opened, holds fewer vectors, or ended the process that opened it last.
    """

    def __init__(self, directory: Path, collection: str, dimension: int, at_least: int) -> None:
        self._directory = directory
        with self._translated(), _opening(directory):
            # Importing Chroma takes 0.7 s, which runs that recall nothing do not pay.
            import chromadb
            from chromadb.config import Settings

            client = chromadb.PersistentClient(str(directory), settings=Settings(anonymized_telemetry=False))
            self._client = cast("Client", client)
            try:
                self._collection = self._client.get_or_create_collection(
                    collection, configuration=CONFIGURATION, embedding_function=None
                )
                self._count = self._collection.count()
                if self._count < at_least:
                    raise IndexDamaged(f"{path_text(directory)} holds {self._count} of {at_least} vectors.")
                if self._count:
                    self._query([1.0] + [0.0] * (dimension - 1), 1)
            except BaseException:
                self._client.close()
                raise

    @property
    def count(self) -> int:
        """How many vectors it holds."""
        return self._count

    def missing(self, digests: Sequence[str]) -> set[str]:
        """As of every collection; an empty one is not asked."""
        return super().missing(digests) if self._count else set(digests)

    def digests(self) -> Iterator[str]:
        """Every digest that has a vector.

        Raises:
            IndexDamaged: Chroma failed.
        """
        with self._translated():
            yield from self._digests(self._count)

    def remove(self, digests: Sequence[str]) -> None:
        """As of every collection; counts anew."""
        super().remove(digests)
        self._recount()

    def add(self, digests: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """As of every collection; counts anew."""
        super().add(digests, vectors)
        self._recount()

    def nearest(self, vector: NDArray[np.float32], count: int) -> list[Neighbour]:
        """Return up to `count` neighbours of a vector of shape (dimension,), nearest first.

        Raises:
            IndexDamaged: Chroma failed, or lost part of its vectors.
        """
        wanted = min(count, self._count)
        if not wanted:
            return []
        with self._translated():
            found = self._query(vector, wanted)
        # The graph is approximate and may miss a few; a damaged one misses nearly all.
        if len(found) * 2 < wanted:
            raise IndexDamaged(f"{path_text(self._directory)} has lost part of its vectors.")
        return found

    def close(self) -> None:
        """Let go of the directory."""
        self._client.close()

    def _recount(self) -> None:
        with self._translated():
            self._count = self._collection.count()

    def _largest_batch(self) -> int:
        return self._client.get_max_batch_size()

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (IndexDamaged, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # A panic of Chroma's Rust part is not an Exception.
            raise IndexDamaged(f"The index {path_text(self._directory)} cannot be used: {error}") from error


@contextlib.contextmanager
def _opening(directory: Path) -> Iterator[None]:
    """Leave a mark while a directory is opened, so that one that ends its process is not opened twice."""
    directory.mkdir(parents=True, exist_ok=True)
    for mark in directory.glob(f"{_OPENING}*"):
        if not _alive(mark.name.removeprefix(_OPENING)):
            raise IndexDamaged(f"A process ended while it opened {path_text(directory)}.")
    mark = directory / f"{_OPENING}{os.getpid()}"
    mark.touch()
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except PermissionError:
        return True
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    return True
