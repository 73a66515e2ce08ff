"""Corpus lines into rows: each event id once, whatever order records and what is said about them come in.

Records of an import count only as far as they cannot harm: what they say about records of this project is
left out, praise and releases among them always, and they are not searched before a run of this project has
confirmed them.
"""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from typing import Any

from memory.experience.recollection import (
    Recollection,
    identity,
    identity_of,
    meta_of,
    meta_text,
    read_time,
    recollect,
    result_of,
    text_of,
)
from memory.experience.words import words_of
from memory.json_lines import TORN, JsonLines, Line

_RECOUNT = """UPDATE records SET (helpful, harmful, quarantined, resolved_by) = (
    SELECT coalesce(sum(helpful AND NOT feedback.imported), 0), coalesce(sum(harmful), 0),
        records.imported AND NOT coalesce(max(released AND NOT feedback.imported), 0),
        coalesce(min(nullif(feedback.resolved_by, '')), '')
    FROM feedback WHERE about = records.identity AND feedback.imported <= records.imported)
WHERE identity = ?"""
_SHOWN = "UPDATE records SET shown = recallable AND NOT quarantined AND harmful <= helpful WHERE identity = ?"
_NEW_RECORD = """INSERT OR IGNORE INTO records(
    identity, offset, type, session, at, outcome, result, category, key,
    recallable, verified, imported, quarantined, shown) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,0)"""


@dataclass
class Taken:
    """What was taken in.

    Attributes:
        end: where the next line starts.
        lines: how many were read.
        bad: how many of them hold no object.
        duplicates: how many have an event id that was there.
        texts: texts that are new.
    """

    end: int
    lines: int = 0
    bad: int = 0
    duplicates: int = 0
    texts: int = 0


def take_in(database: sqlite3.Connection, corpus: JsonLines, start: int, most: int) -> Taken:
    """Take in lines from a byte offset on; one that another process is writing is left for the next time."""
    taken = Taken(start)
    for line in corpus.read(start):
        if line.problem == TORN or taken.lines == most:
            break
        taken.end = line.end
        taken.lines += 1
        if line.record is None:
            taken.bad += 1
        else:
            _take_in_record(database, corpus, line, line.record, taken)
    return taken


def text_digest(text: str) -> str:
    """What tells texts apart, in the vector index too."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def _take_in_record(
    database: sqlite3.Connection, corpus: JsonLines, line: Line, record: dict[str, Any], taken: Taken
) -> None:
    name = identity_of(record, line.raw)
    recalled = recollect(record)
    meta = meta_of(record)
    imported = bool(meta.get("quarantined")) or "imported_from" in meta
    kind = text_of(record.get("event_type"))
    at = read_time(record.get("timestamp"))
    outcome = text_of(record.get("outcome_status"))
    added = database.execute(
        _NEW_RECORD,
        (
            name,
            line.offset,
            kind,
            text_of(record.get("session_id")),
            at.timestamp() if at else None,
            outcome,
            result_of(outcome, text_of(record.get("error"))),
            meta_text(record, "category"),
            meta_text(record, "key"),
            recalled is not None,
            meta.get("verified") is True,
            imported,
            imported,
        ),
    )
    if added.rowcount == 0:
        taken.duplicates += 1
        return
    if kind == "feedback":
        _take_in_feedback(database, corpus, line, name, meta, imported, taken)
    _count(database, corpus, name, recalled, taken)


def _take_in_feedback(
    database: sqlite3.Connection,
    corpus: JsonLines,
    line: Line,
    name: str,
    meta: dict[str, Any],
    imported: bool,
    taken: Taken,
) -> None:
    about = identity(text_of(meta.get("of")))
    if not about:
        return
    database.execute(
        "INSERT INTO feedback VALUES (?,?,?,?,?,?,?,?)",
        (
            name,
            about,
            _says(meta.get("helpful")),
            _says(meta.get("harmful")),
            text_of(meta.get("resolved_by")),
            meta.get("released") is True,
            imported,
            line.offset,
        ),
    )
    _count(database, corpus, about, None, taken)


def _count(
    database: sqlite3.Connection, corpus: JsonLines, name: str, recalled: Recollection | None, taken: Taken
) -> None:
    """Count what is said about a record, and make it searchable as soon as it may be shown."""
    database.execute(_RECOUNT, (name,))
    database.execute(_SHOWN, (name,))
    row = database.execute(
        "SELECT offset FROM records WHERE identity = ? AND recallable AND NOT quarantined AND text IS NULL",
        (name,),
    ).fetchone()
    if row is None:
        return
    if recalled is None:
        # Said about a record that was in quarantine until now.
        line = corpus.read_at(row[0])
        recalled = recollect(line.record) if line and line.record else None
    if recalled is not None:
        number = _text_id(database, recalled.indexed_text, taken)
        database.execute("UPDATE records SET text = ? WHERE identity = ?", (number, name))


def _text_id(database: sqlite3.Connection, text: str, taken: Taken) -> int:
    digest = text_digest(text)
    found = database.execute("SELECT id FROM texts WHERE digest = ?", (digest,)).fetchone()
    if found is not None:
        return int(found[0])
    number = database.execute("INSERT INTO texts(digest, text) VALUES (?,?)", (digest, text)).lastrowid
    database.execute("INSERT INTO words(rowid, tokens) VALUES (?,?)", (number, " ".join(words_of(text))))
    taken.texts += 1
    return int(number or 0)


def _says(value: object) -> bool:
    return value is True or (isinstance(value, int | float) and value > 0)
