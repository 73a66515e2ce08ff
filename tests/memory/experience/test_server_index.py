"""The vector index on a server, as far as it needs none."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Timer

import pytest

from memory.errors import IndexUnavailable
from memory.experience import experience_corpus, server_index
from memory.experience.chroma_address import chroma_server
from memory.experience.chroma_server import ChromaConnection
from memory.experience.experience_corpus import ExperienceCorpus
from memory.experience.open_indexes import close_indexes, open_server_index
from memory.experience.places import ExperiencePlaces
from memory.experience.server_index import ServerIndex
from tests.memory.places import event
from tests.support.hashing_embedder import HashingEmbedder


def collection(directory: Path, corpus: str) -> str:
    connection = ChromaConnection(chroma_server("http://127.0.0.1:1"))
    return ServerIndex(connection, directory, corpus, "model", 64).collection


@pytest.mark.parametrize("shipped", ["global", "project:ships"])
def test_an_id_that_came_with_a_repository_picks_no_shared_collection(shipped: str, tmp_path: Path) -> None:
    (tmp_path / "server-corpus").write_text(shipped)
    own = collection(tmp_path, "")
    assert own == collection(tmp_path, "") != collection(tmp_path, shipped)


class OneServer:
    """The collection of an index in memory."""

    identity = "one"

    def __init__(self) -> None:
        self.held: set[str] = set()

    def missing(self, digests: Sequence[str]) -> set[str]:
        return set(digests) - self.held

    def add(self, digests: Sequence[str], vectors: object) -> None:
        self.held |= set(digests)

    def count(self) -> int:
        return len(self.held)


@pytest.fixture
def on_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[ExperienceCorpus, ServerIndex]]:
    """A corpus of one event whose vectors are on a server."""
    places = ExperiencePlaces(vectors=chroma_server("http://127.0.0.1:1"))
    corpus = ExperienceCorpus(tmp_path, "project", 90, HashingEmbedder, places)
    corpus.append(event("count the files"))
    held = OneServer()
    monkeypatch.setattr(ServerIndex, "_open", lambda index: held)
    monkeypatch.setattr(server_index, "destroy", lambda connection, name: None)
    monkeypatch.setattr(experience_corpus, "PATIENCE", 0.2)
    yield corpus, open_server_index(corpus.vectors, HashingEmbedder().name, HashingEmbedder().dimension)
    close_indexes()


def test_rebuilding_is_not_done_while_another_process_is_at_it(
    on_server: tuple[ExperienceCorpus, ServerIndex],
) -> None:
    corpus, index = on_server
    with index._by_one(), pytest.raises(IndexUnavailable, match="not complete") as told:
        corpus.reindex()
    assert "again" in told.value.remedy
    assert corpus.reindex() == 1


def test_rebuilding_waits_for_another_process(on_server: tuple[ExperienceCorpus, ServerIndex]) -> None:
    corpus, index = on_server
    other = contextlib.ExitStack()
    other.enter_context(index._by_one())
    ending = Timer(0.05, other.close)
    ending.start()
    assert corpus.reindex() == 1
    ending.join()
