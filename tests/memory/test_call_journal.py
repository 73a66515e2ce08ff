"""The journal of model calls: what is read back is what was written, whatever cut the writing short."""

import asyncio
import json
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.call_journal import (
    CallEnd,
    CallJournal,
    CallStart,
    call_key,
    journal_path,
    journals_of,
    new_run_id,
)
from memory.errors import MemoryStoreError

KEYS = st.sampled_from(["a", "b", "c"])
MOVES = st.lists(st.tuples(st.sampled_from(["begin", "end"]), KEYS, st.integers(0, 1000)), max_size=30)


async def write(path: Path | None, moves: list[tuple[str, str, int]]) -> CallJournal:
    """A journal in which calls begin and end; an end without a beginning is left out."""
    journal, begun = CallJournal(path), dict.fromkeys("abc", 0)
    for move, key, tokens in moves:
        if move == "begin":
            begun[key] += 1
            await journal.began(key, tokens, {"node": key})
        elif begun[key]:
            begun[key] -= 1
            await journal.ended(CallEnd(key, tokens, {"text": f"{key}{tokens}"}))
    return journal


@settings(deadline=None, max_examples=40)
@given(moves=MOVES)
def test_a_journal_read_back_is_the_one_that_was_written(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, str, int]]
) -> None:
    path = tmp_path_factory.mktemp("journal") / ".reflect" / "contractive" / "run.jsonl"
    written = asyncio.run(write(path, moves))
    read = CallJournal.read(path)
    assert (read.ends, read.unfinished(), read.tokens) == (written.ends, written.unfinished(), written.tokens)


@settings(deadline=None, max_examples=40)
@given(moves=MOVES, data=st.data())
def test_whatever_is_cut_off_no_call_is_cheaper_than_it_was(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, str, int]], data: st.DataObject
) -> None:
    """A killed process leaves a beginning of the file: no end in it is invented, and no beginning is free."""
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    whole = asyncio.run(write(path, moves))
    raw = path.read_bytes() if path.exists() else b""
    kept = raw[: data.draw(st.integers(0, len(raw)))]
    path.write_bytes(kept)
    read = CallJournal.read(path)
    *lines, last = kept.split(b"\n")
    # A last line that lacks nothing but its end is whole.
    records = [json.loads(line) for line in [*lines, *([last] if last.endswith(b"}}") else [])]]
    ended = [record for record in records if "tokens" in record]
    assert {key: end.tokens for key, end in read.ends.items()} == {r["key"]: r["tokens"] for r in ended}
    assert set(read.ends) <= set(whole.ends)
    begun = sum(record["most"] for record in records if "most" in record)
    assert read.tokens >= sum(end.tokens for end in read.ends.values())
    assert sum(start.most for start in read.unfinished()) <= begun


async def test_a_call_made_again_after_a_kill_is_paid_for_twice(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    await CallJournal(path).began("a", 70)
    again = CallJournal.read(path)
    assert again.tokens == 70 and again.unfinished() == [CallStart("a", 70, {})]
    await again.began("a", 70)
    assert again.tokens == 140
    await again.ended(CallEnd("a", 20, {"text": "4"}))
    assert again.tokens == 90 and CallJournal.read(path).tokens == 90


async def test_many_calls_of_one_moment_are_all_written_and_by_their_owner_only(tmp_path: Path) -> None:
    path = journal_path(tmp_path / ".reflect", "thread-1")
    journal = CallJournal(path)
    await asyncio.gather(*(journal.began(call_key("solve", number), number) for number in range(200)))
    assert len(path.read_text("utf-8").splitlines()) == 200
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert CallJournal.read(path).tokens == sum(range(200))


async def test_a_waiter_that_is_cancelled_loses_no_line(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = CallJournal(path)
    first = asyncio.create_task(journal.began("a", 1))
    await asyncio.sleep(0)
    first.cancel()
    await journal.began("b", 2)
    with pytest.raises(asyncio.CancelledError):
        await first
    assert CallJournal.read(path).unfinished() == [CallStart("a", 1, {}), CallStart("b", 2, {})]


async def test_a_journal_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    journal = CallJournal(tmp_path / "file" / "run.jsonl")
    with pytest.raises(MemoryStoreError):
        await journal.began("a", 1)
    with pytest.raises(MemoryStoreError):
        await journal.began("b", 1)


def test_other_lines_in_the_file_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(
        b'{"key": 5}\nnot json\n\xff\xfe\n[]\n{"key": "a", "tokens": 3, "facts": {"text": "4"}}\n{"key"'
    )
    assert CallJournal.read(path).ends == {"a": CallEnd("a", 3, {"text": "4"})}


@settings(deadline=None, max_examples=40)
@given(moves=MOVES, data=st.data())
def test_whatever_lines_are_lost_the_rest_is_read_and_every_end_counts(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, str, int]], data: st.DataObject
) -> None:
    """A beginning that was garbled leaves its end, and two ends of one call are two that were paid for."""
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    asyncio.run(write(path, moves))
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    kept = [line for line in lines if not data.draw(st.booleans())]
    path.write_bytes(b"".join(kept))
    ended = sum(json.loads(line).get("tokens", 0) for line in kept)
    read = CallJournal.read(path)
    assert read.tokens == ended + sum(start.most for start in read.unfinished())


def test_keys_differ_by_place_and_by_prompt() -> None:
    keys = {
        call_key("solve", "0", (1, 0), "worker", ("human", "a")),
        call_key("solve", "0", (1, 1), "worker", ("human", "a")),
        call_key("solve", "0.1", (1, 0), "worker", ("human", "a")),
        call_key("solve", "0", (1, 0), "worker", ("human", "b")),
        call_key("solve", "0", (1, 0), "critic", ("human", "a")),
    }
    assert len(keys) == 5 and call_key("\ud800") == call_key("\ud800")


THREADS = st.one_of(
    st.text(max_size=20),
    st.text("ab-.0", min_size=100, max_size=140),
    st.sampled_from(
        ["a", "a-0123456789ab", "a-0123456789ab-0123456789ab", "a.*", "thread-0", "x" * 128, "../a"]
    ),
)


@settings(deadline=None, max_examples=40)
@given(threads=st.lists(THREADS, min_size=1, max_size=6, unique=True))
def test_a_thread_knows_the_journals_of_its_runs_and_no_others(
    tmp_path_factory: pytest.TempPathFactory, threads: list[str]
) -> None:
    project = tmp_path_factory.mktemp("project")
    made = {thread: {journal_path(project, new_run_id(thread)) for _ in range(2)} for thread in threads}
    for path in set().union(*made.values()):
        path.parent.mkdir(exist_ok=True)
        path.touch()
        path.with_name(f"{path.name}.lock").touch()
    for thread, paths in made.items():
        assert {path for path in journals_of(project, thread) if path.suffix == ".jsonl"} == paths
        assert len(journals_of(project, thread)) == 4


def test_no_journals_are_looked_for_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "t-0123456789ab.jsonl").touch()
    (tmp_path / "contractive").symlink_to("elsewhere")
    assert journals_of(tmp_path, "t") == [] == journals_of(tmp_path / "none", "t")


async def test_no_failure_of_any_kind_is_taken_for_a_line_that_was_written(tmp_path: Path) -> None:
    """A link in the directory's place, a value JSON cannot hold: whoever waits is told of it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect" / "contractive").symlink_to(elsewhere)
    journal = CallJournal(journal_path(tmp_path / ".reflect", "run"))
    with pytest.raises(MemoryStoreError):
        await journal.began("a", 1)
    with pytest.raises(TypeError):
        await CallJournal(tmp_path / "run.jsonl").began("b", 1, {"no": object()})
    assert journal.tokens == 0 and list(elsewhere.iterdir()) == []
