"""The documents of a corpus in its index: brought up to date source by source, and read."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from tools.search.index.sources import CorpusSource, Loaded
from tools.search.items import Item
from tools.search.passages import WIDE, passages_of
from tools.search.tokens import language_of, tokens_of

LONGEST = 100_000
"""Characters of one document; a longer text becomes several, each with its place in the whole."""

EMBEDDED, EMBEDDED_WIDE = 300, 120
"""Characters of a passage that are embedded: of one in Latin letters, and of one in Chinese."""

PART_OF, PART, OFFSET = "isPartOf", "position", "_offset"


class DocumentIndex:
    """Texts, passages and words of a corpus.

    Args:
        database: opened by `schema.open_index`; one thread uses it at a time.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    def update(self, sources: Iterable[CorpusSource]) -> int:
        """Read what is new or changed, forget what is gone; returns how many sources were read.

        Each source is one transaction. What another process has done in the meantime is not done again.
        """
        read = 0
        seen: set[str] = set()
        for source in sources:
            seen.add(source.key)
            read += self._update(source)
        known = [key for (key,) in self.database.execute("SELECT key FROM sources")]
        for key in known:
            if key not in seen:
                with self._transaction():
                    self._forget(key)
        return read

    def notes(self) -> list[str]:
        """What the sources' readers noted."""
        rows = self.database.execute("SELECT notes FROM sources WHERE notes <> '[]' ORDER BY key")
        return [note for (notes,) in rows for note in json.loads(notes)]

    def languages(self) -> dict[str | None, int]:
        """How many documents there are of each language."""
        rows = self.database.execute("SELECT language, count(*) FROM documents GROUP BY language")
        return dict(rows.fetchall())

    def document(self, number: int) -> Item:
        """A document with its whole text."""
        row = self.database.execute("SELECT item, text FROM documents WHERE id = ?", (number,)).fetchone()
        return Item.model_validate({**json.loads(row[0]), "description": row[1]})

    def _update(self, source: CorpusSource) -> bool:
        stamped = self._known(source.key)
        if stamped and source.stamp and stamped[0] == source.stamp:
            return False
        digest = source.digest()
        if stamped and stamped[1] == digest:
            if stamped[0]:
                self._restamp(source, digest)
            return False
        loaded = source.load()
        documents = [part for item in loaded.items for part in parts_of(item)]
        prepared = [(item, list(_passages(item))) for item in documents]
        with self._transaction():
            known = self._known(source.key)
            if known and known[1] == digest:
                return False
            self._forget(source.key)
            self._add(source, digest, loaded, prepared)
        return True

    def _known(self, key: str) -> tuple[str, str] | None:
        row = self.database.execute("SELECT stamp, digest FROM sources WHERE key = ?", (key,)).fetchone()
        return (row[0], row[1]) if row else None

    def _restamp(self, source: CorpusSource, digest: str) -> None:
        self.database.execute(
            "UPDATE sources SET stamp = ? WHERE key = ? AND digest = ?", (source.stamp, source.key, digest)
        )

    def _add(
        self,
        source: CorpusSource,
        digest: str,
        loaded: Loaded,
        documents: Sequence[tuple[Item, list[tuple[int, int, str, str]]]],
    ) -> None:
        write = self.database.execute
        notes = json.dumps(list(loaded.notes))
        # What could not be read is looked at again, for the reason may pass without the file changing.
        stamp = source.stamp if documents else ""
        write("INSERT INTO sources VALUES (?, ?, ?, ?)", (source.key, stamp, digest, notes))
        for number, (item, passages) in enumerate(documents):
            head = json.dumps(item.model_dump(mode="json", by_alias=True, exclude={"description"}))
            document = write(
                "INSERT INTO documents (source, number, language, item, text) VALUES (?, ?, ?, ?, ?)",
                (source.key, number, item.language, head, item.description),
            ).lastrowid
            title = " ".join(tokens_of(item.name))
            for ordinal, (start, end, tokens, hashed) in enumerate(passages):
                place = write(
                    "INSERT INTO passages (document, ordinal, start, end, digest) VALUES (?, ?, ?, ?, ?)",
                    (document, ordinal, start, end, hashed),
                ).lastrowid
                write("INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)", (place, title, tokens))

    def _forget(self, key: str) -> None:
        write = self.database.execute
        of_source = "SELECT id FROM documents WHERE source = ?"
        passages = f"SELECT id FROM passages WHERE document IN ({of_source})"
        write(f"DELETE FROM words WHERE rowid IN ({passages})", (key,))
        write(f"DELETE FROM passages WHERE document IN ({of_source})", (key,))
        write("DELETE FROM documents WHERE source = ?", (key,))
        if write("DELETE FROM sources WHERE key = ?", (key,)).rowcount:
            write("DELETE FROM vectors WHERE digest NOT IN (SELECT digest FROM passages)")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.database.execute("ROLLBACK")
            raise
        self.database.execute("COMMIT")


def embedded_text(title: str, passage: str) -> str:
    """What of a passage is embedded: the title says what it is about, and its beginning is most of it.

    A multilingual model takes 1 ms a token on two busy cores, so half a passage costs half as much.
    """
    return f"{title[:60]}\n{passage[: EMBEDDED_WIDE if WIDE.search(passage) else EMBEDDED]}"


def parts_of(item: Item) -> list[Item]:
    """An item, or if it is very long its parts, cut between paragraphs: `URL#part=2`."""
    if len(item.description) <= LONGEST:
        return [_with_language(item)]
    cuts = [0]
    for passage in passages_of(item.description):
        if passage.end - cuts[-1] > LONGEST:
            cuts.append(passage.start)
    cuts.append(len(item.description))
    parts = list(zip(cuts, cuts[1:], strict=False))
    return [
        _with_language(
            item.model_copy(
                update={
                    "url": f"{item.url}#part={number}",
                    "name": f"{item.name} ({number}/{len(parts)})",
                    "description": item.description[start:end],
                    "schema_object": {**item.schema_object, PART_OF: item.url, PART: number, OFFSET: start},
                }
            )
        )
        for number, (start, end) in enumerate(parts, start=1)
    ]


def _with_language(item: Item) -> Item:
    language = item.language or language_of(item.description)
    if language is None or language == item.language:
        return item
    return item.model_copy(update={"schema_object": {**item.schema_object, "inLanguage": language}})


def _passages(item: Item) -> Iterator[tuple[int, int, str, str]]:
    for start, end in passages_of(item.description):
        text = item.description[start:end]
        hashed = hashlib.sha256(embedded_text(item.name, text).encode("utf-8")).hexdigest()
        yield start, end, " ".join(tokens_of(text)), hashed
