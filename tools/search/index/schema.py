"""The index's SQLite file: opened, or begun anew when it cannot be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from filelock import FileLock

from configs.redaction import path_text
from tools.errors import SearchUnavailable

VERSION = 1
"""Part of the file's name: an index of another version is left alone, and a new one begun."""

BUSY_SECONDS = 60.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sources (
    key TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL, notes TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, number INTEGER NOT NULL, language TEXT,
    item TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS documents_of ON documents (source, number);
CREATE TABLE IF NOT EXISTS passages (
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL, end INTEGER NOT NULL, digest TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS passages_of ON passages (document);
CREATE INDEX IF NOT EXISTS passages_by_digest ON passages (digest);
CREATE TABLE IF NOT EXISTS vectors (
    embedder TEXT NOT NULL, digest TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (embedder, digest)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    title, body, tokenize = "porter unicode61 remove_diacritics 2"
);
"""


def open_index(directory: Path | None) -> sqlite3.Connection:
    """Open the index in a directory, or one in memory; a damaged one is removed and begun anew.

    The caller sees to it that one thread uses it at a time.

    Raises:
        SearchUnavailable: the directory cannot be written.
    """
    if directory is None:
        return _opened(":memory:")
    file = directory / f"index-{VERSION}.sqlite"
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        # A repository may bring one, in the place of what SQLite keeps beside its file as well.
        link = next((path for path in (directory, *directory.iterdir()) if path.is_symlink()), None)
        if link is not None:
            raise SearchUnavailable(
                f"{path_text(link)} is a link, which no index is written through.",
                "Remove it; an index is made in its place.",
            )
        # SQLite tells two processes that begin one file at once that it is locked, without waiting.
        with FileLock(directory / "opening.lock", BUSY_SECONDS, mode=0o600):
            try:
                return _opened(str(file))
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                remove_index(directory)
                return _opened(str(file))
    except (OSError, sqlite3.Error) as error:
        raise SearchUnavailable(
            f"The index {path_text(file)} cannot be used: {error}.",
            "Make its directory writable, or set research.search.index to one that is.",
        ) from error


def remove_index(directory: Path) -> None:
    """Remove an index file with what belongs to it; everything in it can be made again."""
    for suffix in ("", "-wal", "-shm"):
        (directory / f"index-{VERSION}.sqlite{suffix}").unlink(missing_ok=True)


def _opened(file: str) -> sqlite3.Connection:
    database = sqlite3.connect(file, BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        # A reader does not wait for the process that indexes, nor that one for it.
        database.execute("PRAGMA journal_mode = WAL")
        # After a power cut the last sources may be missing, never half there.
        database.execute("PRAGMA synchronous = NORMAL")
        tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('words', 'vectors', 'passages_by_digest')"
        if database.execute(tables).fetchone()[0] < 3:
            database.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")
        database.execute("SELECT count(*) FROM sources").fetchone()
    except BaseException:
        database.close()
        raise
    return database
