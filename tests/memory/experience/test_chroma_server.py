"""A program at the address of a Chroma server may answer anything: searches then go by words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest

from memory.errors import IndexUnavailable
from memory.experience.chroma_address import chroma_server
from memory.experience.chroma_server import ChromaConnection, ServerVectors, vectors_of

COLLECTION = {
    "id": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
    "name": "texts",
    "configuration_json": {"hnsw": {"space": "cosine"}},
    "metadata": None,
    "dimension": 2,
    "tenant": "default_tenant",
    "database": "default_database",
    "version": 0,
    "log_position": 0,
}
FOUND = {"ids": [["a"]], "distances": [[0.5]], "include": ["distances"]}


def connection(collection: dict[str, Any] | None = None, **answers: Any) -> ChromaConnection:
    """To a server that gives these answers, by the last word of the path that was asked."""
    said = {"collections": collection or COLLECTION, "texts": COLLECTION, **answers}

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=said[request.url.path.rsplit("/", 1)[-1]])

    made = ChromaConnection(chroma_server("http://127.0.0.1:1"))
    made.api()._session = httpx.Client(transport=httpx.MockTransport(answer))
    return made


def vectors(**answers: Any) -> ServerVectors:
    return ServerVectors(connection(**answers), "texts", 2)


def test_right_answers() -> None:
    right = vectors(count=3, get={"ids": ["a"], "include": []}, query=FOUND)
    assert (right.count(), right.missing(["a", "b"])) == (3, {"b"})
    [near] = right.nearest(np.ones(2, dtype=np.float32), 1)
    assert (near.digest, near.cosine) == ("a", 0.5)


@pytest.mark.parametrize("count", [None, "x", -1, 1.5, True, {}])
def test_a_count_that_is_none(count: Any) -> None:
    with pytest.raises(IndexUnavailable, match="answered otherwise"):
        vectors(count=count).count()
    with pytest.raises(IndexUnavailable, match="answered otherwise"):
        vectors_of(connection(count=count), "texts")


ASKED: list[Callable[[ServerVectors], object]] = [
    lambda held: held.missing(["a"]),
    lambda held: held.nearest(np.ones(2, dtype=np.float32), 1),
]


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("ids", [None, 7, [None], [{"a": 1}], [[{"a": 1}]], [["a", "b"]]])
def test_ids_that_are_none(ask: Callable[[ServerVectors], object], ids: Any) -> None:
    odd = vectors(get={"ids": ids, "include": []}, query={**FOUND, "ids": ids})
    with pytest.raises(IndexUnavailable, match="answered otherwise"):
        ask(odd)


@pytest.mark.parametrize("configuration", ["x", {"hnsw": 7}])
def test_a_collection_that_is_none(configuration: Any) -> None:
    odd = {**COLLECTION, "configuration_json": configuration}
    with pytest.raises(IndexUnavailable):
        ServerVectors(connection(odd), "texts", 2)
