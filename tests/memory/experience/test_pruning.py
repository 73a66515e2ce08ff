from __future__ import annotations

import json
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.corpus import HybridExperience
from memory.errors import CorpusUnwritable, PruneBusy, RecordsUnshared
from memory.experience import experience_corpus
from memory.experience.mirror_state import STATE, MirrorPlace
from memory.experience.open_indexes import close_indexes
from tests.memory.places import Experience, event
from tests.memory.test_episodes_and_feedback import KEY, episode, feedback, ids

JUNK = b"\x00garbage\n[]\n" + json.dumps({"goal": "no time", "event_type": "episode"}).encode() + b"\n"


def prune(corpus: HybridExperience) -> int:
    return corpus.prune("project")["project"].events


def test_only_what_is_old_and_did_not_help_goes_with_what_is_said_about_it(experience: Experience) -> None:
    corpus = experience.open()
    for one in (
        episode("old", days_ago=31),
        episode("old-helpful", days_ago=31, goal="how many python files"),
        episode("old-even", days_ago=31, goal="number of the python files"),
        episode("new", days_ago=29, meta={"plan": {"steps": ["other"]}}),
        feedback("f1", "old-helpful", helpful=1),
        feedback("f2", "old-even", helpful=1),
        feedback("f3", "old-even", harmful=1),
        feedback("f4", "new", helpful=1),
        feedback("f5", "elsewhere", helpful=1),
    ):
        corpus.append(one)
    with experience.file.open("ab") as stream:
        stream.write(JUNK)
    before = experience.file.read_bytes()
    assert corpus.prune("project", dry_run=True)["project"].events == 4
    assert experience.file.read_bytes() == before
    assert ids(corpus.search("how many python files old helpful")) == ["old-helpful"]
    assert prune(corpus) == 4
    left = experience.file.read_bytes()
    assert left.endswith(JUNK)
    assert [json.loads(line)["event_id"] for line in left.splitlines()[:-3]] == [
        "old-helpful", "new", "f1", "f4", "f5",
    ]  # fmt: skip
    assert {one.event_id: one.helpful for one in corpus.episodes(KEY)} == {"old-helpful": 1, "new": 1}
    assert prune(corpus) == 0


def test_pruning_embeds_nothing_again_and_leaves_no_vector_behind(experience: Experience) -> None:
    corpus = experience.open()
    for number in range(20):
        corpus.append(event(f"goal number{number}", days_ago=40 if number % 3 else 1))
    corpus.search("goal number0")
    embedded = len(experience.embedder.embedded)
    assert prune(corpus) == 13
    for again in (corpus, experience.next_process()):
        for number in range(20):
            goal = f"goal number{number}"
            assert (goal in [hit.goal for hit in again.search(goal)]) == (number % 3 == 0)
    assert len(experience.embedder.embedded) == embedded + 40, "the queries only"
    stats = corpus.stats()[0]
    assert (stats.events, stats.indexed, stats.texts, stats.indexed_offset) == (7, 7, 7, stats.bytes)


def test_vectors_of_many_pruned_events_are_taken_out_by_the_pruning_not_by_a_search(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.experience import corpus_index

    corpus = experience.open()
    for number in range(12):
        corpus.append(event(f"goal number{number}", days_ago=40 if number else 1))
    corpus.search("goal number0")
    monkeypatch.setattr(corpus_index, "MOST_AT_ONCE", 4)
    with monkeypatch.context() as patch:
        patch.setattr(corpus.project, "_tidy_vectors", lambda: None)
        assert prune(corpus) == 11
    assert [hit.goal for hit in corpus.search("goal number0")] == ["goal number0"]
    assert corpus.stats()[0].indexed == 12, "left alone by the search"
    corpus.append(event("goal old", days_ago=50))
    assert prune(corpus) == 1
    assert corpus.stats()[0].indexed == 1
    assert [hit.goal for hit in experience.next_process().search("goal number0")] == ["goal number0"]
    assert corpus.stats()[0].indexed == 1


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["old", "new", "junk", "twice"]), st.integers(0, 3)),
        min_size=1,
        max_size=12,
    ),
    st.binary(max_size=6),
)
def test_offsets_still_fit_after_pruning(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, int]], torn: bytes
) -> None:
    place = tmp_path_factory.mktemp("pruning")
    for name in ("project", "home"):
        (place / name).mkdir()
    experience = Experience(place / "project", place / "home")
    corpus = experience.open()
    kept: dict[str, str] = {}
    corpus.append(episode("first", meta={"key": "first"}))
    for number, (kind, size) in enumerate(lines):
        if kind == "junk":
            with experience.file.open("ab") as stream:
                stream.write(b"x" * size + b"\n")
            continue
        one = episode(f"e{number}", goal="g" * (size + 1), days_ago=50 if kind == "old" else 0)
        for _ in range(2 if kind == "twice" else 1):
            corpus.append(one)
        if kind != "old":
            kept[one.event_id] = one.goal
    torn = torn.replace(b"\n", b"") + b"{"
    with experience.file.open("ab") as stream:
        stream.write(torn)
    removed = prune(corpus)
    assert removed == sum(kind == "old" for kind, _ in lines)
    assert {one.event_id: one.goal for one in corpus.episodes(KEY, most=99)} == kept
    assert experience.file.read_bytes().endswith(torn)
    stats = corpus.stats()[0]
    assert stats.duplicates == sum(kind == "twice" for kind, _ in lines)
    corpus.append(episode("later", goal="later"))
    assert "later" in ids(corpus.episodes(KEY, most=99))
    close_indexes()
    assert {one.event_id for one in corpus.episodes(KEY, most=99)} == {*kept, "later"}


def test_praise_that_comes_while_an_event_is_left_out_keeps_it(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = experience.open()
    corpus.append(episode("old", days_ago=40))
    corpus.append(episode("older", days_ago=50, goal="another"))
    from memory.experience import compaction

    copied = compaction._copy
    praised: list[bool] = []

    def copy(source: int, target: int, start: int, stop: int) -> None:
        if not praised:
            praised.append(True)
            corpus.append(feedback("f", "old", helpful=1))
        copied(source, target, start, stop)

    monkeypatch.setattr(compaction, "_copy", copy)
    assert prune(corpus) == 1
    assert ids(corpus.episodes(KEY)) == ["old"]


def test_a_pruning_that_ends_in_the_middle_leaves_the_old_file(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = experience.open()
    corpus.append(episode("old", days_ago=40))
    corpus.append(episode("new"))
    before = experience.file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(
            Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
        )
        with pytest.raises(CorpusUnwritable, match="No space left"):
            corpus.prune()
    assert experience.file.read_bytes() == before
    assert ids(corpus.episodes(KEY)) == ["new"]
    assert not list(experience.file.parent.glob("*.pruning"))
    assert prune(corpus) == 1
    assert ids(corpus.episodes(KEY)) == ["new"]


def test_a_rename_the_table_did_not_learn_of_costs_a_rebuild_and_nothing_else(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = experience.open()
    corpus.append(episode("old", days_ago=40))
    corpus.append(episode("new"))
    from memory.experience import compaction

    monkeypatch.setattr(compaction, "_sync_directory", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        corpus.prune()
    assert experience.file.read_bytes().count(b"\n") == 1
    assert ids(corpus.episodes(KEY)) == ["new"]
    assert ids(corpus.search("count the python files")) == ["new"]


def test_two_prunings_at_once_are_refused(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(episode("old", days_ago=40))
    with FileLock(f"{experience.file}.prune.lock"), pytest.raises(PruneBusy, match="being pruned"):
        corpus.prune()


def test_the_global_corpus_keeps_longer(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(event("count tests", days_ago=40), to_global=True)
    corpus.append(event("count more tests", days_ago=100), to_global=True)
    assert {scope: one.events for scope, one in corpus.prune().items()} == {"project": 2, "global": 1}


def test_events_of_the_future_stay_and_come_last(experience: Experience) -> None:
    corpus = experience.open()
    corpus.append(episode("future", days_ago=-400, meta={"steps": ["same"]}))
    corpus.append(episode("past", days_ago=20, meta={"steps": ["same"]}))
    assert prune(corpus) == 0
    assert ids(corpus.episodes(KEY)) == ["past", "future"]
    assert ids(corpus.search("count the python files")) == ["past"]


def test_a_pruning_without_the_database_waits_for_a_process_that_sends(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = experience.open()
    corpus.append(event("an old one", days_ago=400))
    before = experience.file.read_bytes()
    sending = MirrorPlace(experience.file.with_name(STATE))
    monkeypatch.setattr(experience_corpus, "LOCK_SECONDS", 0.05)
    with sending.alone(0), pytest.raises(RecordsUnshared, match="Another process"):
        corpus.prune("project")
    assert experience.file.read_bytes() == before
    assert prune(corpus) == 1
