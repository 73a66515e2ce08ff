"""Texts by the words they share with a query: BM25 of SQLite's FTS5, kept from scoring half the corpus.

BM25 costs about a microsecond for every text that holds a word of the query, and "files" may be in all of
them: only the rarest words are scored, as many as keep it short. A text counts as found when it carries most
of what the query says, each word weighing its inverse document frequency; the rest would be noise.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import MutableMapping
from dataclasses import dataclass

from memory.experience.words import words_of

LEAST_COVERAGE = 0.6
"""Share of the query's idf weight a text must carry to be found by its words alone."""

MOST_TERMS = 48
MOST_POSTINGS = 3_000
_CANDIDATES = 64
_FREQUENT = 200
"""Texts from which on a count is kept: counting takes that long only then, and one more changes nothing."""


@dataclass(frozen=True)
class KeywordMatch:
    """A text that shares words with the query: its digest, and the share of the query's idf weight it has."""

    digest: str
    coverage: float


def keyword_matches(
    query: str, texts: int, frequencies: MutableMapping[str, int], database: sqlite3.Connection
) -> list[KeywordMatch]:
    """Texts that carry most of a query, best first.

    Args:
        query: any text; nothing in it is taken for a search operator.
        texts: how many texts there are.
        frequencies: how many texts frequent words are in, as far as they were counted; filled.
        database: the record table.
    """
    terms = list(dict.fromkeys(words_of(query)))[:MOST_TERMS]
    if not terms or not texts:
        return []
    counts = {term: _document_frequency(term, frequencies, database) for term in terms}
    weights = {term: _idf(counts[term], texts) for term in terms}
    held = sorted((term for term in terms if counts[term]), key=lambda term: counts[term])
    if sum(weights[term] for term in held) < LEAST_COVERAGE * sum(weights.values()):
        return []
    return _covering(_candidates(held, counts, database), weights, database)


def _candidates(held: list[str], counts: dict[str, int], database: sqlite3.Connection) -> list[int]:
    scored: list[str] = []
    postings = 0
    for term in held:
        postings += counts[term]
        if postings > MOST_POSTINGS:
            break
        scored.append(term)
    if scored:
        match, order = " OR ".join(map(_quoted, scored)), "rank"
    else:
        # Nothing but frequent words: only texts that have them all, the newest.
        match, order = " AND ".join(map(_quoted, held)), "rowid DESC"
    rows = database.execute(
        f"SELECT rowid FROM words WHERE words MATCH ? ORDER BY {order} LIMIT ?", (match, _CANDIDATES)
    )
    return [row[0] for row in rows]


def _covering(
    numbers: list[int], weights: dict[str, float], database: sqlite3.Connection
) -> list[KeywordMatch]:
    total = sum(weights.values())
    rows = database.execute(
        "SELECT digest, tokens FROM json_each(?)"
        " JOIN texts ON texts.id = value JOIN words ON words.rowid = value ORDER BY key",
        (json.dumps(numbers),),
    )
    found: list[tuple[float, int, str]] = []
    for digest, tokens in rows:
        words = tokens.split()
        coverage = sum(weight for term, weight in weights.items() if term in words) / total
        if coverage >= LEAST_COVERAGE:
            found.append((-round(coverage, 9), len(words), digest))
    # Of texts that say as much of the query, the one that says the least besides.
    return [KeywordMatch(digest, -coverage) for coverage, _, digest in sorted(found, key=lambda one: one[:2])]


def _document_frequency(
    term: str, frequencies: MutableMapping[str, int], database: sqlite3.Connection
) -> int:
    known = frequencies.get(term)
    if known is None:
        row = database.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
        known = int(row[0]) if row else 0
        if known >= _FREQUENT:
            frequencies[term] = known
    return known


def _idf(frequency: int, texts: int) -> float:
    """Inverse document frequency as BM25 has it (Robertson and Zaragoza, 2009), never negative."""
    return math.log(1 + (max(texts, frequency) - frequency + 0.5) / (frequency + 0.5))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
