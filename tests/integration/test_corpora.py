"""Corpora that processes share or are killed over, large ones, foreign ones, and both embedding models."""

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from configs.research import SearchSettings
from configs.settings import Settings
from evals.retrieval import measure
from tests.support.processes import ROOT
from tools.errors import SearchUnavailable
from tools.search.folder import FolderBackend
from tools.search.index.schema import VERSION
from tools.search.items import Item
from tools.search.opening import open_backend

pytestmark = pytest.mark.integration

WORDS = SearchSettings(embedder="none")
FILES = 300


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    rng = random.Random(7)
    for number in range(FILES):
        words = " ".join(rng.choice("alpha beta gamma delta epsilon".split()) for _ in range(300))
        (folder / f"{number:03}.md").write_text(f"Document number{number} of them all. {words}.", "utf-8")
    return folder


def started(corpus: Path, query: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "tests.support.indexing",
        str(corpus),
        str(corpus.parent / "index"),
        query,
    ]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def state(corpus: Path) -> dict[str, int]:
    database = sqlite3.connect(corpus.parent / "index" / f"index-{VERSION}.sqlite")
    counts = {
        table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("sources", "documents", "passages", "words")
    }
    database.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    database.close()
    return counts


def indexed(corpus: Path) -> int:
    """How many sources there are while another process adds them."""
    try:
        database = sqlite3.connect(f"file:{corpus.parent}/index/index-{VERSION}.sqlite?mode=ro", uri=True)
        count = int(database.execute("SELECT count(*) FROM sources").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0
    database.close()
    return count


def search(corpus: Path, query: str, settings: SearchSettings = WORDS) -> list[Item]:
    backend = FolderBackend(corpus, corpus.parent / "index", settings)
    try:
        return asyncio.run(backend.search(query, 5))
    finally:
        backend.close()


def test_processes_that_are_killed_leave_whole_documents_and_the_next_goes_on(corpus: Path) -> None:
    for enough in (1, 40, 90):
        process = started(corpus, "number7")
        while process.poll() is None and indexed(corpus) < enough:
            time.sleep(0.002)
        process.kill()
        process.communicate()
        assert enough <= state(corpus)["sources"] < FILES
        assert state(corpus)["documents"] == state(corpus)["sources"]
    assert [item.url for item in search(corpus, "number7")] == ["007.md"]
    whole = state(corpus)
    assert whole["sources"] == whole["documents"] == FILES
    assert whole["passages"] == whole["words"] >= FILES


def test_processes_that_index_at_once_do_nothing_twice(corpus: Path) -> None:
    processes = [started(corpus, f"number{n}") for n in range(4)]
    for number, process in enumerate(processes):
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert json.loads(out.splitlines()[-1]) == [f"{number:03}.md"]
    counts = state(corpus)
    assert counts["sources"] == counts["documents"] == FILES


def test_a_document_of_50_mb_is_searched_to_its_end(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    rng = random.Random(1)
    words = [f"word{n}" for n in range(3_000)]
    with (folder / "huge.txt").open("w", encoding="utf-8") as stream:
        size = 0
        while size < 50_000_000:
            size += stream.write(" ".join(rng.choices(words, k=400)) + ".\n\n")
        stream.write("The zanzibarite quota of Ostrava was 4,711 tons. 鑽石配額為四千噸。")
    for query in ("zanzibarite quota of Ostrava", "钻石配额"):
        item = search(folder, query)[0]
        assert "4,711 tons" in item.description
        assert item.url.startswith("huge.txt#part=")
    backend = FolderBackend(folder, None, SearchSettings(embedder="none", max_document_chars=1_000_000))
    assert asyncio.run(backend.search("zanzibarite", 5)) == []
    assert any("huge.txt is long" in note for note in backend.notes)


def test_a_foreign_chroma_collection_is_searched(tmp_path: Path) -> None:
    import chromadb

    client: Any = chromadb.PersistentClient(
        str(tmp_path / "chroma"), settings=chromadb.config.Settings(anonymized_telemetry=False)
    )
    collection = client.create_collection("news", embedding_function=None)
    texts = ["第三季外銷訂單年增5.2%。", "The ferry terminal opens in May."]
    facts = [{"url": "https://a.example/1", "title": "訂單", "date": "2024/5/1"}, {"site": "Harbour Times"}]
    vectors = [[0.1, 0.2], [0.3, 0.1]]
    collection.add(ids=["1", "b/2"], documents=texts, metadatas=facts, embeddings=vectors)
    client.create_collection("other", embedding_function=None)
    client.close()
    settings = Settings.model_validate({"research": {"search": {"embedder": "none"}}})
    backend = open_backend(settings, tmp_path, "chroma:chroma#news")
    (item,) = asyncio.run(backend.search("外销订单", 5))
    assert (item.url, item.name, item.date) == ("https://a.example/1", "訂單", "2024-05-01")
    (item,) = asyncio.run(backend.search("ferry", 5))
    assert (item.url, item.site) == ("chroma:news/b/2", "Harbour Times")
    with pytest.raises(SearchUnavailable, match="news, other"):
        asyncio.run(open_backend(settings, tmp_path, "chroma").search("ferry", 5))


@pytest.mark.parametrize(("embedder", "least"), [("minilm", 0.72), ("e5", 0.85)])
def test_meaning_finds_what_words_do_not(embedder: str, least: float) -> None:
    kinds = measure(embedder)["kinds"]  # type: ignore[arg-type]  # a literal by another name
    assert kinds["all"]["r@1"] >= least
    assert kinds["en para"]["r@1"] >= 0.9
    if embedder == "e5":
        assert kinds["cross"]["r@3"] >= 0.8 and kinds["zh para"]["r@3"] >= 0.9
