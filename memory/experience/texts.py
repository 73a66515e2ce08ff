"""The different texts of a corpus, as the vector index reads them from the record table."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple


class SearchedText(NamedTuple):
    """A text, its number in the table and its digest."""

    number: int
    digest: str
    text: str


def texts_after(number: int, most: int, database: sqlite3.Connection) -> list[SearchedText]:
    """Up to `most` texts behind a number, in order."""
    rows = database.execute(
        "SELECT id, digest, text FROM texts WHERE id > ? ORDER BY id LIMIT ?", (number, most)
    )
    return [SearchedText(*row) for row in rows]


def known_digests(digests: Sequence[str], database: sqlite3.Connection) -> set[str]:
    """Those of the digests whose text is there."""
    rows = database.execute(
        "SELECT digest FROM texts WHERE digest IN (SELECT value FROM json_each(?))", (json.dumps(digests),)
    )
    return {row[0] for row in rows}
