from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

import pytest

from memory.errors import CorpusUnwritable
from memory.experience.corpus_index import CorpusIndex
from memory.experience.open_indexes import open_index
from tests.memory.places import Experience, event
from tests.support.hashing_embedder import HashingEmbedder


def goals(hits: list[Any]) -> list[str]:
    return [hit.goal for hit in hits]


def test_what_was_appended_is_found(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count the python files", meta={"lesson": "count the python files below src"}))
    corpus.append(event("who wrote the changelog"))
    [hit] = corpus.search("count the python files")
    assert (hit.goal, hit.scope, hit.outcome) == ("count the python files", "project", "success")
    assert hit.lesson == "count the python files below src"
    assert 0.7 <= hit.score <= 1
    assert hit.at is not None and hit.at.tzinfo is not None


def test_nothing_is_returned_below_the_threshold(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("largest markdown document"))
    assert corpus.search("who committed yesterday evening") == []
    assert goals(experience.open(similarity_threshold=0).search("who committed")) != []


def test_searching_nothing_opens_no_embedding_model(experience: Experience) -> None:
    corpus = experience.open()
    assert corpus.search("anything") == []
    corpus.append(event("anything"))
    assert corpus.search("  ") == []
    assert corpus.search("anything", top_k=0) == []
    assert experience.embedder.embedded == []


def test_appending_leaves_the_index_alone(experience: Experience) -> None:
    experience.open().append(event())
    assert experience.embedder.embedded == []
    assert not experience.index.exists()


def test_a_settled_search_embeds_nothing_new_and_finds_it_by_its_words(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("list all yaml files"))
    assert goals(corpus.search("list all yaml files")) == ["list all yaml files"]
    corpus.append(event("largest markdown document"))
    before = list(experience.embedder.embedded)
    assert goals(corpus.search("largest markdown document", settled=True)) == ["largest markdown document"]
    assert experience.embedder.embedded == [*before, "largest markdown document"]
    assert "largest markdown document" in goals(corpus.search("largest markdown document"))
    assert len(experience.embedder.embedded) == len(before) + 3


def test_a_settled_search_of_what_was_never_indexed_indexes_it(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("list all yaml files"))
    assert goals(corpus.search("list all yaml files", settled=True)) == ["list all yaml files"]
    assert len(experience.embedder.embedded) == 2


def test_project_comes_before_global_and_no_event_twice(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("list all yaml files", meta={"lesson": "all"}), to_global=True)
    assert corpus.shared is not None
    corpus.shared.append(event("list all yaml files"))
    hits = corpus.search("list all yaml files")
    assert [(hit.scope, hit.lesson) for hit in hits] == [("project", "all"), ("global", "")]
    assert hits[0].score < hits[1].score
    assert len(corpus.search("list all yaml files", top_k=1)) == 1


def test_another_project_finds_global_events_only(experience: Experience, tmp_path: Path) -> None:
    experience.open().append(event("count tests", outcome_status="success"), to_global=True)
    experience.open().append(event("count tests", outcome_status="failure"))
    (tmp_path / "other").mkdir()
    elsewhere = Experience(tmp_path / "other", experience.home)
    assert [(hit.scope, hit.outcome) for hit in elsewhere.open().search("count tests")] == [
        ("global", "success")
    ]


def test_a_project_that_is_the_home_has_one_corpus(tmp_path: Path) -> None:
    corpus = Experience(tmp_path, tmp_path).open()
    corpus.append(event("count tests"), to_global=True)
    assert len(corpus.corpora) == 1
    assert corpus.stats()[0].events == 1


def test_old_events_are_not_returned(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests", days_ago=31), to_global=True)
    assert [hit.scope for hit in corpus.search("count tests")] == ["global"]
    corpus.append(event("count tests", days_ago=29, outcome_status="failure"))
    assert [hit.scope for hit in corpus.search("count tests")] == ["project", "global"]


def test_the_newest_of_equal_events_is_kept(experience: Experience) -> None:
    corpus = experience.open()
    for days in (5, 1, 9):
        corpus.append(event("count tests", days_ago=days, session_id=f"s{days}"))
    [hit] = corpus.search("count tests")
    assert hit.recollection.session_id == "s1"


def test_only_what_is_worth_recalling_is_found(experience: Experience) -> None:
    corpus = experience.open()
    for kind in ("planning", "execution", "verification"):
        corpus.append(event("count tests", event_type=kind))
    assert corpus.search("count tests") == []
    corpus.append(event("count tests", event_type="execution", outcome_status="failure", error="tests"))
    assert [hit.error for hit in corpus.search("count tests")] == ["tests"]


def test_bad_lines_are_counted_and_kept_and_hide_nothing(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    junk = (
        b"\x00\x00\n[]\n42\n\xff\xfe\n{}\n" + json.dumps({"event_type": None, "goal": None}).encode() + b"\n{"
    )
    with experience.file.open("ab") as stream:
        stream.write(junk)
    corpus.append(event("who wrote it"))
    assert goals(corpus.search("count tests")) == ["count tests"]
    assert goals(corpus.search("who wrote it")) == ["who wrote it"]
    stats = corpus.stats()[0]
    assert (stats.events, stats.bad_lines, stats.indexed) == (4, 5, 2)
    assert stats.bytes == stats.indexed_offset == experience.file.stat().st_size
    assert junk in experience.file.read_bytes()


def test_a_deleted_index_is_rebuilt(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    assert goals(corpus.search("count tests")) == ["count tests"]
    experience.delete_index()
    assert goals(corpus.search("count tests")) == ["count tests"]
    assert goals(experience.next_process().search("count tests")) == ["count tests"]


def test_a_deleted_corpus_is_forgotten(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    corpus.search("count tests")
    experience.file.unlink()
    assert corpus.search("count tests") == []
    corpus.append(event("who wrote it"))
    assert goals(corpus.search("who wrote it")) == ["who wrote it"]
    assert corpus.search("count tests") == []


@pytest.mark.parametrize("damage", ["garbage", "empty", "half", "gone", "state"])
def test_a_damaged_index_is_set_aside_and_rebuilt_with_a_warning(
    experience: Experience, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    corpus.search("count tests")
    corpus = experience.next_process()
    database = experience.generation() / "chroma.sqlite3"
    if damage == "garbage":
        database.write_bytes(os.urandom(5000))
    elif damage == "gone":
        database.unlink()
    elif damage == "state":
        (database.parent.parent / "state.json").write_bytes(b"{")
    else:
        os.truncate(database, 0 if damage == "empty" else database.stat().st_size // 2)
    with caplog.at_level(logging.WARNING):
        assert goals(corpus.search("count tests")) == ["count tests"]
    assert "is rebuilt from its corpus" in caplog.text
    assert len(list(experience.index.glob("*/*.set-aside"))) == 1
    assert experience.file.read_text().count("\n") == 1


def test_an_index_whose_opening_ended_a_process_is_not_opened_again(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    corpus.search("count tests")
    corpus = experience.next_process()
    first = experience.generation()
    # 2**22 is the largest process id Linux gives out; none runs under a higher one.
    (first / f"opening-{2**22 + 1}").touch()
    assert goals(corpus.search("count tests")) == ["count tests"]
    assert experience.generation() != first


def test_embedders_never_share_vectors(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    for embedder in (
        HashingEmbedder(),
        HashingEmbedder("other"),
        HashingEmbedder("other", 32),
        HashingEmbedder(),
    ):
        experience.embedder = embedder
        assert goals(corpus.search("count tests")) == ["count tests"]
    assert len(list(experience.index.glob("events-*"))) == 3
    assert len(experience.embedder.embedded) == 1, "the first index was still good"


def test_a_rewritten_corpus_is_indexed_anew(experience: Experience) -> None:
    corpus = experience.open()
    for goal in ("count tests", "who wrote it", "list yaml"):
        corpus.append(event(goal))
    corpus.search("count tests")
    lines = experience.file.read_bytes().splitlines(keepends=True)
    experience.file.write_bytes(b"".join(lines[1:]))
    assert corpus.search("count tests") == []
    assert goals(corpus.search("list yaml")) == ["list yaml"]
    assert corpus.stats()[0].indexed == 2


def test_one_search_indexes_a_bounded_part_and_the_next_goes_on(experience: Experience) -> None:
    corpus = experience.open()
    for number in range(300):
        corpus.append(event(f"goal{number}"))
    corpus.search("goal299")
    assert corpus.stats()[0].indexed == 256
    assert "goal299" in goals(corpus.search("goal299", top_k=50))
    assert corpus.stats()[0].indexed == 300


def test_reindex_builds_all_of_it(experience: Experience) -> None:
    corpus = experience.open()
    for number in range(300):
        corpus.append(event(f"goal{number}"))
    assert corpus.project.reindex() == 300
    assert corpus.shared is not None and corpus.shared.reindex() == 0
    assert "goal7" in goals(corpus.search("goal7", top_k=50))


def test_an_index_that_cannot_be_written_leaves_the_corpus_usable(
    experience: Experience, caplog: pytest.LogCaptureFixture
) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    experience.index.write_bytes(b"a file where the index has to be")
    with caplog.at_level(logging.WARNING):
        assert corpus.search("count tests") == []
    assert "is not searched" in caplog.text
    corpus.append(event("count tests"))
    assert corpus.stats()[0].events == 2


def test_a_corpus_that_is_a_link_is_not_written_through(experience: Experience, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    experience.file.parent.mkdir(parents=True)
    experience.file.symlink_to(victim)
    with pytest.raises(CorpusUnwritable, match="link"):
        experience.open().append(event())
    assert victim.read_text() == "precious"


def test_no_secret_reaches_the_file(experience: Experience) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    made = event(f"use {secret}", stdout=secret, meta={"deep": [{"password": "hunter22"}]})
    changed = made.model_copy(update={"error": f"token={secret}"})
    experience.open().append(changed)
    text = experience.file.read_text()
    assert secret not in text and "hunter22" not in text


def test_files_are_private_and_out_of_git(experience: Experience) -> None:
    experience.open().append(event())
    assert experience.file.stat().st_mode & 0o077 == 0
    assert (experience.root / ".reflect" / ".gitignore").read_text() == "*\n"


def test_an_index_another_process_filled_meanwhile_is_not_counted_by_what_was_open_before(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = experience.open()
    corpus.append(event("goal number1"))
    corpus.search("goal number1")
    mine = open_index(experience.index, "hashing", 64)
    other = CorpusIndex(experience.index, "hashing", 64)
    corpus.append(event("goal number2"))
    while not corpus.project.table.catch_up():
        pass
    lagging = CorpusIndex._lags

    def lags(self: CorpusIndex, *arguments: Any) -> bool:
        late = lagging(self, *arguments)
        if self is mine:
            other.catch_up(corpus.project.table, experience.embedder.embed)
        return late

    monkeypatch.setattr(CorpusIndex, "_lags", lags)
    mine.catch_up(corpus.project.table, experience.embedder.embed)
    other.close()
    assert corpus.stats()[0].indexed == 2


@pytest.mark.parametrize("place", ["", "state.json.new", "generation", "generation/header.bin"])
def test_a_link_in_the_index_of_vectors_is_not_written_through(
    experience: Experience, tmp_path: Path, place: str
) -> None:
    corpus = experience.open()
    corpus.append(event("count tests"))
    corpus.search("count tests")
    victim = tmp_path / "victim"
    generation = experience.generation()
    link = generation.parent / place.replace("generation", generation.name)
    if link.is_dir():
        link.rename(victim)
    else:
        victim.write_text("precious")
        link.unlink(missing_ok=True)
    link.symlink_to(victim)

    def look() -> object:
        files = [victim] if victim.is_file() else sorted(victim.rglob("*"))
        return [(path, path.read_bytes() if path.is_file() else b"") for path in files]

    before = look()
    corpus = experience.next_process()
    corpus.append(event("count modules"))
    for _ in range(3):
        assert [hit.goal for hit in corpus.search("count modules", 1)] == ["count modules"]
        corpus = experience.next_process()
    assert look() == before


def test_of_several_indexes_the_one_that_was_used_last_is_counted(experience: Experience) -> None:
    corpus = experience.open()
    for goal in ("count tests", "largest module"):
        corpus.append(event(goal))
    corpus.search("count tests")
    experience.file.write_text(experience.file.read_text().splitlines()[0] + "\n")
    experience.embedder = HashingEmbedder("other")
    corpus.reindex()
    stats = corpus.stats()[0]
    assert stats.index.startswith("events-other-") and (stats.indexed, stats.texts) == (1, 1)
