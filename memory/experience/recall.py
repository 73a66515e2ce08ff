"""Finding past events in one corpus, and reading them from its file.

The table says where a record lies; the line there is read and checked to be the one that was meant, because
another process may have rewritten the file a moment ago.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memory.errors import IndexBusy, IndexUnavailable
from memory.experience.open_indexes import VectorPlace, open_table
from memory.experience.rank_fusion import Match, best_first, ordering_score
from memory.experience.recall_prompt import ExperienceHit, Scope
from memory.experience.recollection import identity, identity_of, meta_of, read_time, recollect, text_of
from memory.experience.record_queries import (
    ANYTHING,
    FeedbackRow,
    RecordCount,
    RecordRow,
    Wanted,
    count_records,
    episodes_of_key,
    feedback_about,
    newest_records,
    records_named,
    records_of_text,
    shown_record,
    unresolved_of_key,
)
from memory.experience.record_table import RecordTable
from memory.experience.stored_episode import CLOCK_SKEW, StoredEpisode
from memory.experience.text_search import Query, TextSearch, told_foreign
from memory.json_lines import JsonLines

if TYPE_CHECKING:
    from models.embeddings import Embedder

_OVERFETCH = 4
_MOST_FETCHED = 512
"""Age, kind and counters are filtered after the query: a filter inside makes it 2 to 40 times slower."""

_SECONDS_A_DAY = 86_400
_ATTEMPTS = 3

_Row = TypeVar("_Row")
_log = logging.getLogger(__name__)


class Found(NamedTuple):
    """A record that was found: its row, its line's object, and how its text matched; None without a query."""

    row: RecordRow
    record: dict[str, Any]
    match: Match | None = None


class Recall:
    """Searches one corpus. An index that cannot be used is logged, and then nothing is found.

    Args:
        file: the corpus.
        place: where its vectors are.
        scope: whose corpus it is.
        max_age: older events are not returned, unless they helped more than they harmed.
        refresh: takes in what other hosts wrote, before each look.
    """

    def __init__(
        self,
        file: JsonLines,
        place: VectorPlace,
        scope: Scope,
        max_age: timedelta,
        refresh: Callable[[], None],
    ) -> None:
        self.scope = scope
        self._file = file
        self._directory = place.directory
        self._max_age = max_age
        self._refresh = refresh
        self._texts = TextSearch(file.path, lambda: self.table, place)

    @property
    def vector_problem(self) -> str:
        """Why a server's vectors could not be searched the last time; empty when they could."""
        return self._texts.problem

    @property
    def table(self) -> RecordTable:
        """The record table; this process has one for every corpus."""
        return open_table(self._file, self._directory)

    def search(self, query: Query, top_k: int, wanted: Wanted = ANYTHING) -> list[ExperienceHit]:
        """Return events like a query, best first, the newest of those that say the same.

        Args:
            query: what is searched for.
            top_k: hits at most.
            wanted: which events.

        Raises:
            ModelError: the embedding model failed.
        """
        hits = [hit for found in self._matching(query, top_k, wanted) if (hit := self._hit(found))]
        return distinct(hits)[:top_k]

    def examples(self, query: Query, most: int, wanted: Wanted) -> list[StoredEpisode]:
        """Return whole runs like a query, nearest first.

        Args:
            query: what is searched for.
            most: runs at most.
            wanted: which of them.

        Raises:
            ModelError: the embedding model failed.
        """
        found = self._matching(query, most, wanted)
        found.sort(key=lambda one: -round(one.match.likeness if one.match else 0.0, 6))
        return [self._episode(one) for one in found]

    def episodes(self, key: str, most: int, *, quarantined: bool = False) -> list[StoredEpisode]:
        """Return verified runs of a key, the most helpful first, then the newest.

        Args:
            key: the goal's skeleton.
            most: runs at most.
            quarantined: those of an import that no run has confirmed, instead of all others.
        """
        now = datetime.now(UTC).timestamp()
        work = partial(
            episodes_of_key,
            key=key,
            most=most,
            oldest=now - self._max_age.total_seconds(),
            soon=now + CLOCK_SKEW.total_seconds(),
            quarantined=quarantined,
        )
        return [self._episode(found) for found in self._read(lambda: self.table.read(work))]

    def newest(self, most: int, skipped: int = 0) -> list[ExperienceHit]:
        """Return events, the newest first, without a likeness.

        Args:
            most: events at most.
            skipped: events left out before them.
        """
        now = datetime.now(UTC).timestamp()
        work = partial(
            newest_records,
            most=most,
            skipped=skipped,
            oldest=now - self._max_age.total_seconds(),
            soon=now + CLOCK_SKEW.total_seconds(),
        )
        found = self._read(lambda: self.table.read(work))
        return [hit for one in found if (hit := self._hit(one))]

    def named(self, identity: str) -> ExperienceHit | None:
        """The event of an identity, without a likeness; None when there is none that may be shown."""
        found = self._read(lambda: self.table.read(partial(shown_record, identity=identity)))
        return next((hit for one in found if (hit := self._hit(one))), None)

    def unresolved(self, key: str, by: str = "") -> list[tuple[str, str]]:
        """Identities and event ids of failures of a key that no episode, or only `by`, solved."""
        found = self._read(lambda: self.table.read(partial(unresolved_of_key, key=key, by=by)))
        return [(one.row.identity, text_of(one.record.get("event_id"))) for one in found]

    def feedback(self, identities: Iterable[str]) -> list[FeedbackRow]:
        """What this corpus says about records, wherever they are."""
        return self.rows(partial(feedback_about, identities=list(identities)))

    def rows(self, work: Callable[[sqlite3.Connection], list[_Row]]) -> list[_Row]:
        """Bring the table up to date and ask it."""
        if self._is_empty():
            return []
        try:
            self._catch_up()
            replaced = self.table.replaced
            rows = self.table.read(work)
            if self.table.replaced != replaced:
                self._catch_up()
                rows = self.table.read(work)
            return rows
        except IndexUnavailable as error:
            _log.warning("Experience in %s is not searched: %s", self._file.path, error)
            return []

    def record(self, event_id: str) -> dict[str, Any] | None:
        """The record of an event id; None when there is none."""
        work = partial(records_named, identities=[identity(event_id)])
        return next((found.record for found in self._read(lambda: self.table.read(work))), None)

    def index_problem(self, embedder: Embedder) -> str:
        """Say that the index is of another embedding model; empty when it is not.

        Raises:
            IndexUnavailable: the table cannot be used.
        """
        other = self._texts.other_embedder(embedder) if self._file.size() else None
        return told_foreign(self._file.path, other, embedder) if other else ""

    def count(self) -> RecordCount:
        """Count what a search may find, and what it leaves out.

        Raises:
            IndexUnavailable: the table cannot be used.
        """
        if self._is_empty():
            return RecordCount()
        self._catch_up()
        oldest = datetime.now(UTC).timestamp() - self._max_age.total_seconds()
        return self.table.read(partial(count_records, oldest=oldest))

    def _matching(self, query: Query, top_k: int, wanted: Wanted) -> list[Found]:
        """Records whose texts match, best first; more texts are fetched when too few records remain."""
        most = top_k * _OVERFETCH
        while True:
            look = _Look(self._texts, self.table, query, most, wanted, self._max_age)
            found = self._read(lambda look=look: look.rows()[:top_k])  # type: ignore[misc]  # bound at once
            if len(found) >= top_k or not look.more or most >= _MOST_FETCHED:
                return [one._replace(match=look.match_of[one.row.identity]) for one in found]
            most *= 4

    def _read(self, look: Callable[[], list[RecordRow]]) -> list[Found]:
        """Bring the table up to date, ask it, and read the lines; again when they are not those it means."""
        if self._is_empty():
            return []
        found: list[Found] = []
        try:
            for _ in range(_ATTEMPTS):
                self._catch_up()
                replaced = self.table.replaced
                rows = look()
                found = [one for row in rows if (one := self.line(row))]
                if len(found) == len(rows) and self.table.replaced == replaced:
                    break
        except IndexUnavailable as error:
            _log.warning("Experience in %s is not searched: %s", self._file.path, error)
            return []
        return found

    def _is_empty(self) -> bool:
        self._refresh()
        return not self._file.size()

    def _catch_up(self) -> None:
        """Take in what is new; what the table has is searched when another process is busy writing it."""
        try:
            self.table.catch_up()
        except IndexBusy as error:
            _log.warning("The newest experience in %s is not searched: %s", self._file.path, error)

    def line(self, row: RecordRow) -> Found | None:
        """Read the record of a row; None when its line is another by now."""
        line = self._file.read_at(row.offset)
        if line is None or line.record is None or identity_of(line.record, line.raw) != row.identity:
            return None
        return Found(row, line.record)

    def _hit(self, found: Found) -> ExperienceHit | None:
        recalled, row = recollect(found.record), found.row
        if recalled is None:
            return None
        return ExperienceHit(
            scope=self.scope,
            score=found.match.likeness if found.match else 0.0,
            recollection=recalled,
            helpful=row.helpful,
            harmful=row.harmful,
            resolved_by=row.resolved_by,
            identity=row.identity,
        )

    def _episode(self, found: Found) -> StoredEpisode:
        record, row = found.record, found.row
        return StoredEpisode(
            event_id=text_of(record.get("event_id")) or row.identity,
            scope=self.scope,
            at=read_time(record.get("timestamp")),
            goal=text_of(record.get("goal")),
            key=text_of(meta_of(record).get("key")),
            meta=meta_of(record),
            helpful=row.helpful,
            harmful=row.harmful,
        )


class _Look:
    """One search of the index: which rows, in which order."""

    def __init__(
        self,
        texts: TextSearch,
        table: RecordTable,
        query: Query,
        most: int,
        wanted: Wanted,
        max_age: timedelta,
    ) -> None:
        self._texts, self._table, self._query, self._most, self._wanted = texts, table, query, most, wanted
        now = datetime.now(UTC).timestamp()
        self._now, self._oldest, self._soon = (
            now,
            now - max_age.total_seconds(),
            now + CLOCK_SKEW.total_seconds(),
        )
        self.match_of: dict[str, Match] = {}
        self.more = False

    def rows(self) -> list[RecordRow]:
        matches, self.more = self._texts.matches(self._query, self._most)
        scored: dict[tuple[str, str], tuple[float, float, RecordRow]] = {}
        for digest, rows in self._table.read(partial(self._records, best_first(matches))):
            for row in rows:
                self.match_of[row.identity] = matches[digest]
                candidate = (*self._order(matches[digest], row), row)
                # Records of one text say the same when they ended in the same way: the best stands for them.
                same = (digest, row.outcome)
                if same not in scored or scored[same][:2] < candidate[:2]:
                    scored[same] = candidate
        ordered = sorted(scored.values(), key=lambda one: one[:2], reverse=True)
        return [row for _, _, row in ordered]

    def _records(
        self, digests: Sequence[str], database: sqlite3.Connection
    ) -> list[tuple[str, list[RecordRow]]]:
        """All texts' records at one look: each look makes sure of the file anew."""
        return [
            (digest, records_of_text(database, digest, self._wanted, self._oldest, self._soon))
            for digest in digests
        ]

    def _order(self, match: Match, row: RecordRow) -> tuple[float, float]:
        """Score, then time; a time that is yet to come counts as none."""
        at = row.at if row.at is not None and row.at <= self._soon else None
        age_days = None if at is None else max(0.0, self._now - at) / _SECONDS_A_DAY
        score = ordering_score(match, age_days, row.result == "success", row.helpful - row.harmful)
        return round(score, 9), at or 0.0


def distinct(hits: Sequence[ExperienceHit]) -> list[ExperienceHit]:
    """Keep the first of those that say the same."""
    kept: dict[tuple[str, ...], ExperienceHit] = {}
    for hit in hits:
        kept.setdefault((hit.goal, hit.outcome, hit.error, hit.lesson), hit)
    return list(kept.values())
