"""Rows of several runs in one transaction: all of them are kept, or all who waited are told."""

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from configs.settings import Settings
from memory.checkpoints import open_project_checkpointer
from memory.checkpoints.group_commit import GroupCommit

ADD = "INSERT INTO kept (id, said) VALUES (?, ?)"
AGAIN = "INSERT OR REPLACE INTO kept (id, said) VALUES (?, ?)"


@asynccontextmanager
async def opened(place: Path) -> AsyncIterator[tuple[aiosqlite.Connection, GroupCommit]]:
    async with aiosqlite.connect(place, isolation_level="IMMEDIATE") as conn:
        await conn.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, said TEXT NOT NULL)")
        await conn.commit()
        yield conn, GroupCommit(conn, asyncio.Lock())


def on_disk(place: Path) -> set[int]:
    with sqlite3.connect(place) as other:
        return {row[0] for row in other.execute("SELECT id FROM kept")}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_a_row_is_on_disk_when_its_writer_goes_on(pauses: list[int]) -> None:
    async def run(place: Path) -> None:
        async with opened(place) as (_, group):

            async def one(number: int, pause: int) -> None:
                for _ in range(pause):
                    await asyncio.sleep(0)
                await group.write(ADD, [(number, "x")])
                assert number in on_disk(place)

            await asyncio.gather(*(one(number, pause) for number, pause in enumerate(pauses)))
            await group.settled()
            assert on_disk(place) == set(range(len(pauses)))

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder) / "rows.sqlite"))


async def test_what_cannot_be_written_is_told_to_all_in_the_transaction_and_to_nobody_after(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path / "rows.sqlite") as (_, group):
        await group.write(ADD, [(1, "first")])
        told = await asyncio.gather(
            group.write(ADD, [(2, "good")]), group.write(ADD, [(1, "twice")]), return_exceptions=True
        )
        assert [type(one) for one in told] == [sqlite3.IntegrityError] * 2
        assert on_disk(tmp_path / "rows.sqlite") == {1}
        await group.write(ADD, [(3, "after")])
        assert on_disk(tmp_path / "rows.sqlite") == {1, 3}


async def test_rows_of_one_statement_keep_their_order(tmp_path: Path) -> None:
    async with opened(tmp_path / "rows.sqlite") as (conn, group):
        await asyncio.gather(*(group.write(AGAIN, [(1, str(number))]) for number in range(20)))
        async with conn.execute("SELECT said FROM kept") as cursor:
            assert await cursor.fetchall() == [("19",)]


async def test_a_writer_that_is_cancelled_leaves_the_others_their_rows(tmp_path: Path) -> None:
    async with opened(tmp_path / "rows.sqlite") as (_, group):
        writers = [asyncio.create_task(group.write(ADD, [(number, "x")])) for number in range(4)]
        await asyncio.sleep(0)
        writers[0].cancel()
        done = await asyncio.gather(*writers, return_exceptions=True)
        assert isinstance(done[0], asyncio.CancelledError) and done[1:] == [None] * 3
        assert {1, 2, 3} <= on_disk(tmp_path / "rows.sqlite")


async def test_a_connection_that_is_closed_is_told_of_and_nobody_waits_for_ever(tmp_path: Path) -> None:
    async with opened(tmp_path / "rows.sqlite") as (conn, group):
        await conn.close()
        for number in range(2):
            with pytest.raises(ValueError, match="connection"):
                await asyncio.wait_for(group.write(ADD, [(number, "x")]), 10)


async def test_langgraphs_own_saver_reads_what_was_kept(tmp_path: Path) -> None:
    config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    checkpoint = empty_checkpoint() | {"channel_values": {"a": 1}}
    writes = [("a", 2), ("__interrupt__", "wait"), ("b", [3])]
    async with open_project_checkpointer(tmp_path, Settings()) as ours:
        at = await ours.aput(config, checkpoint, {"source": "loop", "step": 1}, {})  # type: ignore[arg-type]
        await ours.aput_writes(at, writes, "task", "path")
        await ours.aput_writes(at, [("a", "ignored, as it is there")], "task", "path")
        await ours.aput_writes(at, [("__interrupt__", "instead")], "task", "path")
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / ".reflect" / "checkpoints.sqlite")) as theirs:
        found = await theirs.aget_tuple(at)
    assert found is not None and found.checkpoint["channel_values"] == {"a": 1}
    assert found.metadata.get("step") == 1
    assert sorted(found.pending_writes or []) == [
        ("task", "__interrupt__", "instead"), ("task", "a", 2), ("task", "b", [3]),
    ]  # fmt: skip
