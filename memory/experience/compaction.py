"""Rewriting a corpus without some of its records, while other processes go on appending to it.

The bulk is copied without the append lock; it is taken for the lines that came meanwhile and for the rename.
The record table changes in one transaction around all of it. A process that is killed leaves the old file and
its table as they were, or the new file and a table that does not fit it, which the next search builds anew;
and one file `events.jsonl.pruning`, which the next rewriting overwrites.

In a corpus that hosts share, the new file ends with a line that names what was removed: it is what the other
hosts are told by.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias
from uuid import uuid4

from filelock import FileLock, Timeout

from configs.redaction import path_text
from memory.errors import CorpusUnwritable, PruneBusy, reason_and_remedy
from memory.experience.forgotten import forgotten_lines
from memory.experience.recollection import identity, identity_of, meta_text, text_of
from memory.experience.record_table import RecordTable, read_state, write_state
from memory.json_lines import JsonLines, append_whole, encode_line

_CHUNK = 1 << 20
_ATTEMPTS = 5

Choice: TypeAlias = Callable[[sqlite3.Connection], None]
"""Writes identities of the records that are to go into the table `doomed(identity)`."""

_NOBODY = (
    "CREATE TEMP TABLE IF NOT EXISTS doomed(identity TEXT PRIMARY KEY) WITHOUT ROWID",
    "DELETE FROM doomed",
)
_AND_ABOUT_THEM = """INSERT OR IGNORE INTO doomed
    SELECT identity FROM feedback WHERE about IN (SELECT identity FROM doomed)"""
_UNUSED = "FROM texts WHERE NOT EXISTS (SELECT 1 FROM records WHERE text = texts.id)"


class Compacted(NamedTuple):
    """What a rewriting removed, or would remove.

    Attributes:
        lines: that are gone; what is said about a removed record goes with it.
        bytes_before: size of the file before.
        bytes_after: size after.
        vanished: digests of texts that no record has any more.
        watched: where the byte is that stood behind the watched offset.
    """

    lines: int
    bytes_before: int
    bytes_after: int
    vanished: tuple[str, ...] = ()
    watched: int = 0


class _Overtaken(Exception):
    """Somebody praised an event while it was being left out."""


def compact(
    file: JsonLines,
    table: RecordTable,
    choose: Choice,
    *,
    dry_run: bool = False,
    tell: bool = False,
    watched: int = 0,
) -> Compacted:
    """Remove records, and what is said about them. Lines that cannot be parsed stay.

    Args:
        file: the corpus.
        table: its record table.
        choose: which records.
        dry_run: only count.
        tell: leave a line that says what was removed, for other hosts.
        watched: an offset where a line begins, to learn where that line is afterwards.

    Raises:
        CorpusUnwritable: the new file cannot be written; the old one is as it was.
        PruneBusy: another process is rewriting it, or it changed all the time.
        IndexUnavailable: the record table cannot be used.
    """
    if not file.size():
        return Compacted(0, 0, 0)
    with _by_one(file.path):
        for _ in range(_ATTEMPTS):
            while not table.catch_up():
                pass
            with contextlib.suppress(_Overtaken):
                return _Compaction(file, table, choose, watched, tell).run(dry_run)
    raise PruneBusy(
        f"{path_text(file.path)} changed all the time while it was pruned.", "Prune it when it is quiet."
    )


class _Compaction:
    """One attempt."""

    def __init__(self, file: JsonLines, table: RecordTable, choose: Choice, watched: int, tell: bool) -> None:
        self._file = file
        self._table = table
        self._choose = choose
        self._watched = watched
        self._tell = tell
        self._new = file.path.with_name(file.path.name + ".pruning")
        self._removed_lines = 0
        self._removed_bytes = 0
        self._removed_before = 0
        self._duplicates = 0
        self._vanished: list[str] = []

    def run(self, dry_run: bool) -> Compacted:
        with self._file.locked():
            # What lies before this size is never taken back: only a line that is being appended can be.
            stable = self._file.size()
        with self._table.changing() as database, self._told():
            for statement in _NOBODY:
                database.execute(statement)
            self._choose(database)
            database.execute(_AND_ABOUT_THEM)
            if dry_run:
                for _ in self._kept(database, min(stable, read_state(database).offset), moved=False):
                    pass
            elif database.execute("SELECT 1 FROM doomed LIMIT 1").fetchone():
                try:
                    self._compact(database, stable)
                finally:
                    self._new.unlink(missing_ok=True)
        return Compacted(
            self._removed_lines,
            stable,
            stable - self._removed_bytes,
            tuple(self._vanished),
            self._watched - self._removed_before,
        )

    def _compact(self, database: sqlite3.Connection, stable: int) -> None:
        end = min(stable, read_state(database).offset)
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with self._file.path.open("rb") as old, os.fdopen(os.open(self._new, flags, 0o600), "wb") as new:
            os.fchmod(new.fileno(), stat.S_IMODE(os.fstat(old.fileno()).st_mode))
            for start, stop in self._kept(database, end, moved=True):
                _copy(old.fileno(), new.fileno(), start, stop)
            _copy(old.fileno(), new.fileno(), end, stable)
            os.fsync(new.fileno())
            gone = [row[0] for row in database.execute("SELECT identity FROM doomed")] if self._tell else []
            self._vanished = _forget(database)
            with self._file.locked():
                self._stop_if_overtaken(database, end)
                _copy(old.fileno(), new.fileno(), stable, os.fstat(old.fileno()).st_size)
                for record in forgotten_lines(gone):
                    append_whole(new.fileno(), encode_line(record))
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
                self._removed_before += line.end - line.offset if line.end <= self._watched else 0
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
            raise CorpusUnwritable(f"Nothing was removed: {what}.", remedy) from error


def _forget(database: sqlite3.Connection) -> list[str]:
    """Take the doomed out of the table; digests of texts that no record has any more."""
    database.execute("DELETE FROM records WHERE identity IN (SELECT identity FROM doomed)")
    database.execute("DELETE FROM feedback WHERE identity IN (SELECT identity FROM doomed)")
    vanished = database.execute(f"SELECT id, digest {_UNUSED}").fetchall()
    database.execute(f"DELETE FROM words WHERE rowid IN (SELECT id {_UNUSED})")
    database.execute(f"DELETE {_UNUSED}")
    return [digest for _, digest in vanished]


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
        raise CorpusUnwritable(f"Nothing was removed: {what}.", remedy) from error


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
