"""Opening a SQLite file of threads, and saying what is wrong with it.

Write-ahead logging with `synchronous=NORMAL` costs 0.46 ms a step, against 2.9 ms with SQLite's default, and
loses nothing when a process is killed. Nodes return JSON values, so nothing but JSON types and the types
LangGraph itself lists is ever rebuilt from a file (strict msgpack).
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from configs.redaction import path_text
from memory.errors import (
    CheckpointCorrupt,
    CheckpointLocked,
    CheckpointUnwritable,
    MemoryStoreError,
    reason_and_remedy,
)
from memory.project_directory import first_link, make_parent, make_private

if TYPE_CHECKING:
    import aiosqlite

    from memory.checkpoints.sqlite_saver import SqliteSaver

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_CHEAP_QUERIES = (
    "SELECT count(*) FROM sqlite_master",
    "SELECT thread_id, checkpoint_id FROM checkpoints ORDER BY rowid DESC LIMIT 1",
    "SELECT thread_id, checkpoint_id FROM checkpoints ORDER BY thread_id DESC LIMIT 1",
    "SELECT thread_id, idx FROM writes ORDER BY rowid DESC LIMIT 1",
)
"""They walk both tables and an index from the root down, and read one leaf each, however big the file."""

PAUSE = 0.05
"""Seconds between attempts to open a database that another process is making or closing."""

_UNWRITABLE = {
    sqlite3.SQLITE_FULL: "Free some disk space",
    sqlite3.SQLITE_IOERR: "Free some disk space, check the disk",
    sqlite3.SQLITE_READONLY: "Give yourself write permission",
    sqlite3.SQLITE_PERM: "Give yourself write permission",
    sqlite3.SQLITE_CANTOPEN: "Give yourself write permission",
}


@asynccontextmanager
async def open_sqlite(path: Path, busy_timeout: float, key: bytes | None) -> AsyncIterator[SqliteSaver]:
    """Open a SQLite file of threads; see `memory.checkpoints.opening.open_checkpointer`."""
    await asyncio.to_thread(_check_file, path)
    opened = False
    try:
        async with AsyncExitStack() as stack:
            saver = await _opened(stack, path, busy_timeout, key)
            stack.push_async_callback(saver.settled)
            opened = True
            yield saver
    except sqlite3.DatabaseError as error:
        explained = _explained(path, error, busy_timeout)
        if explained is None and opened:
            raise
        raise explained or _corrupt(path, str(error)) from error


def _check_file(path: Path) -> None:
    try:
        make_parent(path)
        link = first_link(path)
        if link is not None:
            raise CheckpointUnwritable(
                f"{path_text(link)} is a link, which checkpoints are not written through.",
                "Remove the link, or name the file itself in `checkpoints.path`.",
            )
        if path.exists():
            with path.open("rb") as stream:
                header = stream.read(_HEADER_BYTES)
            if header and not header.startswith(_MAGIC):
                raise _corrupt(path, "it is not a SQLite database")
            if _is_cut_short(path, header):
                raise _corrupt(path, "the end of the file is missing")
        make_private(path)
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise CheckpointUnwritable(f"Threads cannot be kept in {what}.", remedy) from error


def _is_cut_short(path: Path, header: bytes) -> bool:
    """Compare the pages a header counts with the file, by SQLite's file format, sections 1.3.2 and 1.3.8.

    While there is a write-ahead log, the header may be ahead of the file.
    """
    if len(header) < _HEADER_BYTES:
        return bool(header)
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        return False
    stored = int.from_bytes(header[16:18])
    page_size = 65_536 if stored == 1 else stored
    counted = header[24:28] == header[92:96]
    return counted and path.stat().st_size < page_size * int.from_bytes(header[28:32])


async def _opened(stack: AsyncExitStack, path: Path, busy_timeout: float, key: bytes | None) -> SqliteSaver:
    """Open the database, again and again while another process is in the middle of making or closing it.

    SQLite does not wait by itself for these: switching to the write-ahead log and removing it at the last
    close take exclusive locks, for which the busy handler is not called.
    """
    import aiosqlite

    deadline = time.monotonic() + busy_timeout
    while True:
        # Transactions take the write lock when they begin, so none is refused for a snapshot that grew old.
        connecting = aiosqlite.connect(path, timeout=busy_timeout, isolation_level="IMMEDIATE")
        connection = await stack.enter_async_context(connecting)
        try:
            return await _saver(connection, busy_timeout, key)
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
        await connection.close()
        await asyncio.sleep(PAUSE)


async def _saver(connection: aiosqlite.Connection, busy_timeout: float, key: bytes | None) -> SqliteSaver:
    from memory.checkpoints.sqlite_saver import SqliteSaver

    timeout = f"busy_timeout={round(busy_timeout * 1000)}"
    for pragma in (timeout, "journal_mode=WAL", "synchronous=NORMAL"):
        # A statement whose row is not fetched stays active, and locked out.
        async with connection.execute(f"PRAGMA {pragma}") as cursor:
            await cursor.fetchone()
    saver = SqliteSaver(connection, key)
    await saver.setup()
    for query in _CHEAP_QUERIES:
        async with connection.execute(query) as cursor:
            await cursor.fetchone()
    await saver.prove_key()
    return saver


def _explained(path: Path, error: sqlite3.DatabaseError, busy_timeout: float) -> MemoryStoreError | None:
    """The error a person is told; None for a mistake in a statement, which says nothing about the file."""
    code = _code(error)
    if _is_busy(error):
        name = error.sqlite_errorname
        return CheckpointLocked(
            f"{path_text(path)} was locked by another process for {busy_timeout:g} s ({name}).",
            "Wait for the other run to finish, or raise `checkpoints.busy_timeout`.",
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return _corrupt(path, str(error))
    if code in _UNWRITABLE:
        return CheckpointUnwritable(
            f"Threads cannot be kept in {path_text(path)}: {error}.",
            f"{_UNWRITABLE[code]}, or name another place in `checkpoints.path`.",
        )
    return None


def _is_busy(error: sqlite3.DatabaseError) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: sqlite3.DatabaseError) -> int:
    """The plain result code; extended ones carry it in their low byte."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _corrupt(path: Path, reason: str) -> CheckpointCorrupt:
    name = path_text(path)
    return CheckpointCorrupt(
        f"{name} cannot be read: {reason}.",
        f"Move it away (`mv {name} {name}.bad`): its threads can then not be resumed, nothing else is lost.",
    )
