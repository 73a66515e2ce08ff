from __future__ import annotations

import logging
import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memory.experience import keyword_search
from memory.experience.keyword_search import keyword_matches
from memory.experience.record_schema import SCHEMA
from memory.experience.words import words_of
from tests.memory.places import Experience, event
from tests.support.hashing_embedder import HashingEmbedder

TEXTS = ["count the python files", "largest markdown document", "who wrote config_loader.py", "café menu"]


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    for statement in SCHEMA:
        made.execute(statement)
    for number, text in enumerate(TEXTS, start=1):
        made.execute("INSERT INTO texts(digest, text) VALUES (?, ?)", (text, text))
        made.execute("INSERT INTO words(rowid, tokens) VALUES (?, ?)", (number, " ".join(words_of(text))))
    return made


def found(query: str, database: sqlite3.Connection) -> list[str]:
    return [match.digest for match in keyword_matches(query, len(TEXTS), {}, database)]


@given(
    st.text()
    | st.lists(st.sampled_from(['"', "NEAR(", "*", "-", "tokens:", "AND", "OR", "NOT", "^", "(", "a"])).map(
        " ".join
    )
)
@example('NEAR("count python", 2)')
@example("tokens: count AND python*")
@example('"unbalanced')
@settings(deadline=None)
def test_no_text_is_an_error(database: sqlite3.Connection, query: str) -> None:
    for match in keyword_matches(query, len(TEXTS), {}, database):
        assert keyword_search.LEAST_COVERAGE <= match.coverage <= 1.0


def test_texts_that_carry_most_of_the_query_are_found(database: sqlite3.Connection) -> None:
    assert found("COUNT python file", database) == ["count the python files"]
    assert found("config loader", database) == ["who wrote config_loader.py"]
    assert found("cafe", database) == ["café menu"]
    assert found("count the words of every chapter", database) == []
    assert found("the", database) == ["count the python files"]
    assert found("", database) == found("?!", database) == []


def test_frequent_words_are_not_scored_but_together_they_still_find(
    database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyword_search, "MOST_POSTINGS", 0)
    assert found("count python", database) == ["count the python files"]


def test_another_models_index_is_not_mixed_and_a_large_corpus_is_not_embedded_unasked(
    experience: Experience, caplog: pytest.LogCaptureFixture
) -> None:
    corpus = experience.open()
    for number in range(300):
        corpus.append(event(f"goal number{number}"))
    corpus.reindex()
    experience.embedder = HashingEmbedder("another", 32)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert [hit.goal for hit in corpus.search("goal number7")] == ["goal number7"]
    assert caplog.text.count("run `reflect experience reindex`") == 1
    assert set(experience.embedder.embedded) == {"goal number7"}
    [problem] = corpus.index_problems()
    assert "hashing" in problem and "another (32 dimensions)" in problem
    assert corpus.reindex("project") == {"project": 300}
    assert corpus.index_problems() == []
    assert len(experience.embedder.embedded) > 300


def test_words_find_while_another_process_keeps_the_vectors_locked(
    experience: Experience, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from filelock import FileLock

    from memory.experience import corpus_index

    monkeypatch.setattr(corpus_index, "_LOCK_SECONDS", 0.01)
    corpus = experience.open()
    corpus.append(event("count tests"))
    corpus.search("count tests")
    [directory] = experience.index.glob("events-*")
    with FileLock(directory / "lock"):
        assert [hit.goal for hit in corpus.search("count tests")] == ["count tests"]
    assert "by words only" in caplog.text


def table_file(experience: Experience) -> Path:
    [path] = experience.index.glob("keywords-*.sqlite")
    return path


@pytest.mark.parametrize("damage", ["garbage", "empty", "half", "gone", "tables"])
@pytest.mark.parametrize("open_already", [True, False])
def test_a_damaged_table_is_built_anew(
    experience: Experience, damage: str, open_already: bool, caplog: pytest.LogCaptureFixture
) -> None:
    corpus = experience.open()
    for number in range(5):
        corpus.append(event(f"goal number{number}"))
    corpus.search("goal number1")
    if not open_already:
        corpus = experience.next_process()
    path = table_file(experience)
    if damage == "gone":
        path.unlink()
    elif damage == "tables":
        with sqlite3.connect(path) as other:
            other.execute("DROP TABLE records")
        other.close()
    else:
        size = path.stat().st_size
        path.write_bytes(
            {"garbage": b"\xa5" * size, "empty": b"", "half": path.read_bytes()[: size // 2]}[damage]
        )
    embedded = len(experience.embedder.embedded)
    for name in ("goal number1", "goal number4"):
        assert name in [hit.goal for hit in corpus.search(name)]
    corpus.append(event("goal number5"))
    assert "goal number5" in [hit.goal for hit in corpus.search("goal number5")]
    assert len(experience.embedder.embedded) == embedded + 4, "three queries and one new text"


def test_what_another_process_keeps_locked_is_searched_as_it_was(
    experience: Experience, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from memory.experience import record_table

    monkeypatch.setattr(record_table, "_BUSY_SECONDS", 0.01)
    corpus = experience.open()
    corpus.append(event("count tests"))
    corpus.search("count tests")
    other = sqlite3.connect(table_file(experience), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    corpus.append(event("who wrote it"))
    assert [hit.goal for hit in corpus.search("count tests")] == ["count tests"]
    assert "The newest experience" in caplog.text
    other.execute("ROLLBACK")
    other.close()
    assert [hit.goal for hit in corpus.search("who wrote it")] == ["who wrote it"]


@given(st.text(max_size=200))
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_words_are_folded_and_bounded(text: str) -> None:
    for word in words_of(text):
        assert word and len(word) <= 64 and word == word.casefold() and not set(word) & set(' "*_')


def test_a_corpus_that_may_only_be_read_is_searched_all_the_same(
    experience: Experience, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    experience.open().append(event("count tests"))
    place = experience.file.parent
    # Whoever runs the tests may write everywhere if it is root.
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(place))
    for _ in range(2):
        assert [hit.goal for hit in experience.open().search("count tests")] == ["count tests"]
    assert not experience.index.exists()
    assert caplog.text.count("cannot be written") == 1


def test_an_index_that_is_a_link_is_not_written_through(experience: Experience, tmp_path: Path) -> None:
    experience.open().append(event("count tests"))
    victim = tmp_path / "victim"
    victim.mkdir()
    experience.index.symlink_to(victim)
    assert [hit.goal for hit in experience.open().search("count tests")] == ["count tests"]
    assert list(victim.iterdir()) == []


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_a_table_that_is_a_link_is_replaced(experience: Experience, tmp_path: Path, end: str) -> None:
    experience.open().append(event("count tests"))
    victim = tmp_path / "victim"
    experience.index.mkdir()
    database = experience.index / "keywords-0a.sqlite"
    if end:
        sqlite3.connect(database).close()
        victim.write_text("precious")
    (experience.index / f"keywords-0a.sqlite{end}").symlink_to(victim)
    assert [hit.goal for hit in experience.open().search("count tests")] == ["count tests"]
    assert victim.read_text() == "precious" if end else not victim.exists()
    assert not any(path.is_symlink() for path in experience.index.iterdir())
