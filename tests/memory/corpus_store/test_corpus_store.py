"""What past runs did, and items of their own, behind LangGraph's store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.base import GetOp, PutOp, SearchItem
from langgraph.store.memory import InMemoryStore

from configs.loading import load_settings
from memory.corpus_store.corpus_items import CorpusItems
from memory.corpus_store.matching import holds
from memory.corpus_store.opening import open_store
from memory.corpus_store.plain_items import open_plain_items
from memory.corpus_store.store import CorpusStore
from memory.errors import StoreReadOnly, StoreUnusable
from models.embeddings import Embedder
from models.errors import ModelUnavailable
from tests.memory.places import Experience, event
from tests.support.hashing_embedder import HashingEmbedder

PROJECT, GLOBAL = ("experience", "project"), ("experience", "global")


@asynccontextmanager
async def opened(
    experience: Experience, embedder: Callable[[], Embedder] | None = None
) -> AsyncIterator[CorpusStore]:
    corpora = CorpusItems(experience.open())
    path = experience.root / ".reflect" / "store.sqlite"
    async with open_plain_items(path, embedder or (lambda: experience.embedder)) as items:
        yield CorpusStore(corpora, items)


def keys(items: list[SearchItem]) -> list[str]:
    return [item.key for item in items]


async def test_a_query_finds_what_the_corpus_finds_with_its_scores(experience: Experience) -> None:
    corpora = experience.open()
    corpora.append(event("count the python files", meta={"lesson": "count below src"}))
    corpora.append(event("who wrote the changelog"))
    [hit] = corpora.search("count the python files", scope="project")
    async with opened(experience) as store:
        [item] = await store.asearch(PROJECT, query="count the python files")
        again = await store.aget(PROJECT, item.key)
        elsewhere = await store.asearch(GLOBAL, query="count the python files")
    assert (item.key, item.score) == (hit.event_id, hit.score)
    assert item.value["goal"] == "count the python files" and item.value["lesson"] == "count below src"
    assert again is not None and again.value == item.value and again.updated_at == hit.at
    assert elsewhere == []


async def test_without_a_query_the_newest_come_first_and_pages_follow_one_another(
    experience: Experience,
) -> None:
    corpora = experience.open()
    for days in (3, 1, 2):
        corpora.append(event(f"done {days} days ago", days_ago=days))
    async with opened(experience) as store:
        everything = await store.asearch(PROJECT)
        paged = [(await store.asearch(PROJECT, limit=1, offset=number))[0] for number in range(3)]
    assert [item.value["goal"] for item in everything] == [f"done {days} days ago" for days in (1, 2, 3)]
    assert keys(paged) == keys(everything) and [item.score for item in everything] == [None] * 3
    assert experience.embedder.embedded == []


async def test_a_record_without_an_id_can_be_found_and_got(experience: Experience) -> None:
    corpora = experience.open()
    corpora.append(event("count the files"))
    line = experience.file.read_text("utf-8").replace('"event_id"', '"forgotten"')
    experience.file.write_text(line, "utf-8")
    async with opened(experience) as store:
        [item] = await store.asearch(PROJECT)
        got = await store.aget(PROJECT, item.key)
    assert item.value["event_id"] == "" and got is not None and got.value == item.value


@pytest.mark.parametrize("namespace", [PROJECT, GLOBAL, ("experience",), ("experience", "notes", "mine")])
@pytest.mark.parametrize("value", [{"goal": "mine"}, None])
async def test_nothing_is_written_to_the_corpora_nor_beside_a_refused_write(
    experience: Experience, namespace: tuple[str, ...], value: Any
) -> None:
    async with opened(experience) as store:
        with pytest.raises(StoreReadOnly, match="experience"):
            await store.abatch([PutOp(("notes",), "one", {"text": "x"}), PutOp(namespace, "two", value)])
        assert await store.aget(("notes",), "one") is None
    assert not experience.file.exists()


async def test_items_of_their_own_are_searched_by_meaning_and_outlive_the_process(
    experience: Experience,
) -> None:
    async with opened(experience) as store:
        await store.aput(("notes", "anna"), "harbour", {"text": "the harbour closes at nine"})
        await store.aput(("notes", "anna"), "bread", {"text": "bread is baked in the morning"})
        await store.aput(("notes", "ben"), "ships", {"text": "ships wait outside"})
    async with opened(experience) as store:
        found = await store.asearch(("notes",), query="the harbour closes")
        second = await store.asearch(("notes",), query="the harbour closes", limit=1, offset=2)
        got = await store.aget(("notes", "anna"), "bread")
        listed = await store.asearch(("notes", "ben"))
    assert found[0].key == "harbour" and len(found) == 3 and keys(second) == [found[2].key]
    assert all(isinstance(item.score, float) for item in found)
    assert got is not None and got.value == {"text": "bread is baked in the morning"}
    assert keys(listed) == ["ships"]


async def test_an_item_written_anew_is_found_by_what_it_says_now_and_a_deleted_one_not(
    experience: Experience,
) -> None:
    async with opened(experience) as store:
        await store.aput(("notes",), "one", {"text": "harbour"})
        await store.aput(("notes",), "one", {"text": "bread"})
        await store.aput(("notes",), "two", {"text": "bread"})
        await store.adelete(("notes",), "two")
        [now] = await store.asearch(("notes",), query='{"text":"bread"}')
    assert now.key == "one" and now.score == pytest.approx(1, abs=1e-3)


async def test_vectors_of_another_model_are_made_anew_also_after_a_time_without_any(
    experience: Experience, caplog: pytest.LogCaptureFixture
) -> None:
    def none() -> Embedder:
        raise ModelUnavailable("There is no model.", "")

    async with opened(experience) as store:
        await store.aput(("notes",), "old", {"text": "harbour"})
    with caplog.at_level(logging.WARNING):
        async with opened(experience, none) as store:
            await store.aput(("notes",), "meanwhile", {"text": "bread"})
            listed = await store.asearch(("notes",), query="harbour")
    assert {item.score for item in listed} == {None} and "There is no model" in caplog.text
    other = HashingEmbedder("other", 16)
    async with opened(experience, lambda: other) as store:
        found = await store.asearch(("notes",), query='{"text":"bread"}')
    assert keys(found) == ["meanwhile", "old"] and found[0].score == pytest.approx(1, abs=1e-3)
    before = list(other.embedded)
    async with opened(experience, lambda: other):
        assert other.embedded == before


async def test_all_namespaces_are_listed_and_searched_together(experience: Experience) -> None:
    corpora = experience.open()
    corpora.append(event("count the files"), to_global=True)
    async with opened(experience) as store:
        await store.aput(("notes", "anna"), "one", {"text": "count"})
        named = await store.alist_namespaces()
        first = await store.alist_namespaces(max_depth=1)
        ended = await store.alist_namespaces(suffix=("global",))
        starred = await store.alist_namespaces(prefix=("*", "anna"))
        paged = await store.alist_namespaces(limit=1, offset=1)
        everything = await store.asearch(())
        both = await store.asearch(("experience",), query="count the files")
    assert named == [GLOBAL, PROJECT, ("notes", "anna")]
    assert first == [("experience",), ("notes",)] and ended == [GLOBAL] and starred == [("notes", "anna")]
    assert paged == [PROJECT]
    assert {item.namespace for item in everything} == {PROJECT, GLOBAL, ("notes", "anna")}
    assert {item.namespace for item in both} == {PROJECT, GLOBAL}


async def test_a_filter_holds_for_records_as_for_items(experience: Experience) -> None:
    corpora = experience.open()
    corpora.append(event("count the files"))
    corpora.append(event("count the lines", outcome_status="failure", error="no such file"))
    async with opened(experience) as store:
        failed = await store.asearch(PROJECT, filter={"outcome": "failure"})
        nobody = await store.asearch(PROJECT, filter={"helpful": {"$gt": 3}})
        with pytest.raises(ValueError, match="like"):
            await store.asearch(PROJECT, filter={"goal": {"$like": "x"}})
    assert [item.value["goal"] for item in failed] == ["count the lines"] and nobody == []


async def test_a_thread_may_call_it_and_its_own_loop_may_not_wait_for_itself(experience: Experience) -> None:
    async with opened(experience) as store:
        await store.aput(("notes",), "one", {"text": "x"})
        got = await asyncio.to_thread(store.batch, [GetOp(("notes",), "one")])
        with pytest.raises(RuntimeError, match="aget"):
            store.get(("notes",), "one")
    assert got[0].value == {"text": "x"}


async def test_items_are_not_kept_in_clear_beside_encrypted_threads(
    experience: Experience, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_KEY", "0" * 64)
    found = load_settings(experience.root, {"checkpoints.encryption_key_env": "THE_KEY"}).settings
    async with open_store(experience.root, found) as store:
        with pytest.raises(StoreReadOnly, match="encrypt"):
            await store.aput(("notes",), "one", {"text": "x"})
        assert await store.asearch(("notes",)) == []
    assert (experience.root / ".reflect" / "store.sqlite").exists()


@pytest.mark.parametrize("what", ["garbage", "link", "directory"])
async def test_a_file_that_is_no_database_is_told(experience: Experience, what: str) -> None:
    path = experience.root / ".reflect" / "store.sqlite"
    path.parent.mkdir()
    if what == "garbage":
        path.write_bytes(b"nothing of SQLite" * 100)
    elif what == "link":
        path.symlink_to(experience.home / "elsewhere.sqlite")
    else:
        path.mkdir()
    with pytest.raises(StoreUnusable, match="store.sqlite"):
        async with open_plain_items(path, lambda: experience.embedder):
            pass
    assert list(experience.home.iterdir()) == []


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["a", "b"]))
CONDITIONS = st.one_of(
    VALUES,
    st.dictionaries(st.sampled_from(["$eq", "$ne"]), VALUES, min_size=1),
    st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), st.integers(-3, 3), min_size=1),
)


@settings(max_examples=100)
@given(st.integers(-3, 3), CONDITIONS)
def test_a_filter_means_what_it_means_in_langgraphs_own_store(number: int, condition: Any) -> None:
    theirs = InMemoryStore()
    theirs.put(("notes",), "one", {"number": number})
    found = theirs.search(("notes",), filter={"number": condition})
    assert holds({"number": number}, {"number": condition}) == bool(found)


async def test_the_store_opens_below_a_root_that_has_nothing_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with open_store(tmp_path, load_settings(tmp_path).settings) as store:
        assert await store.alist_namespaces() == []
        assert await store.asearch(PROJECT, query="anything") == []
