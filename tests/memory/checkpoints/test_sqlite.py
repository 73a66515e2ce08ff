from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

from memory.checkpoints import open_checkpointer, server_checkpointer
from memory.checkpoints.sqlite_saver import SqliteSaver
from memory.errors import CheckpointCorrupt, CheckpointLocked, CheckpointUnwritable

THREAD: RunnableConfig = {"configurable": {"thread_id": "t1"}}
VALUE = {"text": "ü 中 \U0001f600", "list": [1, 2.5, None, True, {"deep": []}], "big": 2**60}


class State(TypedDict, total=False):
    value: dict[str, Any]


class Custom(BaseModel):
    secret: int = 1


def write(state: State) -> State:
    return {"value": VALUE}


def graph() -> StateGraph[State, None, State, State]:
    builder = StateGraph[State, None, State, State](State)
    builder.add_node("write", write)
    builder.add_edge(START, "write")
    builder.add_edge("write", END)
    return builder


async def run(path: Path) -> None:
    async with open_checkpointer(path, 1.0) as saver:
        await graph().compile(checkpointer=saver).ainvoke({}, THREAD)


async def test_a_state_of_json_types_comes_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "checkpoints.sqlite"
    await run(path)
    async with open_checkpointer(path, 1.0) as saver:
        state = await graph().compile(checkpointer=saver).aget_state(THREAD)
    assert state.values == {"value": VALUE}
    assert state.next == ()


async def test_the_database_is_tuned(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", 2.5) as saver:
        found = {}
        for name in ("journal_mode", "synchronous", "busy_timeout"):
            async with saver.conn.execute(f"PRAGMA {name}") as cursor:
                found[name] = await cursor.fetchone()
    assert found == {"journal_mode": ("wal",), "synchronous": (1,), "busy_timeout": (2500,)}


async def test_no_class_is_rebuilt_from_a_file(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", 1.0) as saver:
        restored = saver.serde.loads_typed(saver.serde.dumps_typed(Custom()))
    assert restored == {"secret": 1} and not isinstance(restored, Custom)


@pytest.mark.parametrize("hold", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"])
async def test_a_database_that_another_process_is_making_is_waited_for(tmp_path: Path, hold: str) -> None:
    path = tmp_path / "c.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE made (name)")
    other.execute(hold)
    held = asyncio.get_running_loop().call_later(0.4, other.execute, "COMMIT")
    await run(path)
    assert held.when() <= asyncio.get_running_loop().time()
    other.close()


async def test_many_threads_share_one_file_at_once(tmp_path: Path) -> None:
    await asyncio.gather(*(run(tmp_path / "c.sqlite") for _ in range(5)))
    async with open_checkpointer(tmp_path / "c.sqlite", 1.0) as saver:
        assert await saver.aget_tuple(THREAD) is not None


@pytest.mark.parametrize("content", [b"not a database at all", b"SQLite format 3\x00" + b"\xff" * 5000, b"S"])
async def test_a_file_that_is_no_database_is_told_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.sqlite"
    path.write_bytes(content)
    with pytest.raises(CheckpointCorrupt, match="mv .*c.sqlite.bad"):
        await run(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("keep", [4096, 8192, 20_000])
async def test_a_database_cut_short_is_corrupt(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "c.sqlite"
    await run(path)
    assert path.stat().st_size > keep
    os.truncate(path, keep)
    with pytest.raises(CheckpointCorrupt):
        await run(path)


async def test_damage_met_while_open_is_told_the_same_way(tmp_path: Path) -> None:
    with pytest.raises(CheckpointCorrupt, match="malformed"):
        async with open_checkpointer(tmp_path / "c.sqlite", 1.0):
            error = sqlite3.DatabaseError("database disk image is malformed")
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error


async def test_errors_that_say_nothing_about_the_file_pass_through(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.ProgrammingError, match="mine"):
        async with open_checkpointer(tmp_path / "c.sqlite", 1.0):
            raise sqlite3.ProgrammingError("mine")


async def test_another_table_of_that_name_is_corrupt(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "c.sqlite")
    connection.execute("CREATE TABLE checkpoints (mine INTEGER)")
    connection.close()
    with pytest.raises(CheckpointCorrupt, match="no such column"):
        await run(tmp_path / "c.sqlite")


@pytest.mark.parametrize("tables", [True, False])
async def test_a_locked_database_is_told_after_the_timeout(tmp_path: Path, tables: bool) -> None:
    path = tmp_path / "c.sqlite"
    if tables:
        await run(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(CheckpointLocked, match="0.1 s"):
            async with open_checkpointer(path, 0.1) as saver:
                await graph().compile(checkpointer=saver).ainvoke({}, THREAD)
    finally:
        connection.close()
    await run(path)


async def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.sqlite").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "other.sqlite")
    (tmp_path / "beside-wal").symlink_to(tmp_path / "other.sqlite")
    for path in (
        tmp_path / "file" / "c.sqlite",
        tmp_path / "folder",
        tmp_path / "link",
        tmp_path / "beside",
    ):
        with pytest.raises(CheckpointUnwritable, match=path.name):
            await run(path)
    assert (tmp_path / "other.sqlite").read_text() == ""


async def test_a_full_disk_is_told_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(CheckpointUnwritable, match="Free some disk space"):
        async with open_checkpointer(tmp_path / "c.sqlite", 1.0) as saver:
            await saver.conn.execute("PRAGMA max_page_count=1")
            await saver.conn.execute("CREATE TABLE more (x)")
            await saver.conn.execute("INSERT INTO more VALUES (zeroblob(1000000))")


async def test_the_server_opens_what_the_settings_of_its_directory_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    async with server_checkpointer() as saver:
        await saver.setup()
    assert (tmp_path / ".reflect" / "checkpoints.sqlite").is_file()
    assert (tmp_path / ".reflect" / ".gitignore").is_file()
    monkeypatch.setenv("REFLECT_CHECKPOINTS__PATH", "named/c.sqlite")
    async with server_checkpointer() as saver:
        await saver.setup()
    assert (tmp_path / "named" / "c.sqlite").is_file()


async def test_only_its_owner_reads_what_tools_found(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", 1.0) as saver:
        await graph().compile(checkpointer=saver).ainvoke({}, THREAD)
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


async def test_a_run_that_is_rolled_back_leaves_the_thread_as_it_was_before(tmp_path: Path) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", 1.0) as saver:
        assert isinstance(saver, SqliteSaver)
        compiled = graph().compile(checkpointer=saver)
        for run_id in ("first", "second"):
            config: RunnableConfig = {**THREAD, "metadata": {"run_id": run_id}}
            await compiled.ainvoke({"value": {"by": run_id}}, config)
            other: RunnableConfig = {
                "configurable": {"thread_id": "t2"},
                "metadata": {"run_id": run_id + "'"},
            }
            await compiled.ainvoke({}, other)
        before = [state.config async for state in compiled.aget_state_history(THREAD)]
        elsewhere = await saver.count("t2")
        await saver.adelete_for_runs(["second", "nobody's"])
        after = [state async for state in compiled.aget_state_history(THREAD)]
        assert await saver.count("t2") == elsewhere
        async with saver.conn.execute("SELECT count(*) FROM writes WHERE thread_id = 't1'") as cursor:
            writes = await cursor.fetchone()
    assert 0 < len(after) < len(before) and [state.config for state in after] == before[-len(after) :]
    assert {(state.metadata or {})["run_id"] for state in after} == {"first"}
    assert writes is not None and writes[0] > 0


@pytest.mark.parametrize(("strategy", "kept"), [("keep_latest", 1), ("delete", 0)])
async def test_threads_are_pruned_as_langgraphs_server_asks(tmp_path: Path, strategy: str, kept: int) -> None:
    async with open_checkpointer(tmp_path / "c.sqlite", 1.0) as saver:
        assert isinstance(saver, SqliteSaver)
        compiled = graph().compile(checkpointer=saver)
        for thread in ("t1", "t2"):
            await compiled.ainvoke({}, {"configurable": {"thread_id": thread}})
        before = await saver.count("t2")
        await saver.aprune(["t1"], strategy=strategy)
        assert (await saver.count("t1"), await saver.count("t2")) == (kept, before)
        assert (await compiled.aget_state(THREAD)).values == ({"value": VALUE} if kept else {})
        with pytest.raises(ValueError, match="sometimes"):
            await saver.aprune(["t1"], strategy="sometimes")
