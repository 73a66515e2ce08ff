"""Items of namespaces of their own: LangGraph's store in SQLite, searched by our embedding model.

LangGraph loads an extension into SQLite for one function, the distance of two vectors. Many Pythons are built
without extensions, so that function is given to SQLite here instead: 2 microseconds a vector.

Vectors of two models never meet: the model they are of is written beside them, and when another one is
in use, or none could be opened meanwhile, every item is embedded anew as the store is opened.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import aiosqlite
import numpy as np
from langgraph.store.base import PutOp
from langgraph.store.sqlite import AsyncSqliteStore
from langgraph.store.sqlite.base import SqliteIndexConfig

from configs.redaction import path_text
from memory.errors import StoreUnusable, reason_and_remedy
from memory.project_directory import first_link, make_parent, make_private
from models.errors import ModelError

if TYPE_CHECKING:
    from models.embeddings import Embedder

_BUSY_SECONDS = 10.0
_PRAGMAS = ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")
_AT_ONCE = 64
_log = logging.getLogger(__name__)


@asynccontextmanager
async def open_plain_items(path: Path, embedder: Callable[[], Embedder]) -> AsyncIterator[AsyncSqliteStore]:
    """Open the database of items, and close it at the end.

    Args:
        path: the SQLite file, made with the directories above when missing.
        embedder: opens the embedding model. Where it cannot be had, that is logged, and queries rank nothing.

    Raises:
        StoreUnusable: the file cannot be made, is a link, or no such database.
    """
    await asyncio.to_thread(_prepare, path)
    index = await asyncio.to_thread(_index_of, embedder)
    try:
        async with aiosqlite.connect(path, timeout=_BUSY_SECONDS, isolation_level=None) as connection:
            for pragma in _PRAGMAS:
                async with connection.execute(f"PRAGMA {pragma}") as cursor:
                    await cursor.fetchone()
            plain = AsyncSqliteStore(connection)
            await plain.setup()
            for statement in AsyncSqliteStore.VECTOR_MIGRATIONS:
                await connection.executescript(statement)
            store = await _searched(connection, index) if index else plain
            await _follow(store, index.name if index else "")
            yield store
    except sqlite3.DatabaseError as error:
        raise StoreUnusable(
            f"Items of the store cannot be kept in {path_text(path)}: {error}.",
            "Free some disk space, or move the file away: its items are then gone.",
        ) from error


def _prepare(path: Path) -> None:
    try:
        make_parent(path)
        link = first_link(path)
        if link is not None:
            raise StoreUnusable(
                f"{path_text(link)} is a link, which no item is written through.", "Remove it."
            )
        make_private(path)
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise StoreUnusable(f"Items of the store cannot be kept in {what}.", remedy) from error


class _Index(NamedTuple):
    """An embedding model, and the index of its vectors."""

    name: str
    config: SqliteIndexConfig


def _index_of(opened: Callable[[], Embedder]) -> _Index | None:
    """The index of the embedding model; None when there is no model."""
    try:
        embedder = opened()
        dimension = embedder.dimension
    except ModelError as error:
        _log.warning("Items of the store are not searched by meaning: %s", error)
        return None

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        vectors = await asyncio.to_thread(embedder.embed, texts)
        return [[float(number) for number in vector] for vector in vectors]

    return _Index(embedder.name, {"dims": dimension, "embed": embed, "fields": ["$"]})


async def _searched(connection: aiosqlite.Connection, index: _Index) -> AsyncSqliteStore:
    store = AsyncSqliteStore(connection, index=index.config)
    await connection.create_function("vec_distance_cosine", 2, _distance, deterministic=True)
    # Its tables are there; its own set-up would ask SQLite for the extension.
    store.is_setup = True
    return store


def _distance(one: bytes, other: bytes) -> float:
    """1 - cosine of two vectors of 32 bit floats, as sqlite-vec keeps them; 2 if they cannot be compared."""
    first, second = np.frombuffer(one, np.float32), np.frombuffer(other, np.float32)
    lengths = float(np.linalg.norm(first) * np.linalg.norm(second))
    return 1.0 - float(first @ second) / lengths if len(first) == len(second) and lengths else 2.0


async def _follow(store: AsyncSqliteStore, name: str) -> None:
    """Embed all items anew when their vectors are of another model, or some have none."""
    await store.conn.execute("CREATE TABLE IF NOT EXISTS embedded_by (name TEXT NOT NULL)")
    async with store.conn.execute("SELECT name FROM embedded_by") as cursor:
        before = [row[0] for row in await cursor.fetchall()]
    if before == [name]:
        return
    # Until all is done nothing is written down, so that one that is killed here begins again.
    await store.conn.execute("DELETE FROM embedded_by")
    if name:
        await _embed_all(store)
    await store.conn.execute("INSERT INTO embedded_by VALUES (?)", (name,))


async def _embed_all(store: AsyncSqliteStore) -> None:
    async with store.conn.execute("SELECT prefix, key, value FROM store") as cursor:
        rows = list(await cursor.fetchall())
    puts = [PutOp(tuple(prefix.split(".")), key, json.loads(value)) for prefix, key, value in rows]
    for start in range(0, len(puts), _AT_ONCE):
        await store.abatch(puts[start : start + _AT_ONCE])
