"""Taking old events out of a corpus while other processes go on appending to it.

The bulk is copied without the append lock; it is taken for the lines that came meanwhile and for the rename.
The record table changes in one transaction around all of it. A process that is killed leaves the old file and
its table as they were, or the new file and a table that does not fit it, which the next search builds anew;
and one file `events.jsonl.pruning`, which the next pruning overwrites.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout

from configs.redaction import path_text
from memory.errors import CorpusUnwritable, PruneBusy, reason_and_remedy
from memory.experience.recollection import identity, identity_of, meta_text, text_of
from memory.experience.record_table import RecordTable, read_state, write_state
from memory.json_lines import JsonLines

_CHUNK = 1 << 20
_ATTEMPTS = 5
_DOOMED = (
    "CREATE TEMP TABLE IF NOT EXISTS doomed(identity TEXT PRIMARY KEY) WITHOUT ROWID",
    "DELETE FROM doomed",
    """INSERT INTO doomed SELECT identity FROM records
        WHERE type != 'feedback' AND at < :oldest AND helpful <= harmful""",
    """INSERT INTO doomed SELECT identity FROM feedback WHERE about IN (SELECT identity FROM doomed)""",
    """INSERT OR IGNORE INTO doomed SELECT identity FROM records WHERE type = 'feedback' AND at < :oldest
        AND NOT EXISTS (SELECT 1 FROM feedback JOIN records AS subject ON subject.identity = feedback.about
            WHERE feedback.identity = records.identity)""",
)
_FORGET = (
    "DELETE FROM records WHERE identity IN (SELECT identity FROM doomed)",
    "DELETE FROM feedback WHERE identity IN (SELECT identity FROM doomed)",
    "DELETE FROM words WHERE rowid IN"
    " (SELECT id FROM texts WHERE NOT EXISTS (SELECT 1 FROM records WHERE text = texts.id))",
    "DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM records WHERE text = texts.id)",
)


@dataclass(frozen=True)
class Pruned:
    """What pruning removed, or would remove.

    Attributes:
        events: lines that are gone; what is said about a removed event goes with it.
        bytes_before: size of the file before.
        bytes_after: size after.
    """

    events: int
    bytes_before: int
    bytes_after: int


class _Overtaken(Exception):
    """Somebody praised an event while it was being left out."""


def prune(file: JsonLines, table: RecordTable, max_age: timedelta, *, dry_run: bool = False) -> Pruned:
    """Remove events older than `max_age` that did not help more than they harmed.

    Lines that cannot be parsed and events without a readable time stay.

    Args:
        file: the corpus.
        table: its record table.
        max_age: of what stays.
        dry_run: only count.

    Raises:
        CorpusUnwritable: the new file cannot be written; the old one is as it was.
        PruneBusy: another process is pruning it, or it changed all the time.
        IndexUnavailable: the record table, which counts what helped, cannot be used.
    """
    oldest = (datetime.now(UTC) - max_age).timestamp()
    if not file.size():
        return Pruned(0, 0, 0)
    with _by_one(file.path):
        for _ in range(_ATTEMPTS):
            while not table.catch_up():
                pass
            with contextlib.suppress(_Overtaken):
                return _Compaction(file, table, oldest).run(dry_run)
    raise PruneBusy(
        f"{path_text(file.path)} changed all the time while it was pruned.", "Prune it when it is quiet."
    )


class _Compaction:
    """One attempt."""

    def __init__(self, file: JsonLines, table: RecordTable, oldest: float) -> None:
        self._file = file
        self._table = table
        self._oldest = oldest
        self._new = file.path.with_name(file.path.name + ".pruning")
        self._removed_lines = 0
        self._removed_bytes = 0
        self._duplicates = 0

    def run(self, dry_run: bool) -> Pruned:
        with self._file.locked():
            # What lies before this size is never taken back: only a line that is being appended can be.
            stable = self._file.size()
        with self._table.changing() as database, self._told():
            for statement in _DOOMED:
                database.execute(statement, {"oldest": self._oldest})
            if dry_run:
                for _ in self._kept(database, min(stable, read_state(database).offset), moved=False):
                    pass
            elif database.execute("SELECT 1 FROM doomed LIMIT 1").fetchone():
                try:
                    self._compact(database, stable)
                finally:
                    self._new.unlink(missing_ok=True)
        return Pruned(self._removed_lines, stable, stable - self._removed_bytes)

    def _compact(self, database: sqlite3.Connection, stable: int) -> None:
        end = min(stable, read_state(database).offset)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with self._file.path.open("rb") as old, os.fdopen(os.open(self._new, flags, 0o600), "wb") as new:
            os.fchmod(new.fileno(), stat.S_IMODE(os.fstat(old.fileno()).st_mode))
            for start, stop in self._kept(database, end, moved=True):
                _copy(old.fileno(), new.fileno(), start, stop)
            _copy(old.fileno(), new.fileno(), end, stable)
            os.fsync(new.fileno())
            for statement in _FORGET:
                database.execute(statement)
            with self._file.locked():
                self._stop_if_overtaken(database, end)
                _copy(old.fileno(), new.fileno(), stable, os.fstat(old.fileno()).st_size)
                os.fsync(new.fileno())
                self._new.replace(self._file.path)
        _sync_directory(self._file.path.parent)
        state = read_state(database)
        offset = end - self._removed_bytes
        write_state(
            database,
            replace(
                state,
                epoch=uuid4().hex,
                offset=offset,
                mark=self._table.mark(offset),
                duplicates=self._duplicates,
                texts=database.execute("SELECT count(*) FROM texts").fetchone()[0],
            ),
        )

    def _kept(self, database: sqlite3.Connection, end: int, *, moved: bool) -> Iterator[tuple[int, int]]:
        """Ranges of bytes that stay; if they are moved, rows learn where their lines will be."""
        start = 0
        for line in self._file.read():
            if line.end > end:
                break
            row = _row(database, identity_of(line.record, line.raw)) if line.record is not None else None
            if row is None:
                continue
            name, offset, doomed = row
            if doomed:
                if start < line.offset:
                    yield start, line.offset
                start = line.end
                self._removed_lines += 1
                self._removed_bytes += line.end - line.offset
            elif offset != line.offset:
                self._duplicates += 1
            elif moved and self._removed_bytes:
                database.execute(
                    "UPDATE records SET offset = ? WHERE identity = ?", (offset - self._removed_bytes, name)
                )
        if start < end:
            yield start, end

    def _stop_if_overtaken(self, database: sqlite3.Connection, end: int) -> None:
        for line in self._file.read(end):
            if line.record is None or text_of(line.record.get("event_type")) != "feedback":
                continue
            about = identity(meta_text(line.record, "of"))
            if database.execute("SELECT 1 FROM doomed WHERE identity = ?", (about,)).fetchone():
                raise _Overtaken

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            what, remedy = reason_and_remedy(self._new, error)
            raise CorpusUnwritable(f"Nothing was pruned: {what}.", remedy) from error


@contextlib.contextmanager
def _by_one(path: Path) -> Iterator[None]:
    try:
        with FileLock(f"{path}.prune.lock", timeout=0, mode=0o600):
            yield
    except Timeout as error:
        raise PruneBusy(
            f"{path_text(path)} is being pruned by another process.", "Wait until it has finished."
        ) from error
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise CorpusUnwritable(f"Nothing was pruned: {what}.", remedy) from error


def _row(database: sqlite3.Connection, name: str) -> tuple[str, int, bool] | None:
    """The record of an identity: its name, where its line is, and whether it is to go."""
    found = database.execute(
        "SELECT identity, offset, identity IN (SELECT identity FROM doomed) FROM records WHERE identity = ?",
        (name,),
    ).fetchone()
    return (found[0], found[1], bool(found[2])) if found else None


def _copy(source: int, target: int, start: int, stop: int) -> None:
    """Copy a range of bytes to the end of a file.

    Raises:
        OSError: it cannot be written whole.
    """
    while start < stop:
        chunk = os.pread(source, min(_CHUNK, stop - start), start)
        if not chunk:
            raise OSError("the file became shorter while it was read")
        start += len(chunk)
        while chunk:
            chunk = chunk[os.write(target, chunk) :]


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
