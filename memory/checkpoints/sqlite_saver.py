"""LangGraph's SQLite saver, with what threads need beyond it: a list, pruning, proof of the key."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from memory.checkpoints.group_commit import GroupCommit
from memory.checkpoints.heads import PrunedRows, ThreadHead, told_root
from memory.checkpoints.serializer import CANARY, ThreadSerializer

_CHECKPOINT = (
    "INSERT OR REPLACE INTO checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,"
    " checkpoint, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_WRITES = (
    "writes (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# Beside max(), SQLite gives the other columns of the row that holds it (its "Bare columns in an aggregate").
_HEADS = (
    "SELECT thread_id, max(checkpoint_id), count(*), CAST(metadata AS TEXT) FROM checkpoints"
    " WHERE checkpoint_ns = '' GROUP BY thread_id ORDER BY 2 DESC"
)
_OLDEST_KEPT = (
    "SELECT checkpoint_ns, (SELECT checkpoint_id FROM checkpoints AS kept WHERE kept.thread_id = :thread"
    " AND kept.checkpoint_ns = found.checkpoint_ns ORDER BY checkpoint_id DESC LIMIT 1 OFFSET :keep - 1)"
    " FROM (SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = :thread) AS found"
)
_OF_RUNS = (
    "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints"
    " WHERE json_extract(CAST(metadata AS TEXT), '$.run_id') IN (SELECT value FROM json_each(?))"
)
_THAT = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?"
_OLD = "thread_id = ? AND checkpoint_ns = ? AND checkpoint_id < ?"


class SqliteSaver(AsyncSqliteSaver):
    """The saver of one SQLite file.

    Args:
        conn: the open connection.
        key: the encryption key, or None.
    """

    def __init__(self, conn: aiosqlite.Connection, key: bytes | None) -> None:
        super().__init__(conn, serde=ThreadSerializer(key))
        self._has_key = key is not None
        self._group = GroupCommit(conn, self.lock)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> SqliteSaver:
        """The saver itself: checkpoints hold JSON types only, so no class is to be rebuilt."""
        return self

    async def prove_key(self) -> None:
        """Compare the key with the one the file was first encrypted with, which a mark in it tells.

        Raises:
            CheckpointEncrypted: it is another one, or missing.
        """
        if self._has_key:
            kind, mark = self.serde.dumps_typed(CANARY)
            await self.conn.execute(
                "CREATE TABLE IF NOT EXISTS encryption (id INTEGER PRIMARY KEY, type, mark)"
            )
            await self.conn.execute("INSERT OR IGNORE INTO encryption VALUES (1, ?, ?)", (kind, mark))
            await self.conn.commit()
        elif not await self._rows("SELECT 1 FROM sqlite_master WHERE name = 'encryption'"):
            return
        for kind, mark in await self._rows("SELECT type, mark FROM encryption"):
            self.serde.loads_typed((kind, mark))

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint; it is on disk when this returns."""
        await self.setup()
        above = config["configurable"]
        told = json.dumps(get_checkpoint_metadata(config, metadata), ensure_ascii=False)
        place = {
            "thread_id": above["thread_id"],
            "checkpoint_ns": above["checkpoint_ns"],
            "checkpoint_id": checkpoint["id"],
        }
        row = (
            str(above["thread_id"]),
            above["checkpoint_ns"],
            checkpoint["id"],
            above.get("checkpoint_id"),
            *self.serde.dumps_typed(checkpoint),
            told.encode("utf-8", "ignore"),
        )
        await self._group.write(_CHECKPOINT, [row])
        return {"configurable": place}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what a task wrote; it is on disk when this returns."""
        await self.setup()
        above = config["configurable"]
        # What LangGraph itself writes, as an interrupt, takes the place of what was there.
        special = all(channel in WRITES_IDX_MAP for channel, _ in writes)
        rows = [
            (
                str(above["thread_id"]),
                str(above["checkpoint_ns"]),
                str(above["checkpoint_id"]),
                task_id,
                task_path,
                WRITES_IDX_MAP.get(channel, number),
                channel,
                *self.serde.dumps_typed(value),
            )
            for number, (channel, value) in enumerate(writes)
        ]
        await self._group.write(f"INSERT OR {'REPLACE' if special else 'IGNORE'} INTO {_WRITES}", rows)

    async def settled(self) -> None:
        """Wait for what is being written, before the connection is closed."""
        await self._group.settled()

    async def heads(self) -> list[ThreadHead]:
        """The threads, the one that was worked on last first."""
        rows = await self._rows(_HEADS)
        return [ThreadHead(name, newest, count, told_root(told)) for name, newest, count, told in rows]

    async def count(self, thread: str) -> int:
        """Number of checkpoints of a thread."""
        rows = await self._rows("SELECT count(*) FROM checkpoints WHERE thread_id = ?", (thread,))
        return int(rows[0][0])

    async def drop_old(self, thread: str, keep: int, before: str | None, *, only_count: bool) -> PrunedRows:
        """Delete a thread's checkpoints but the newest ones, in one transaction.

        What a run writes meanwhile is newer than what is deleted, so it is never touched.

        Args:
            thread: its name.
            keep: checkpoints that stay, per namespace; at least 1.
            before: delete only checkpoints with a smaller id.
            only_count: delete nothing.
        """
        pruned = PrunedRows()
        async with self.lock:
            bounds = await self._rows(_OLDEST_KEPT, {"thread": thread, "keep": keep})
            try:
                for namespace, kept in bounds:
                    if kept is not None:
                        bound = kept if before is None else min(kept, before)
                        pruned += await self._below((thread, namespace, bound), only_count)
                await self.conn.commit()
            except BaseException:
                await self.conn.rollback()
                raise
        return pruned

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete what runs saved, in one transaction: the thread is as it was before them.

        LangGraph's server calls this for a run that is rolled back (`multitask_strategy`, `cancel`).

        Args:
            run_ids: as the checkpoints' metadata names them.
        """
        async with self.lock:
            try:
                saved = await self._rows(_OF_RUNS, (json.dumps([str(one) for one in run_ids]),))
                for table in ("writes", "checkpoints"):
                    await self.conn.executemany(
                        f"DELETE FROM {table} WHERE {_THAT}",
                        [tuple(row) for row in saved],
                    )
                await self.conn.commit()
            except BaseException:
                await self.conn.rollback()
                raise

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete the history of threads, or all of them; LangGraph's server calls this.

        Args:
            thread_ids: the threads.
            strategy: "keep_latest" keeps each namespace's newest checkpoint, "delete" none.

        Raises:
            ValueError: there is no such strategy.
        """
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"Threads cannot be pruned by {strategy!r}; it is keep_latest or delete.")
        for thread in map(str, thread_ids):
            if strategy == "delete":
                await self.adelete_thread(thread)
            else:
                await self.drop_old(thread, 1, None, only_count=False)

    async def give_back(self) -> bool:
        """Return the space of deleted rows to the file system; False if a reader was in the way.

        Raises:
            sqlite3.OperationalError: another process is reading or writing, or there is no room to copy.
        """
        async with self.lock:
            await self._rows("VACUUM")
            [(busy, *_)] = await self._rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    async def _below(self, old: tuple[str, str, str], only_count: bool) -> PrunedRows:
        if only_count:
            rows = [
                (await self._rows(f"SELECT count(*) FROM {table} WHERE {_OLD}", old))[0][0]
                for table in ("checkpoints", "writes")
            ]
            return PrunedRows(*rows)
        counts = []
        for table in ("checkpoints", "writes"):
            async with self.conn.execute(f"DELETE FROM {table} WHERE {_OLD}", old) as cursor:
                counts.append(cursor.rowcount)
        await self.conn.execute(
            "UPDATE checkpoints SET parent_checkpoint_id = NULL WHERE thread_id = ? AND checkpoint_ns = ?"
            " AND parent_checkpoint_id < ?",
            old,
        )
        return PrunedRows(*counts)

    async def _rows(self, query: str, values: Any = ()) -> list[sqlite3.Row]:
        async with self.conn.execute(query, values) as cursor:
            return list(await cursor.fetchall())
