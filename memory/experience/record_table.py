"""What a corpus file holds, as rows of SQLite: follows it by byte offset, rebuilt when it does not fit.

Every line is taken in together with the offset behind it, in one transaction, so each counts once whichever
process reads it. The database is `keywords-<id>.sqlite`; a replacement gets another id, because SQLite finds
its write-ahead log by name, and a process that still has the old file open must never touch the new one's.
Deleting it loses nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import TypeVar
from uuid import uuid4

from filelock import FileLock, Timeout

from configs.redaction import path_text
from memory.errors import IndexBusy, IndexDamaged, IndexUnavailable, reason_and_remedy
from memory.experience.record_intake import Taken, take_in
from memory.experience.record_schema import SCHEMA, TABLES, VERSION
from memory.json_lines import JsonLines
from memory.project_directory import first_link

MOST_LINES_AT_ONCE = 20_000
"""Lines one search takes in at most: two seconds. The next search continues."""

_LINES_A_TRANSACTION = 5_000
_BUSY_SECONDS = 2.0
_MARK_BYTES = 512
_NAME = "keywords-"
_DAMAGED = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

_log = logging.getLogger(__name__)
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class TableState:
    """How far the table got.

    Attributes:
        source: changes when the table is built anew, so that ids of texts mean others.
        epoch: changes when texts vanished.
        offset: bytes of the corpus that were read.
        mark: digest of the bytes before the offset: another one means the corpus was rewritten.
        bad: lines that hold no object.
        duplicates: lines of an event id that an earlier line has.
        texts: different texts that are searched.
    """

    source: str
    epoch: str
    offset: int
    mark: str
    bad: int
    duplicates: int
    texts: int


class RecordTable:
    """The table of one corpus; any thread may call it.

    Args:
        corpus: the truth.
        directory: holds the indexes of this corpus.

    Attributes:
        replaced: how often it was; what was read meanwhile may come from an empty one.
        frequencies: how many texts frequent words are in, as far as they were counted.
        frequencies_of: the epoch they are of, and how many texts there were.
    """

    def __init__(self, corpus: JsonLines, directory: Path) -> None:
        self._corpus = corpus
        self._directory = directory
        self._between_threads = RLock()
        self._opening = FileLock(directory / "keywords.lock", mode=0o600)
        self._open: tuple[Path, int, int, sqlite3.Connection] | None = None
        self._tried: Path | None = None
        self.replaced = 0
        self.frequencies: dict[str, int] = {}
        self.frequencies_of: tuple[str, int] = ("", 0)

    def catch_up(self, most: int = MOST_LINES_AT_ONCE) -> bool:
        """Take in what was appended since the last time; returns whether all of it.

        Raises:
            IndexUnavailable: the table cannot be written, or another process keeps it locked.
        """
        for _ in range(0, most, _LINES_A_TRANSACTION):
            if self.read(self._fits_whole):
                return True
            if self.read(self._take_in) < _LINES_A_TRANSACTION:
                return True
        return self.read(self._fits_whole)

    def read(self, work: Callable[[sqlite3.Connection], _Found]) -> _Found:
        """Do something with the database; a damaged one is replaced once, and is empty then.

        Raises:
            IndexUnavailable: it cannot be used, or another process keeps it locked.
        """
        with self._between_threads:
            try:
                return self._attempt(work)
            except IndexDamaged as error:
                self._begin(str(error))
                return self._attempt(work)

    @contextlib.contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that writes; nothing of it stays when it raises.

        Raises:
            IndexUnavailable: it cannot be written, or another process keeps it locked.
        """
        with self._between_threads, self._translated():
            database = self._database()
            with _transaction(database):
                yield database

    def state(self) -> TableState:
        """How far the table got.

        Raises:
            IndexUnavailable: it cannot be used.
        """
        return self.read(read_state)

    def start_over(self) -> None:
        """Begin an empty table.

        Raises:
            IndexUnavailable: the directory cannot be written, or another process keeps it locked.
        """
        with self._between_threads:
            self._begin(None)

    def close(self) -> None:
        """Let go of the file; the next call opens it again."""
        with self._between_threads:
            if self._open is not None:
                self._open[-1].close()
            self._open = None

    def mark(self, offset: int) -> str:
        """Digest of the bytes of the corpus before an offset."""
        return hashlib.sha256(self._corpus.bytes_before(offset, _MARK_BYTES)).hexdigest()[:16]

    def _fits(self, state: TableState) -> bool:
        return state.offset <= self._corpus.size() and state.mark == self.mark(state.offset)

    def _fits_whole(self, database: sqlite3.Connection) -> bool:
        state = read_state(database)
        return state.offset == self._corpus.size() and self._fits(state)

    def _take_in(self, database: sqlite3.Connection) -> int:
        with _transaction(database):
            state = read_state(database)
            if not self._fits(state):
                if state.offset:
                    _log.warning(
                        "The table of %s does not fit it any more and is built anew.", self._corpus.path
                    )
                _make_tables(database)
                state = read_state(database)
            taken = take_in(database, self._corpus, state.offset, _LINES_A_TRANSACTION)
            if taken.end != state.offset:
                write_state(database, self._after(state, taken))
        return taken.lines

    def _after(self, state: TableState, taken: Taken) -> TableState:
        return replace(
            state,
            offset=taken.end,
            mark=self.mark(taken.end),
            bad=state.bad + taken.bad,
            duplicates=state.duplicates + taken.duplicates,
            texts=state.texts + taken.texts,
        )

    def _attempt(self, work: Callable[[sqlite3.Connection], _Found]) -> _Found:
        with self._translated():
            return work(self._database())

    def _database(self) -> sqlite3.Connection:
        """The open database, unless its file is gone or another, or a parent process opened it."""
        if self._open is not None:
            path, inode, owner, database = self._open
            with contextlib.suppress(FileNotFoundError):
                if owner == os.getpid() and path.stat().st_ino == inode:
                    return database
            if owner == os.getpid():
                database.close()
            self._open = None
        with self._opened_by_one():
            found = sorted(self._directory.glob(f"{_NAME}*.sqlite"))
            path = found[0] if found else self._new_path()
            return self._connect(path)

    def _connect(self, path: Path) -> sqlite3.Connection:
        link = first_link(path)
        if link is not None:
            self._tried = path
            raise IndexDamaged(f"{path_text(link)} is a link, which indexes are not written through.")
        new = not path.exists()
        database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            if new:
                path.chmod(0o600)
                with _transaction(database):
                    _make_tables(database)
            elif database.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                raise IndexDamaged(f"{path_text(path)} has another form.")
            read_state(database)
        except BaseException:
            database.close()
            self._tried = path
            raise
        self._open = (path, path.stat().st_ino, os.getpid(), database)
        self._tried = path
        return database

    def _begin(self, reason: str | None) -> None:
        """Replace the database by an empty one, unless another process has replaced a damaged one already."""
        tried = self._tried
        self.replaced += 1
        self.close()
        with self._translated(), self._opened_by_one():
            found = sorted(self._directory.glob(f"{_NAME}*.sqlite"))
            if reason is not None and tried is not None and found and tried not in found:
                return
            if reason is not None:
                _log.warning("The table in %s is rebuilt from its corpus: %s", self._directory, reason)
            for old in self._directory.glob(f"{_NAME}*"):
                old.unlink(missing_ok=True)
            self._connect(self._new_path())

    def _new_path(self) -> Path:
        return self._directory / f"{_NAME}{uuid4().hex[:12]}.sqlite"

    @contextlib.contextmanager
    def _opened_by_one(self) -> Iterator[None]:
        """Keep other processes from opening or replacing the database meanwhile."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._opening.acquire(timeout=_BUSY_SECONDS):
                yield
        except Timeout as error:
            raise IndexBusy(
                f"{path_text(self._directory)} was locked by another process for {_BUSY_SECONDS:g} s.",
                "Search again when it has finished.",
            ) from error
        except OSError as error:
            what, remedy = reason_and_remedy(self._directory, error)
            raise IndexUnavailable(f"The index cannot be written in {what}.", remedy) from error

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            where = path_text(self._directory)
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in _BUSY:
                raise IndexBusy(
                    f"The table in {where} was locked by another process for {_BUSY_SECONDS:g} s.",
                    "Search again when it has finished.",
                ) from error
            if code in _DAMAGED:
                raise IndexDamaged(f"The table in {where} cannot be used: {error}.") from error
            raise IndexUnavailable(
                f"The table in {where} cannot be used: {error}.",
                "Free some disk space, or give yourself write permission.",
            ) from error


def read_state(database: sqlite3.Connection) -> TableState:
    """Read how far the table got.

    Raises:
        IndexDamaged: the database has no state.
    """
    row = database.execute("SELECT source, epoch, offset, mark, bad, duplicates, texts FROM state").fetchone()
    if row is None:
        raise IndexDamaged("The table has no state.")
    return TableState(*row)


def write_state(database: sqlite3.Connection, state: TableState) -> None:
    """Write how far the table got; the caller's transaction holds what it speaks of."""
    database.execute(
        "REPLACE INTO state(one, source, epoch, offset, mark, bad, duplicates, texts)"
        " VALUES (1,?,?,?,?,?,?,?)",
        (state.source, state.epoch, state.offset, state.mark, state.bad, state.duplicates, state.texts),
    )


def _make_tables(database: sqlite3.Connection) -> None:
    for kind, name in TABLES:
        database.execute(f"DROP {kind} IF EXISTS {name}")
    for statement in SCHEMA:
        database.execute(statement)
    database.execute(f"PRAGMA user_version={VERSION}")
    nothing = hashlib.sha256(b"").hexdigest()[:16]
    write_state(database, TableState(uuid4().hex, uuid4().hex, 0, nothing, 0, 0, 0))


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
