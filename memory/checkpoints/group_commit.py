"""Rows of several runs at once go to disk in one transaction: each waits until its own are there.

Runs side by side share a connection, and a commit costs as much for one row as for twenty. What comes while
a transaction is written waits for the next one, so a run by itself waits no longer than before.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import aiosqlite

Row = tuple[Any, ...]


@dataclass
class _Batch:
    """What goes into one transaction.

    Attributes:
        rows: by statement; rows of one statement keep their order.
        written: is set when all of it is on disk, or holds what kept it from there.
    """

    rows: dict[str, list[Row]] = field(default_factory=dict)
    written: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class GroupCommit:
    """Writes to one connection.

    Args:
        conn: open, in a mode that begins a transaction with the first change.
        lock: held by whoever uses the connection.
    """

    def __init__(self, conn: aiosqlite.Connection, lock: asyncio.Lock) -> None:
        self._conn = conn
        self._lock = lock
        self._next: _Batch | None = None
        self._writing: asyncio.Task[None] | None = None

    async def write(self, statement: str, rows: Sequence[Row]) -> None:
        """Execute a statement for each row, and commit; rows of different statements must not touch.

        Raises:
            sqlite3.Error: nothing of the transaction was written, that of others in it included.
        """
        if self._next is None:
            self._next = _Batch()
        batch = self._next
        batch.rows.setdefault(statement, []).extend(rows)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        # Who is cancelled while waiting leaves the transaction to the others in it.
        await asyncio.shield(batch.written)

    async def settled(self) -> None:
        """Wait for what is being written."""
        if self._writing is not None:
            await asyncio.shield(self._writing)

    async def _write_all(self) -> None:
        try:
            while self._next is not None:
                async with self._lock:
                    batch, self._next = self._next, None
                    await self._commit(batch)
        finally:
            self._writing = None

    async def _commit(self, batch: _Batch) -> None:
        try:
            for statement, rows in batch.rows.items():
                await self._conn.executemany(statement, rows)
            await self._conn.commit()
        except Exception as error:  # raised again by each of those whose rows it kept from the disk
            with suppress(sqlite3.Error, ValueError):  # what cannot be rolled back is not there any more
                await self._conn.rollback()
            batch.written.set_exception(error)
            batch.written.exception()  # all who waited may be gone
        except BaseException:
            batch.written.cancel()
            raise
        else:
            batch.written.set_result(None)
