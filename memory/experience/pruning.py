"""Which records of a corpus go: those too old that did not help, and those a person wants forgotten."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory.experience.compaction import Choice
from memory.experience.forgotten import FORGOTTEN

_OLD = "INSERT INTO doomed SELECT identity FROM records" + (
    f" WHERE type NOT IN ('feedback', '{FORGOTTEN}') AND at < :oldest AND helpful <= harmful"
)
_OLD_FEEDBACK = """INSERT OR IGNORE INTO doomed SELECT identity FROM records
    WHERE type = 'feedback' AND at < :oldest
    AND NOT EXISTS (SELECT 1 FROM feedback JOIN records AS subject ON subject.identity = feedback.about
        WHERE feedback.identity = records.identity)"""
_NAMED = f"""INSERT INTO doomed SELECT identity FROM records
    WHERE type != '{FORGOTTEN}' AND identity IN (SELECT value FROM json_each(?))"""


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


def older_than(max_age: timedelta) -> Choice:
    """Events that are older and did not help more than they harmed; those without a readable time stay."""
    oldest = (datetime.now(UTC) - max_age).timestamp()

    def choose(database: sqlite3.Connection) -> None:
        for statement in (_OLD, _OLD_FEEDBACK):
            database.execute(statement, {"oldest": oldest})

    return choose


def named(identities: Sequence[str]) -> Choice:
    """The records of some identities."""

    def choose(database: sqlite3.Connection) -> None:
        database.execute(_NAMED, (json.dumps(list(identities)),))

    return choose
