"""Questions to the record table: which records may be recalled, and what is said about them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MOST_OF_A_TEXT = 8
"""Records of one text that are looked at: the newest say the same as all the older ones."""

_FIELDS = "records.identity, offset, type, at, outcome, result, helpful, harmful, resolved_by"
_FUTURE = "at > :soon"
_PAST = "(at IS NULL OR at <= :soon)"


class RecordRow(NamedTuple):
    """A record as the table knows it."""

    identity: str
    offset: int
    type: str
    at: float | None
    outcome: str
    result: str
    helpful: int
    harmful: int
    resolved_by: str


class FeedbackRow(NamedTuple):
    """What one feedback line says about a record."""

    identity: str
    about: str
    helpful: int
    harmful: int
    resolved_by: str
    imported: int


class RecordCount(NamedTuple):
    """Records worth recalling: those a search may find, and why it does not find the others."""

    recallable: int = 0
    too_old: int = 0
    quarantined: int = 0
    harmful: int = 0


@dataclass(frozen=True)
class Wanted:
    """Which records a search is for.

    Attributes:
        types: event types; any when empty.
        result: success or failure; any when empty.
        verified: only verified ones.
    """

    types: tuple[str, ...] = ()
    result: str = ""
    verified: bool = False

    @property
    def condition(self) -> str:
        """As a condition of SQL; every part of it is one of our own words."""
        parts = ["shown"]
        if self.types:
            parts.append(f"type IN ({', '.join(repr(name) for name in self.types)})")
        if self.result:
            parts.append(f"result = '{self.result}'")
        if self.verified:
            parts.append("verified")
        return " AND ".join(parts)


ANYTHING = Wanted()
FAILURES = Wanted(result="failure")
SUCCESSES = Wanted(result="success")
EPISODES = Wanted(types=("episode",))
EXAMPLES = Wanted(types=("episode",), verified=True)


def records_of_text(
    database: sqlite3.Connection, digest: str, wanted: Wanted, oldest: float, soon: float
) -> list[RecordRow]:
    """The newest records of a text; those from the future, by a clock that was wrong, come last.

    Args:
        database: the record table.
        digest: of the text.
        wanted: which records.
        oldest: seconds since 1970; older ones only if they helped more than they harmed.
        soon: seconds since 1970 from which on a time lies in the future.
    """
    rows: list[RecordRow] = []
    for when in (_PAST, _FUTURE):
        found = database.execute(
            f"SELECT {_FIELDS} FROM records WHERE text = (SELECT id FROM texts WHERE digest = :digest)"
            f" AND {wanted.condition} AND {when} AND (at IS NULL OR at >= :oldest OR helpful > harmful)"
            " ORDER BY at DESC LIMIT :most",
            {"digest": digest, "oldest": oldest, "soon": soon, "most": MOST_OF_A_TEXT},
        )
        rows += [RecordRow(*row) for row in found]
    return rows[:MOST_OF_A_TEXT]


def newest_records(
    database: sqlite3.Connection, most: int, skipped: int, oldest: float, soon: float
) -> list[RecordRow]:
    """Records that may be shown, the newest first; undated ones and those of times to come at the end.

    Args:
        database: the record table.
        most: rows at most.
        skipped: rows left out before them.
        oldest: seconds since 1970; older ones only if they helped more than they harmed.
        soon: seconds since 1970 from which on a time lies in the future.
    """
    found = database.execute(
        f"SELECT {_FIELDS} FROM records WHERE shown"
        " AND (at IS NULL OR at >= :oldest OR helpful > harmful)"
        " ORDER BY iif(at > :soon, 0, coalesce(at, 0)) DESC, offset DESC LIMIT :most OFFSET :skipped",
        {"most": most, "skipped": skipped, "oldest": oldest, "soon": soon},
    )
    return [RecordRow(*row) for row in found]


def shown_record(database: sqlite3.Connection, identity: str) -> list[RecordRow]:
    """The record of an identity, if it may be shown."""
    found = database.execute(f"SELECT {_FIELDS} FROM records WHERE identity = ? AND shown", (identity,))
    return [RecordRow(*row) for row in found]


def episodes_of_key(
    database: sqlite3.Connection, key: str, most: int, oldest: float, soon: float, quarantined: bool = False
) -> list[RecordRow]:
    """Verified episodes of a key, the most helpful first, then the newest; times to come count as old."""
    condition = "type = 'episode' AND verified AND quarantined" if quarantined else EXAMPLES.condition
    found = database.execute(
        f"SELECT {_FIELDS} FROM records WHERE key = :key AND {condition}"
        " AND (at IS NULL OR at >= :oldest OR helpful > harmful)"
        " ORDER BY helpful - harmful DESC, iif(at > :soon, 0, at) DESC LIMIT :most",
        {"key": key, "oldest": oldest, "soon": soon, "most": most},
    )
    return [RecordRow(*row) for row in found]


def unresolved_of_key(database: sqlite3.Connection, key: str, by: str = "") -> list[RecordRow]:
    """Failures of this project with that key that no episode, or only `by`, solved; oldest first."""
    found = database.execute(
        f"SELECT {_FIELDS} FROM records WHERE key = ? AND type != 'feedback' AND NOT imported"
        " AND (type = 'reflection' OR result = 'failure') AND resolved_by IN ('', ?) ORDER BY offset",
        (key, by),
    )
    return [RecordRow(*row) for row in found]


def failures_of_category(database: sqlite3.Connection, category: str | None) -> list[tuple[str, RecordRow]]:
    """Failures that were diagnosed, with their categories; of one category only, when it is given."""
    found = database.execute(
        f"SELECT category, {_FIELDS} FROM records WHERE category != '' AND category = coalesce(?, category)"
        " AND NOT quarantined AND (type = 'reflection' OR (type != 'feedback' AND result = 'failure'))",
        (category,),
    )
    return [(row[0], RecordRow(*row[1:])) for row in found]


def records_named(database: sqlite3.Connection, identities: Iterable[str]) -> list[RecordRow]:
    """The records of identities."""
    found = database.execute(
        f"SELECT {_FIELDS} FROM records WHERE identity IN (SELECT value FROM json_each(?))",
        (json.dumps(list(identities)),),
    )
    return [RecordRow(*row) for row in found]


def feedback_about(database: sqlite3.Connection, identities: Iterable[str]) -> list[FeedbackRow]:
    """What is said about records, whether or not they are in this corpus."""
    found = database.execute(
        "SELECT identity, about, helpful, harmful, resolved_by, imported FROM feedback"
        " WHERE about IN (SELECT value FROM json_each(?))",
        (json.dumps(list(identities)),),
    )
    return [FeedbackRow(*row) for row in found]


def known_identities(database: sqlite3.Connection, identities: Sequence[str]) -> set[str]:
    """Those of the identities that the corpus has."""
    found = database.execute(
        "SELECT identity FROM records WHERE identity IN (SELECT value FROM json_each(?))",
        (json.dumps(identities),),
    )
    return {row[0] for row in found}


def count_records(database: sqlite3.Connection, oldest: float) -> RecordCount:
    """How many records there are, and how many of them `newest_records` gives.

    Args:
        database: the record table.
        oldest: seconds since 1970, as for `newest_records`.
    """
    row = database.execute(
        "SELECT coalesce(sum(shown AND (at IS NULL OR at >= :oldest OR helpful > harmful)), 0),"
        " coalesce(sum(shown AND at < :oldest AND helpful <= harmful), 0),"
        " coalesce(sum(recallable AND quarantined), 0),"
        " coalesce(sum(recallable AND NOT quarantined AND NOT shown), 0) FROM records",
        {"oldest": oldest},
    ).fetchone()
    return RecordCount(*row)
