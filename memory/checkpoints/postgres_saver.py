"""LangGraph's Postgres saver, with what threads need beyond it: a list, pruning, proof of the key.

Three things differ. Plain values (texts, numbers) are written as bytes like all others, never into the JSON
of the checkpoint's row: there an encrypted thread's goal and answer would be readable, and a text with a NUL
or half a surrogate pair would be refused. Each checkpoint makes sure of the bytes of all its values, because
a value that did not change since somebody else wrote it may be in such a row only. And of two processes that
go on from one checkpoint, as two servers may that know nothing of one another, only the first goes further.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import LiteralString, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres._ainternal import get_connection
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from memory.checkpoints.heads import PrunedRows, ThreadHead, told_root
from memory.checkpoints.serializer import CANARY, Sealed, ThreadSerializer
from memory.errors import CheckpointUnwritable, ThreadTaken

Connected = AsyncConnection[DictRow] | AsyncConnectionPool[AsyncConnection[DictRow]]

_HEADS = (
    "SELECT thread_id, max(checkpoint_id) AS newest, count(*) AS checkpoints,"
    " (array_agg(metadata ORDER BY checkpoint_id DESC))[1]::text AS told"
    " FROM checkpoints WHERE checkpoint_ns = '' GROUP BY thread_id ORDER BY newest DESC"
)
_OLDEST_KEPT = (
    "SELECT found.checkpoint_ns, (SELECT checkpoint_id FROM checkpoints kept"
    " WHERE kept.thread_id = %(thread)s AND kept.checkpoint_ns = found.checkpoint_ns"
    " ORDER BY checkpoint_id DESC OFFSET %(keep)s - 1 LIMIT 1) AS kept"
    " FROM (SELECT DISTINCT checkpoint_ns FROM checkpoints WHERE thread_id = %(thread)s) found"
)
_OLD = 'thread_id = %s AND checkpoint_ns = %s AND checkpoint_id COLLATE "C" < %s'
_FREED = (
    f"WITH gone AS (DELETE FROM checkpoints WHERE {_OLD}"
    " RETURNING checkpoint -> 'channel_versions' AS versions)"
    " SELECT DISTINCT v.key AS channel, v.value AS version"
    " FROM gone CROSS JOIN LATERAL jsonb_each_text(gone.versions) v"
)
_USED = (
    "SELECT DISTINCT v.key AS channel, v.value AS version FROM checkpoints c"
    " CROSS JOIN LATERAL jsonb_each_text(c.checkpoint -> 'channel_versions') v"
    " WHERE c.thread_id = %s AND c.checkpoint_ns = %s"
)
_OF_RUNS = (
    "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE metadata ->> 'run_id' = ANY(%s)"
)
_THAT = "thread_id = %s AND checkpoint_ns = %s AND checkpoint_id = %s"
_BESIDE = (
    "SELECT 1 FROM checkpoints WHERE thread_id = %s AND checkpoint_ns = '' AND checkpoint_id > %s"
    " AND parent_checkpoint_id IS NOT DISTINCT FROM %s AND checkpoint_id != %s"
    " AND metadata ->> 'source' = %s LIMIT 1"
)
"""Children of a checkpoint are newer than it, so few rows are looked at."""
_LOCK_THREAD = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_DROP_BLOBS = (
    "DELETE FROM checkpoint_blobs WHERE thread_id = %s AND checkpoint_ns = %s AND channel = %s"
    " AND version = ANY(%s)"
)
MARKING = 7_310_431_902
"""Advisory lock under which the mark of the key is made."""


class PostgresSaver(AsyncPostgresSaver):
    """The saver of one Postgres database.

    Args:
        conn: the open connection, or a pool of them.
        key: the encryption key, or None.
    """

    def __init__(self, conn: Connected, key: bytes | None) -> None:
        super().__init__(conn, serde=ThreadSerializer(key))
        self._has_key = key is not None

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> PostgresSaver:
        """The saver itself: checkpoints hold JSON types only, so no class is to be rebuilt."""
        return self

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, every value of it as bytes.

        Raises:
            CheckpointUnwritable: it would not be the newest, as this host's clock is behind.
            ThreadTaken: another process went on from the same checkpoint, so this one must stop here.
        """
        place = config["configurable"]
        _stop_behind(place.get("checkpoint_id"), checkpoint["id"])
        values = {name: Sealed(value) for name, value in checkpoint["channel_values"].items()}
        sealed = cast(Checkpoint, {**checkpoint, "channel_values": values})
        versions = {name: checkpoint["channel_versions"][name] for name in values}
        # In one transaction: nobody sees, and changes something for, a step that is not to stay.
        async with self.lock, self.connection() as connection, connection.transaction():
            await connection.execute(_LOCK_THREAD, (place["thread_id"],))
            await _stop_beside_another(connection, config, checkpoint["id"], metadata)
            alone = AsyncPostgresSaver(connection, serde=self.serde)
            return await alone.aput(config, sealed, metadata, {**new_versions, **versions})

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        """The connection, or one of the pool."""
        async with get_connection(self.conn) as connection:
            yield connection

    async def set_up_on(self, connection: AsyncConnection[DictRow]) -> None:
        """Make the tables over one connection, whose lock may be held meanwhile."""
        await AsyncPostgresSaver(connection).setup()

    async def is_set_up(self) -> bool:
        """Whether the tables are there, in the form this version of the saver needs."""
        async with self._cursor() as cursor:
            await cursor.execute("SELECT to_regclass('checkpoint_migrations') IS NOT NULL AS there")
            row = await cursor.fetchone()
            if row is None or not row["there"]:
                return False
            await cursor.execute("SELECT max(v) AS newest FROM checkpoint_migrations")
            row = await cursor.fetchone()
            return row is not None and row["newest"] is not None and row["newest"] + 1 >= len(self.MIGRATIONS)

    async def prove_key(self) -> None:
        """Compare the key with the one the database was first encrypted with, which a mark in it tells.

        Raises:
            CheckpointEncrypted: it is another one, or missing.
        """
        async with self._cursor() as cursor:
            await cursor.execute("SELECT to_regclass('checkpoint_encryption') IS NOT NULL AS there")
            row = await cursor.fetchone()
            there = row is not None and row["there"]
            if self._has_key and not there:
                await _mark(cursor, self.serde.dumps_typed(CANARY))
            elif not there:
                return
            await cursor.execute("SELECT type, mark FROM checkpoint_encryption")
            for row in await cursor.fetchall():
                self.serde.loads_typed((row["type"], row["mark"]))

    async def heads(self) -> list[ThreadHead]:
        """The threads, the one that was worked on last first."""
        async with self._cursor() as cursor:
            await cursor.execute(_HEADS)
            return [
                ThreadHead(row["thread_id"], row["newest"], row["checkpoints"], told_root(row["told"]))
                for row in await cursor.fetchall()
            ]

    async def count(self, thread: str) -> int:
        """Number of checkpoints of a thread."""
        async with self._cursor() as cursor:
            await cursor.execute("SELECT count(*) AS n FROM checkpoints WHERE thread_id = %s", (thread,))
            row = await cursor.fetchone()
            return int(row["n"]) if row else 0

    async def drop_old(self, thread: str, keep: int, before: str | None, *, only_count: bool) -> PrunedRows:
        """Delete a thread's checkpoints but the newest ones, in one transaction; see `SqliteSaver`.

        The saver's own `aprune` keeps exactly one, and tells no numbers.
        """
        pruned = PrunedRows()
        async with self._snapshot() as cursor:
            await cursor.execute(_OLDEST_KEPT, {"thread": thread, "keep": keep})
            for row in await cursor.fetchall():
                if row["kept"] is not None:
                    bound = row["kept"] if before is None else min(row["kept"], before)
                    old = (thread, row["checkpoint_ns"], bound)
                    pruned += await _counted(cursor, old) if only_count else await _deleted(cursor, old)
        return pruned

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete what runs saved, in one transaction; see `SqliteSaver`.

        Values that only they used stay until the thread is pruned or deleted.
        """
        async with self._cursor() as cursor, cursor.connection.transaction():
            await cursor.execute(_OF_RUNS, ([str(one) for one in run_ids],))
            for row in await cursor.fetchall():
                that = (row["thread_id"], row["checkpoint_ns"], row["checkpoint_id"])
                await cursor.execute(f"DELETE FROM checkpoint_writes WHERE {_THAT}", that)
                await cursor.execute(f"DELETE FROM checkpoints WHERE {_THAT}", that)

    async def give_back(self) -> bool:
        """True, and nothing is done: the server's autovacuum does it."""
        return True

    @asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[AsyncCursor[DictRow]]:
        """A transaction that sees nothing of what a run saves meanwhile."""
        async with self._cursor() as cursor, cursor.connection.transaction():
            await cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield cursor


def _stop_behind(parent: str | None, own: str) -> None:
    """Of a host whose clock is behind: ids begin with the time, and the highest is what is resumed."""
    if parent is not None and own <= parent:
        raise CheckpointUnwritable(
            "This host's clock is behind that of the host that saved the thread's last step, so the next one "
            "was not saved.",
            "Set the clocks of all hosts (NTP), then resume the thread.",
        )


async def _stop_beside_another(
    connection: AsyncConnection[DictRow], config: RunnableConfig, own: str, metadata: CheckpointMetadata
) -> None:
    """Of one who goes on from the same step as another, or begins the same new thread.

    As the newest, its step would be what is resumed, without what the other has done since. Replays and forks
    begin with a checkpoint of their own; graphs below another have the same task, and so the same entries in
    the effect journal.
    """
    place, source = config["configurable"], metadata.get("source")
    parent = place.get("checkpoint_id")
    goes_on = source == "loop" and parent is not None
    begins = source == "input" and parent is None
    if place.get("checkpoint_ns") or not (goes_on or begins):
        return
    found = await connection.execute(_BESIDE, (place["thread_id"], parent or "", parent, own, source))
    if await found.fetchone() is not None:
        raise ThreadTaken(
            f"Another process is at work on thread {place['thread_id']!r}, from the same step.",
            "Wait for it to end, then resume the thread.",
        )


async def _mark(cursor: AsyncCursor[DictRow], mark: tuple[str, bytes]) -> None:
    """Leave the mark of the key, unless another process was first."""
    async with cursor.connection.transaction():
        await cursor.execute("SELECT pg_advisory_xact_lock(%s)", (MARKING,))
        await cursor.execute(
            "CREATE TABLE IF NOT EXISTS checkpoint_encryption"
            " (id INTEGER PRIMARY KEY, type TEXT NOT NULL, mark BYTEA NOT NULL)"
        )
        await cursor.execute(
            "INSERT INTO checkpoint_encryption VALUES (1, %s, %s) ON CONFLICT DO NOTHING", mark
        )


async def _counted(cursor: AsyncCursor[DictRow], old: tuple[str, str, str]) -> PrunedRows:
    counts = []
    for table in ("checkpoints", "checkpoint_writes"):
        await cursor.execute(f"SELECT count(*) AS n FROM {table} WHERE {_OLD}", old)
        row = await cursor.fetchone()
        counts.append(int(row["n"]) if row else 0)
    return PrunedRows(*counts)


async def _deleted(cursor: AsyncCursor[DictRow], old: tuple[str, str, str]) -> PrunedRows:
    counted = await _counted(cursor, old)
    await cursor.execute(f"DELETE FROM checkpoint_writes WHERE {_OLD}", old)
    # Only values the deleted checkpoints used can go: those a run has just written are not among them.
    freed = await _versions(cursor, _FREED, old)
    freed -= await _versions(cursor, _USED, old[:2])
    for channel in {channel for channel, _ in freed}:
        versions = [version for name, version in freed if name == channel]
        await cursor.execute(_DROP_BLOBS, (*old[:2], channel, versions))
        counted += PrunedRows(blobs=cursor.rowcount)
    await cursor.execute(
        "UPDATE checkpoints SET parent_checkpoint_id = NULL WHERE thread_id = %s AND checkpoint_ns = %s"
        ' AND parent_checkpoint_id COLLATE "C" < %s',
        old,
    )
    return counted


async def _versions(
    cursor: AsyncCursor[DictRow], query: LiteralString, values: Sequence[str]
) -> set[tuple[str, str]]:
    await cursor.execute(query, values)
    return {(row["channel"], row["version"]) for row in await cursor.fetchall()}
