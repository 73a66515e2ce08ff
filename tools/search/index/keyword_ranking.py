"""Passages by the words they share with a query: BM25 of SQLite's FTS5, and how much of it they hold."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass

from tools.search.tokens import query_tokens

MOST_TERMS = 64
CANDIDATES = 200
TITLE_WEIGHT = 2.0
_MOST_COUNTED = 20_000


@dataclass(frozen=True)
class KeywordHit:
    """A passage that shares words with a query.

    Attributes:
        passage: its number.
        coverage: share of the query's terms it holds, each weighing its inverse document frequency, 0 to 1.
    """

    passage: int
    coverage: float


def keyword_hits(database: sqlite3.Connection, query: str) -> list[KeywordHit]:
    """Passages that share words with a query, best first, 200 at most; nothing in it is an operator."""
    terms = [f'"{term}"' for term in query_tokens(query)[:MOST_TERMS]]
    if not terms:
        return []
    order = f"bm25(words, {TITLE_WEIGHT}, 1.0), rowid"
    rows = database.execute(
        f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY {order} LIMIT ?",
        (" OR ".join(terms), CANDIDATES),
    )
    found = [row[0] for row in rows]
    coverage = _coverage(database, terms, found) if found else {}
    return [KeywordHit(passage, coverage[passage]) for passage in found]


def _coverage(database: sqlite3.Connection, terms: list[str], found: list[int]) -> dict[int, float]:
    total = database.execute("SELECT max(id) FROM passages").fetchone()[0] or 0
    held = dict.fromkeys(found, 0.0)
    weights = 0.0
    for term in terms:
        rows = database.execute(
            "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (term, _MOST_COUNTED)
        ).fetchall()
        # Inverse document frequency as BM25 has it (Robertson and Zaragoza, 2009).
        weight = math.log(1 + (max(total, len(rows)) - len(rows) + 0.5) / (len(rows) + 0.5))
        weights += weight
        for (passage,) in rows:
            if passage in held:
                held[passage] += weight
    return {passage: weight / weights if weights else 0.0 for passage, weight in held.items()}
