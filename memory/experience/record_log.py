"""The Postgres table in which hosts share the records of their corpora.

A row is one record of one scope, under its identity; its `seq` gives the order. Whoever adds rows to a scope
holds that scope's advisory lock from before `seq` is drawn until the commit is visible, so no row appears
behind one that a reader has seen already, and a reader only has to remember the last `seq`. A record that was
forgotten keeps its row without its text, under a new `seq`: its identity never comes back.

(PostgreSQL manual, 9.17: values of a sequence are drawn outside of transactions, so their order alone is not
the order of the commits; 13.3.5: advisory locks of a transaction are released after its commit.)
"""

from __future__ import annotations

import contextlib
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from memory.checkpoints.postgres import SHORTEST_WAIT, shown_address, without_password
from memory.errors import MemoryPackageMissing, RecordsUnshared

if TYPE_CHECKING:
    from psycopg import Connection

VERSION = 1
PAUSE = 5.0
"""Seconds a database that failed is left alone."""

_EPOCH_KNOWN = 10.0
"""Seconds after which the epoch is asked for again: another host may have found that rows were lost."""
LOCKS = 7_310_431_902
"""First half of the advisory locks: making the tables, and adding to a scope."""
_LIMITS = (
    "SELECT set_config('lock_timeout', '5s', true), set_config('statement_timeout', '7s', true),"
    " set_config('idle_in_transaction_session_timeout', '15s', true)"
)
ALONE = "SELECT pg_advisory_xact_lock(%s::bigint # hashtextextended(%s, 0))"
_TABLES = (
    """CREATE TABLE IF NOT EXISTS reflect_experience_log(
        one integer PRIMARY KEY CHECK (one = 1), id text NOT NULL, version integer NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS reflect_experience(
        scope text NOT NULL, identity text NOT NULL, seq bigserial NOT NULL, record text,
        PRIMARY KEY (scope, identity))""",
    "CREATE UNIQUE INDEX IF NOT EXISTS reflect_experience_order ON reflect_experience(scope, seq)",
)
ADD = """INSERT INTO reflect_experience(scope, identity, record)
    SELECT %s, new.identity, new.record
    FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS new(identity, record, place) ORDER BY place
    ON CONFLICT (scope, identity) DO NOTHING RETURNING identity"""
_FORGET = """INSERT INTO reflect_experience(scope, identity, record)
    SELECT %s, gone, NULL FROM unnest(%s::text[]) AS gone
    ON CONFLICT (scope, identity) DO UPDATE
    SET record = NULL, seq = nextval(pg_get_serial_sequence('reflect_experience', 'seq'))
    WHERE reflect_experience.record IS NOT NULL"""
_PAGE = """SELECT seq, identity, octet_length(record) FROM reflect_experience
    WHERE scope = %s AND seq > %s ORDER BY seq LIMIT %s"""
_HELD = """SELECT identity, record IS NULL FROM reflect_experience
    WHERE scope = %s AND identity = ANY(%s)"""
_TEXTS = """SELECT identity, record FROM reflect_experience
    WHERE scope = %s AND identity = ANY(%s) AND record IS NOT NULL"""
_CHECK = "Check that the server runs, and the address in the variable that `experience.url_env` names."


class Entry(NamedTuple):
    """A row: its place in the order, whose it is, and bytes of its text; None when it was forgotten."""

    seq: int
    identity: str
    size: int | None


class RecordLog:
    """This process's connection to the table; any thread may use it.

    Args:
        url: postgres:// URL of the database.

    Attributes:
        where: the database, without its password.
        opened: how often a connection was made; after another one, the table may have lost rows.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self.where = shown_address(url)
        self.opened = 0
        self._epoch = ""
        self._epoch_read = 0.0
        self._turn = RLock()
        self._connection: Connection[tuple[Any, ...]] | None = None
        self._failed: tuple[float, str] = (0.0, "")

    def epoch(self) -> str:
        """Another one means another table, or a server that may have lost rows: restored, or failed over.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection:
            if time.monotonic() - self._epoch_read > _EPOCH_KNOWN:
                self._epoch = _epoch(connection, self._unshared)
                self._epoch_read = time.monotonic()
            return self._epoch

    def renew(self) -> None:
        """Give the log another epoch, so that every host sends what it has: rows were lost.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection, connection.transaction():
            connection.execute(_LIMITS)
            connection.execute("UPDATE reflect_experience_log SET id = %s", (uuid4().hex,))
            self._epoch = _epoch(connection, self._unshared)

    def held(self, scope: str, identities: Sequence[str]) -> dict[str, bool]:
        """Those of the identities that have a row, and whether they were forgotten.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection:
            return dict(connection.execute(_HELD, (scope, list(identities))).fetchall())

    def add(self, scope: str, records: Sequence[tuple[str, str]], gone: Sequence[str] = ()) -> set[str]:
        """Add records and forget others, in one transaction; what is there or was forgotten stays as it is.

        Args:
            scope: whose records.
            records: identities with their texts.
            gone: identities that are forgotten, whether or not they have a row.

        Returns:
            Those of the identities that are new.

        Raises:
            RecordsUnshared: the database cannot be used; then nothing was added, or all of it and nobody
                knows: adding it again is right in either case.
        """
        names, texts = [name for name, _ in records], [text for _, text in records]
        with self._session() as connection:
            with _at_once(connection), connection.transaction():
                connection.execute(_LIMITS)
                connection.execute(ALONE, (LOCKS, scope))
                added = connection.execute(ADD, (scope, names, texts))
                if gone:
                    connection.execute(_FORGET, (scope, list(gone)))
            return {row[0] for row in added}

    def page(self, scope: str, after: int, most: int) -> list[Entry]:
        """Rows of a scope behind a place in the order.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection:
            return [Entry(*row) for row in connection.execute(_PAGE, (scope, after, most))]

    def texts(self, scope: str, identities: Sequence[str]) -> dict[str, str]:
        """Texts of records; one that was forgotten meanwhile has none.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection:
            return dict(connection.execute(_TEXTS, (scope, list(identities))).fetchall())

    def count(self, scope: str) -> int:
        """Records of a scope, without those that were forgotten.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection:
            counted = "SELECT count(record) FROM reflect_experience WHERE scope = %s"
            row = connection.execute(counted, (scope,)).fetchone()
            return int(row[0]) if row else 0

    def last(self, scope: str) -> int:
        """The last place in the order of a scope.

        Raises:
            RecordsUnshared: the database cannot be used.
        """
        with self._session() as connection:
            last = "SELECT coalesce(max(seq), 0) FROM reflect_experience WHERE scope = %s"
            row = connection.execute(last, (scope,)).fetchone()
            return int(row[0]) if row else 0

    def close(self) -> None:
        """Let go of the connection; the next call opens another."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    @contextlib.contextmanager
    def _session(self) -> Iterator[Connection[tuple[Any, ...]]]:
        """One exchange with the server; whatever it raises is told without the password."""
        try:
            import psycopg
        except ImportError as error:
            raise no_driver() from error
        with self._turn:
            until, reason = self._failed
            if time.monotonic() < until:
                raise self._unshared(reason)
            try:
                yield self._connected()
            except psycopg.Error as error:
                self.close()
                self._failed = (time.monotonic() + PAUSE, _reason(error, self._url))
                raise self._unshared(self._failed[1]) from error

    def _connected(self) -> Connection[tuple[Any, ...]]:
        from psycopg import IsolationLevel

        from memory.experience.bounded_postgres import BoundedConnection

        if self._connection is not None and not _has_ended(self._connection):
            return self._connection
        self.close()
        connection = BoundedConnection.connect(
            self._url, autocommit=True, connect_timeout=SHORTEST_WAIT, application_name="reflect"
        )
        try:
            connection.isolation_level = IsolationLevel.READ_COMMITTED
            self._epoch = _prepared(connection, self._unshared)
            self._epoch_read = time.monotonic()
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        self.opened += 1
        return connection

    def _unshared(self, reason: str) -> RecordsUnshared:
        return RecordsUnshared(f"Experience cannot be shared through {self.where}: {reason}", _CHECK)


def _at_once(connection: Connection[tuple[Any, ...]]) -> AbstractContextManager[object]:
    """Send statements without waiting for the answer to each, where the driver's library can (libpq 14)."""
    from psycopg import Pipeline

    return connection.pipeline() if Pipeline.is_supported() else contextlib.nullcontext()


def _has_ended(connection: Connection[tuple[Any, ...]]) -> bool:
    """Whether a connection nobody is using was closed, by a server that was restarted for one."""
    return connection.closed or _can_be_read(connection.fileno())


def _can_be_read(descriptor: int) -> bool:
    # `select.select` takes no descriptor from 1024 on, which a process with many runs reaches.
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


def _prepared(connection: Connection[tuple[Any, ...]], refused: Any) -> str:
    """Make the tables unless they are there; the epoch of the log."""
    there = connection.execute("SELECT to_regclass('reflect_experience_log')").fetchone()
    if there is None or there[0] is None:
        with connection.transaction():
            connection.execute(_LIMITS)
            connection.execute(ALONE, (LOCKS, ""))
            for statement in _TABLES:
                connection.execute(statement)
            connection.execute(
                "INSERT INTO reflect_experience_log VALUES (1, %s, %s) ON CONFLICT DO NOTHING",
                (uuid4().hex, VERSION),
            )
    encoding = connection.execute("SHOW server_encoding").fetchone()
    if encoding is None or encoding[0] != "UTF8":
        raise refused(f"its encoding is {encoding and encoding[0]}: make a database with ENCODING 'UTF8'.")
    return _epoch(connection, refused)


def _epoch(connection: Connection[tuple[Any, ...]], refused: Any) -> str:
    row = connection.execute("SELECT id, version FROM reflect_experience_log").fetchone()
    if row is None or row[1] != VERSION:
        raise refused(f"its tables are of another version than {VERSION}.")
    return f"{row[0]}/{_incarnation(connection)}"


def _incarnation(connection: Connection[tuple[Any, ...]]) -> str:
    """Changes when a server is restored or fails over; empty where the server does not tell."""
    told = connection.execute(
        """SELECT coalesce(bool_and(p.oid IS NOT NULL AND has_function_privilege(p.oid, 'execute')), false)
        FROM unnest(ARRAY['pg_control_system()', 'pg_control_checkpoint()']) AS name
        LEFT JOIN pg_proc AS p ON p.oid = to_regprocedure(name)"""
    ).fetchone()
    if told is None or not told[0]:
        return ""
    row = connection.execute(
        "SELECT system_identifier, timeline_id FROM pg_control_system(), pg_control_checkpoint()"
    ).fetchone()
    return f"{row[0]}.{row[1]}" if row else ""


def _reason(error: Exception, url: str) -> str:
    lines = without_password(str(error).strip(), url).splitlines()
    reason = (lines[0] if lines else "") or type(error).__name__
    return reason if reason.endswith(".") else f"{reason}."


def no_driver() -> MemoryPackageMissing:
    """What is raised where Postgres is asked for and cannot be spoken to."""
    return MemoryPackageMissing(
        "Experience cannot be shared through Postgres: its driver is not installed.",
        "pip install 'reflective-graph[postgres]'",
    )
