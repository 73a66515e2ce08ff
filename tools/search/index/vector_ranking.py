"""Passages by meaning: exact cosines against all vectors there are.

100,000 vectors of 384 numbers are compared in 30 ms; an approximate index would save less than it costs to
keep it in step with the texts, which lie in the same transactions as these vectors.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np

from models.embeddings import Vectors
from models.passage_embeddings import PassageEmbedder
from tools.search.index.document_index import embedded_text

CANDIDATES = 100
_TOGETHER = 16
_BIAS = 0.5
_LEAST_OF_A_LANGUAGE = 8
_WITHOUT_VECTOR = (
    "FROM passages JOIN documents ON documents.id = document"
    " LEFT JOIN vectors ON embedder = ? AND vectors.digest = passages.digest WHERE vector IS NULL"
)


def add_vectors(
    database: sqlite3.Connection, embedder: PassageEmbedder, first: Sequence[int], most: int
) -> int:
    """Embed passages without a vector, `first` ones before all others; returns how many still lack one.

    Others follow beginning by beginning: what comes first in a document says most about it.

    Raises:
        ModelError: the embedding model failed.
    """
    wanted = [
        row for number in first for row in _missing(database, embedder, "AND passages.id = ?", (number,), 1)
    ][:most]
    if len(wanted) < most:
        wanted += _missing(database, embedder, "ORDER BY ordinal, passages.id", (), most)
    texts = dict(wanted[:most])
    digests = list(texts)
    for at in range(0, len(digests), _TOGETHER):
        batch = digests[at : at + _TOGETHER]
        vectors = embedder.passages([texts[digest] for digest in batch])
        rows = [
            (embedder.name, digest, np.asarray(vector, np.float32).tobytes())
            for digest, vector in zip(batch, vectors, strict=True)
        ]
        database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
    condition, known = _readable(embedder)
    missing = database.execute(f"SELECT count(*) {_WITHOUT_VECTOR} {condition}", (embedder.name, *known))
    return int(missing.fetchone()[0])


def vector_hits(
    database: sqlite3.Connection, embedder: PassageEmbedder, query: str
) -> list[tuple[int, float]]:
    """Passages and their cosines, nearest first, 100 at most; the cosines are those of `_less_biased`.

    Raises:
        ModelError: the embedding model failed.
    """
    rows = database.execute(
        "SELECT passages.id, vector, language FROM passages JOIN documents ON documents.id = document"
        " JOIN vectors ON vectors.digest = passages.digest WHERE embedder = ? ORDER BY passages.id",
        (embedder.name,),
    ).fetchall()
    if not rows:
        return []
    wanted = embedder.queries([query])[0]
    vectors = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
    cosines = _less_biased(vectors @ wanted, [str(row[2]) for row in rows])
    best = np.argsort(-cosines, kind="stable")[:CANDIDATES]
    return [(rows[place][0], float(cosines[place])) for place in best]


def _less_biased(cosines: Vectors, languages: Sequence[str]) -> Vectors:
    """Cosines moved half the way to one mean for all languages.

    A multilingual model holds texts of the query's language nearer whatever they say. With this,
    `python -m evals.retrieval` has all documents in the other language among the first three, without it half
    of them; moved the whole way, questions in other words of one language lose.
    """
    moved = cosines.copy()
    for language in set(languages):
        same = np.array([one == language for one in languages])
        if same.sum() >= _LEAST_OF_A_LANGUAGE:
            moved[same] -= _BIAS * (cosines[same].mean() - cosines.mean())
    return moved


def _missing(
    database: sqlite3.Connection, embedder: PassageEmbedder, rest: str, values: Iterable[object], most: int
) -> list[tuple[str, str]]:
    condition, known = _readable(embedder)
    # Only chosen passages are cut out of their texts: each cut reads its document from the beginning.
    chosen = f"SELECT passages.id {_WITHOUT_VECTOR} {condition} {rest} LIMIT ?"
    rows = database.execute(
        "SELECT passages.digest, json_extract(item, '$.name'), substr(text, start + 1, end - start)"
        f" FROM passages JOIN documents ON documents.id = document WHERE passages.id IN ({chosen})"
        " ORDER BY ordinal, passages.id",
        (embedder.name, *known, *values, most),
    )
    return [(digest, embedded_text(title, passage)) for digest, title, passage in rows]


def _readable(embedder: PassageEmbedder) -> tuple[str, list[str]]:
    """Texts of a language the model does not know would get vectors that mean nothing."""
    if not embedder.languages:
        return "", []
    condition = "AND (language IS NULL OR language IN (SELECT value FROM json_each(?)))"
    return condition, [json.dumps(sorted(embedder.languages))]
