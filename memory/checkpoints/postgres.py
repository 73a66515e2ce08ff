"""Opening a Postgres database of threads, and saying what is wrong with it without saying a password."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from configs.addresses import is_loopback
from configs.redaction import escaped
from configs.settings import POSTGRES_SCHEMES
from memory.errors import (
    CheckpointCorrupt,
    CheckpointLocked,
    CheckpointPlaceInvalid,
    CheckpointUnreachable,
    CheckpointUnwritable,
    MemoryPackageMissing,
    MemoryStoreError,
)

if TYPE_CHECKING:
    from memory.checkpoints.postgres_saver import PostgresSaver

SETTING_UP = 7_310_431_901
"""Advisory lock under which the tables are made."""
MOST_CONNECTIONS = 8
SHORTEST_WAIT = 2
"""Seconds; libpq takes no shorter connect_timeout."""

_PAUSE = 0.05
_FORM = "Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters as %XX."
_CHECK = (
    "Check that the server runs, and the host, user, password and database of its address in `checkpoints`."
)


def is_postgres(place: str) -> bool:
    """Whether a setting names a Postgres database rather than a file."""
    return place.startswith(POSTGRES_SCHEMES)


def is_on_this_machine(url: str) -> bool:
    """Whether every host of a URL is this machine: a loopback name or address, or a socket's directory."""
    values = _parsed(url)
    # What the address leaves open, libpq takes from the environment or a service file.
    named = [values.get("host"), values.get("hostaddr"), values.get("service")]
    named = named if any(named) else [os.environ.get("PGHOST"), os.environ.get("PGSERVICE")]
    hosts = [host for part in named for host in str(part or "").split(",") if host]
    return all(
        host.startswith(("/", "@")) or is_loopback(f"[{host}]" if ":" in host else host) for host in hosts
    )


@asynccontextmanager
async def open_postgres(
    url: str, busy_timeout: float, key: bytes | None, *, pooled: bool
) -> AsyncIterator[PostgresSaver]:
    """Open a Postgres database; see `memory.checkpoints.opening.open_checkpointer`."""
    try:
        import psycopg
        import psycopg_pool

        from memory.checkpoints.postgres_saver import PostgresSaver
    except ImportError as error:
        raise no_driver() from error
    where = shown_address(url)
    opened = False
    try:
        async with AsyncExitStack() as stack:
            saver = PostgresSaver(await _connected(stack, url, busy_timeout, pooled), key)
            await _set_up(saver, busy_timeout)
            await saver.prove_key()
            opened = True
            yield saver
    except (psycopg.Error, psycopg_pool.PoolTimeout) as error:
        raise explained(error, where, url, opened) from error


async def _connected(stack: AsyncExitStack, url: str, busy_timeout: float, pooled: bool) -> Any:
    from psycopg import AsyncConnection
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    options: dict[str, Any] = {
        "autocommit": True,
        "prepare_threshold": 0,
        "row_factory": dict_row,
        "connect_timeout": max(SHORTEST_WAIT, round(busy_timeout)),
        "application_name": "reflect",
    }
    # Even before a pool: a pool does not tell why it cannot connect.
    connection = await stack.enter_async_context(await AsyncConnection.connect(url, **options))
    if not pooled:
        return connection
    await connection.close()
    return await stack.enter_async_context(
        AsyncConnectionPool(
            url,
            kwargs=options,
            min_size=1,
            max_size=MOST_CONNECTIONS,
            timeout=busy_timeout,
            check=AsyncConnectionPool.check_connection,
            open=False,
        )
    )


async def _set_up(saver: PostgresSaver, busy_timeout: float) -> None:
    """Make the tables once, whoever comes first.

    The lock is tried again and again instead of waited for: the indexes are made CONCURRENTLY, which waits
    for whoever waits inside the server, itself waiting for the lock.
    """
    deadline = time.monotonic() + busy_timeout
    while not await saver.is_set_up():
        async with saver.connection() as connection:
            row = await (
                await connection.execute("SELECT pg_try_advisory_lock(%s) AS ours", (SETTING_UP,))
            ).fetchone()
            if row is not None and row["ours"]:
                try:
                    await saver.set_up_on(connection)
                finally:
                    await connection.execute("SELECT pg_advisory_unlock(%s)", (SETTING_UP,))
                return
        if time.monotonic() >= deadline:
            raise CheckpointLocked(
                f"Another process was making the tables of the threads for {busy_timeout:g} s.",
                "Wait for it to finish, or raise `checkpoints.busy_timeout`.",
            )
        await asyncio.sleep(_PAUSE)


def explained(error: Exception, where: str, url: str, opened: bool) -> MemoryStoreError:
    """The error a person is told, by SQLSTATE (PostgreSQL manual, appendix A) where the server gave one."""
    state = str(getattr(error, "sqlstate", None) or "")
    reason = without_password(str(error).strip().splitlines()[0] if str(error).strip() else "", url)
    told = f"Threads cannot be kept in {where}: {reason or type(error).__name__}"
    told = told if told.endswith(".") else f"{told}."
    if state in ("42P01", "42703", "42P07", "42804", "42883"):
        return CheckpointCorrupt(
            told, "Its tables are not those of threads: name another database or schema."
        )
    if state in ("42501", "25006"):
        return CheckpointUnwritable(
            told, "Let the user create and write tables there, or name another database."
        )
    if state in ("53100", "53200", "54000"):
        return CheckpointUnwritable(told, "Free space on the server.")
    if state in ("40001", "40P01", "55P03", "57014"):
        return CheckpointLocked(told, "Another process was at the same rows; try again.")
    if state.startswith("22"):
        return CheckpointUnwritable(told, "Use a thread name the server can store.")
    return CheckpointUnreachable(
        told, f"{_CHECK} What was saved stays: resume the thread." if opened else _CHECK
    )


def no_driver() -> MemoryPackageMissing:
    """What is said where the driver is not installed."""
    return MemoryPackageMissing(
        "Threads cannot be kept in Postgres: its driver is not installed.",
        "pip install 'reflective-graph[postgres]'",
    )


def _parsed(url: str) -> dict[str, Any]:
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as error:
        raise no_driver() from error
    try:
        return dict(conninfo_to_dict(url))
    except (ProgrammingError, ValueError):
        # Its text would quote the address, password and all.
        raise CheckpointPlaceInvalid("The address of the Postgres server cannot be read.", _FORM) from None


def shown_address(url: str) -> str:
    """The database without its password."""
    values = _parsed(url)
    user = f"{values['user']}@" if values.get("user") else ""
    port = f":{values['port']}" if values.get("port") else ""
    host = values.get("host") or values.get("hostaddr") or ""
    text = f"postgres://{user}{host}{port}/{values.get('dbname') or ''}"
    return escaped(without_password(text, url))


def without_password(text: str, url: str) -> str:
    """A message of the driver without the address or its password, in either spelling."""
    password = str(_parsed(url).get("password") or "")
    login = url.partition("://")[2].rpartition("@")[0].partition(":")[2]
    # Without a password, the address is what a person is told.
    secrets = {url, password, login, unquote(login)} if password or login else set()
    for secret in sorted(secrets, key=len, reverse=True):
        if secret:
            text = text.replace(secret, "[hidden]")
    return text
