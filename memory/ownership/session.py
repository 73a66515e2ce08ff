"""The one connection by which a process is known to others that share a Postgres database.

The server holds a lock for it as long as the connection lives, and lets go of it when the process ends,
however it ends: at once where the kernel closes the connection, and after `connecting.UNHEARD` seconds where
a host or the network is gone. All that may be done only by a living owner goes over this connection, so
nothing of it can happen after the lock is lost. Poolers that share connections between transactions cannot
carry it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC

import psycopg
from psycopg.rows import DictRow

from memory.ownership.connecting import Connection, connected

_PAUSE = 0.1
_TRIES = 5


def lock_number(kind: str, name: str) -> int:
    """The advisory lock of a thing: 64 bits, signed, as Postgres numbers them."""
    digest = hashlib.sha256(f"reflect {kind} {name}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], signed=True)


@dataclass(frozen=True)
class Transaction:
    """One transaction.

    Attributes:
        connection: it is on.
        now: UTC, ISO, to the millisecond, by the server's clock, when it had its lock.
    """

    connection: Connection
    now: str

    def execute(self, statement: str, values: Sequence[object] = ()) -> psycopg.Cursor[DictRow]:
        """Run a statement, whose values stand as question marks."""
        return self.connection.execute(statement.replace("?", "%s").encode(), values)

    def row(self, statement: str, values: Sequence[object] = ()) -> DictRow | None:
        """The first row a statement gives."""
        return self.execute(statement, values).fetchone()


class OwnerSession:
    """One process's connection to one database, made when it is first needed and again when it breaks.

    Args:
        url: postgres:// URL.

    Attributes:
        number: the advisory lock this process has while it is connected; the same over all its connections.
        lost: advisory locks of things it held and that another took, or might have, while it was cut off.
        using: has to be had by whoever needs several steps to be one for this process; it can be taken again.
    """

    def __init__(self, url: str) -> None:
        self.number = secrets.randbits(62)
        self.lost: set[int] = set()
        self._url = url
        self.using = threading.RLock()
        self._connection: Connection | None = None
        self._held: dict[int, tuple[str, int]] = {}

    @contextmanager
    def transaction(self, patience: float, lock: int | None = None) -> Iterator[Transaction]:
        """One transaction at a time; the connection is made anew if it broke since the last one.

        Args:
            patience: seconds to wait for a server that is away.
            lock: advisory lock that is had until its end.

        Raises:
            psycopg.Error: the server cannot be reached, went away meanwhile, or refuses a statement.
        """
        with self.using:
            transaction = self._begun(patience, lock)
            try:
                yield transaction
                transaction.execute("COMMIT")
            except BaseException:
                # A connection that is gone has rolled back.
                with suppress(psycopg.Error):
                    transaction.execute("ROLLBACK")
                raise

    def keep(self, number: int, name: str, taking: int) -> None:
        """Note that this connection has taken an advisory lock, to be taken again over the next one.

        Args:
            number: the lock.
            name: of what is held.
            taking: a number of its own, noted at the server, by which it is told that no other took it since.
        """
        with self.using:
            self.lost.discard(number)
            self._held[number] = (name, taking)

    def has(self, number: int) -> bool:
        """Whether this process took an advisory lock and has not given it back, be it lost or not."""
        with self.using:
            return number in self._held

    def give_back(self, number: int) -> None:
        """Let go of an advisory lock; over a connection that broke, it went with it."""
        with self.using:
            self._held.pop(number, None)
            lost = number in self.lost
            self.lost.discard(number)
            if self._connection is not None and not lost:
                with suppress(psycopg.Error):
                    self._connection.execute("SELECT pg_advisory_unlock(%s)", (number,))

    def close(self) -> None:
        """End the connection, and with it all locks."""
        with self.using:
            self._drop()

    def let_go(self) -> None:
        """In a child process: close the inherited end, or the parent would be held alive by it."""
        if self._connection is not None and not self._connection.closed:
            os.close(self._connection.fileno())

    def _begun(self, patience: float, lock: int | None) -> Transaction:
        deadline = time.monotonic() + patience
        locking = "" if lock is None else f"pg_advisory_xact_lock({lock:d}), "
        # Together, because each way to the server and back costs as much as what is done there.
        beginning = f"BEGIN; SELECT {locking}clock_timestamp() AS now"
        while True:
            try:
                connection = self._connection or self._connected(patience)
                cursor = connection.execute(beginning.encode())
                break
            except psycopg.errors.LockNotAvailable:
                if self._connection is not None:
                    self._connection.execute("ROLLBACK")
                raise
            except psycopg.OperationalError:
                self._drop()
                if time.monotonic() >= deadline:
                    raise
            time.sleep(_PAUSE)
        cursor.nextset()
        row = cursor.fetchone()
        now = row["now"].astimezone(UTC).isoformat(timespec="milliseconds") if row else ""
        return Transaction(connection, now)

    def _connected(self, patience: float) -> Connection:
        connection = connected(self._url, self.number, patience)
        try:
            self._retake(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _retake(self, connection: Connection) -> None:
        for number, (name, taking) in self._held.items():
            if not _taken(connection, number):
                self.lost.add(number)
                continue
            row = connection.execute("SELECT taking FROM reflect_holds WHERE name = %s", (name,)).fetchone()
            if row is None or row["taking"] != taking:
                self.lost.add(number)
                connection.execute("SELECT pg_advisory_unlock(%s)", (number,))

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _taken(connection: Connection, number: int) -> bool:
    """Take a lock; the connection before lets go of its locks one by one, so it is tried for a moment."""
    for _ in range(_TRIES):
        row = connection.execute("SELECT pg_try_advisory_lock(%s) AS ours", (number,)).fetchone()
        if row is not None and row["ours"]:
            return True
        time.sleep(_PAUSE)
    return False


_SESSIONS: dict[tuple[int, str], OwnerSession] = {}
_OPENING = threading.Lock()


def session_of(url: str) -> OwnerSession:
    """This process's session at a database."""
    with _OPENING:
        key = (os.getpid(), url)
        if key not in _SESSIONS:
            _SESSIONS[key] = OwnerSession(url)
        return _SESSIONS[key]


def close_sessions() -> None:
    """End this process's sessions, as its end does."""
    with _OPENING:
        for key in [key for key in _SESSIONS if key[0] == os.getpid()]:
            _SESSIONS.pop(key).close()


def _in_child() -> None:
    global _OPENING
    _OPENING = threading.Lock()
    while _SESSIONS:
        _SESSIONS.popitem()[1].let_go()


atexit.register(close_sessions)
os.register_at_fork(after_in_child=_in_child)
