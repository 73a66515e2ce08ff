"""The vector index on a server, as far as it needs none."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory.experience.chroma_address import chroma_server
from memory.experience.chroma_server import ChromaConnection
from memory.experience.server_index import ServerIndex


def collection(directory: Path, corpus: str) -> str:
    connection = ChromaConnection(chroma_server("http://127.0.0.1:1"))
    return ServerIndex(connection, directory, corpus, "model", 64).collection


@pytest.mark.parametrize("shipped", ["global", "project:ships"])
def test_an_id_that_came_with_a_repository_picks_no_shared_collection(shipped: str, tmp_path: Path) -> None:
    (tmp_path / "server-corpus").write_text(shipped)
    own = collection(tmp_path, "")
    assert own == collection(tmp_path, "") != collection(tmp_path, shipped)
