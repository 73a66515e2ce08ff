"""Vectors on a Chroma server, which is asked without waiting for one that does not answer.

Nothing but digests of texts and their vectors is sent there. Nobody's proxy and no redirect is followed: it
would lead past the address that was named.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

import httpx

from configs.redaction import escaped
from memory.errors import IndexDamaged, IndexUnavailable
from memory.experience.chroma_address import ChromaServer
from memory.experience.chroma_collection import CONFIGURATION, ChromaCollection, Neighbour, counted

if TYPE_CHECKING:
    import numpy as np
    from chromadb.types import Collection as CollectionModel
    from numpy.typing import NDArray

    from memory.experience.chroma_api import BoundedApi

PAUSE = 5.0
"""Seconds a server that failed is left alone; searches go by words meanwhile."""
_CONNECTING = 2.0
ANSWERING = 5.0
"""Seconds an answer may take."""
_CHECK = "Check that a Chroma server of version 1 runs there (`chroma run`), and the address and login."


class ChromaConnection:
    """This process's connection to a server; any thread may use it.

    Args:
        server: the server.
    """

    def __init__(self, server: ChromaServer) -> None:
        self.server = server
        self._api: BoundedApi | None = None
        self._opening = Lock()
        self._failed: tuple[float, str] = (0.0, "")

    def api(self) -> BoundedApi:
        """Chroma's own client.

        Raises:
            IndexUnavailable: the server failed a moment ago.
        """
        until, reason = self._failed
        if time.monotonic() < until:
            raise self._away(reason)
        with self._opening:
            if self._api is None:
                # Importing Chroma takes 0.7 s, which runs that recall nothing do not pay.
                from memory.experience.chroma_api import bounded_api

                self._api = bounded_api(self.server, _CONNECTING, ANSWERING)
            return self._api

    @contextlib.contextmanager
    def translated(self) -> Iterator[None]:
        """Raise what Chroma raises as errors of ours, and leave a server that does not answer alone.

        Raises:
            IndexDamaged: the collection is gone; it can be made again.
            IndexUnavailable: the server cannot be reached, or refused.
        """
        from chromadb.errors import NotFoundError

        try:
            yield
        except NotFoundError as error:
            raise IndexDamaged(f"A collection of the Chroma server {self.server} is gone.") from error
        except httpx.TransportError as error:
            self._fail(str(error) or type(error).__name__)
            raise self._away(self._failed[1]) from error
        except IndexUnavailable:
            raise
        except Exception as error:
            # Another program, or a version that speaks otherwise, answers with anything; Chroma's client
            # raises what it makes of it.
            self._fail(f"it answered otherwise than Chroma 1 does ({_first_line(error)})")
            raise self._away(self._failed[1]) from error

    def close(self) -> None:
        """Let go of its sockets; the next call opens others."""
        with self._opening:
            if self._api is not None:
                self._api.close()
            self._api = None

    def _fail(self, reason: str) -> None:
        self._failed = (time.monotonic() + PAUSE, reason)

    def _away(self, reason: str) -> IndexUnavailable:
        return IndexUnavailable(f"The Chroma server {self.server} cannot be used: {escaped(reason)}.", _CHECK)


class ServerVectors(ChromaCollection):
    """A collection of a server; any number of threads, processes and hosts may use it at a time.

    Args:
        connection: to the server.
        name: of the collection, which is made when missing.
        dimension: length of every vector.

    Attributes:
        identity: another one means that the collection was made anew.

    Raises:
        IndexUnavailable: the server cannot be used, or the collection is of other vectors.
    """

    def __init__(self, connection: ChromaConnection, name: str, dimension: int) -> None:
        self._connection = connection
        with connection.translated():
            from chromadb.api.models.Collection import Collection

            api = connection.api()
            model = api.get_or_create_collection(name, configuration=CONFIGURATION)
            self._collection = Collection(client=api, model=model, embedding_function=None)
            _check(model, dimension, connection.server, name)
        self.identity = str(self._collection.id)

    def count(self) -> int:
        """How many vectors it holds.

        Raises:
            IndexUnavailable: the server cannot be used.
        """
        with self._translated():
            return counted(self._collection)

    def nearest(self, vector: NDArray[np.float32], count: int) -> list[Neighbour]:
        """Return up to `count` neighbours of a vector of shape (dimension,), nearest first.

        Raises:
            IndexUnavailable: the server cannot be used.
        """
        with self._translated():
            return self._query(vector, count)

    def _largest_batch(self) -> int:
        return max(1, self._connection.api().get_max_batch_size())

    def _translated(self) -> contextlib.AbstractContextManager[None]:
        self._connection.api()  # Fails at once while the server is left alone.
        return self._connection.translated()


def vectors_of(connection: ChromaConnection, name: str) -> int:
    """How many vectors a collection has; 0 when there is none of that name.

    Raises:
        IndexUnavailable: the server cannot be used.
    """
    from chromadb.api.models.Collection import Collection

    try:
        with connection.translated():
            api = connection.api()
            model = api.get_collection(name)
            return counted(Collection(client=api, model=model, embedding_function=None))
    except IndexDamaged:
        return 0


def destroy(connection: ChromaConnection, name: str) -> None:
    """Delete a collection of whatever vectors, if it is there.

    Raises:
        IndexUnavailable: the server cannot be used.
    """
    with contextlib.suppress(IndexDamaged), connection.translated():
        connection.api().delete_collection(name)


def _check(model: CollectionModel, dimension: int, server: ChromaServer, name: str) -> None:
    configuration: Any = model.configuration_json
    configuration = configuration or {}
    # A distributed server keeps its graph in another form.
    space = (configuration.get("hnsw") or configuration.get("spann") or {}).get("space", "cosine")
    held = model.dimension
    if held not in (None, 0, dimension) or space != "cosine":
        raise IndexUnavailable(
            f"The collection {name} of the Chroma server {server} holds vectors of another kind "
            f"({held} dimensions, space {space}; wanted {dimension}, cosine).",
            "Run `reflect experience reindex`, which deletes it and makes it anew.",
        )


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0][:200] if lines else "") or type(error).__name__
