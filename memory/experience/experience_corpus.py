"""One experience corpus: what past runs did, searched by meaning and by words.

`<root>/experience/events.jsonl` is the truth; `<root>/experience/index/` can be deleted at any time.
Appending never touches the index: a search first brings it up to date.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from configs.redaction import path_text
from memory.errors import IndexUnavailable
from memory.events import ReasoningEvent
from memory.experience.compaction import Choice, Compacted, compact
from memory.experience.corpus_index import CorpusIndex, read_state
from memory.experience.mirror import Mirror, Synced
from memory.experience.mirror_state import LOCK_SECONDS, STATE, MirrorPlace
from memory.experience.open_indexes import (
    VectorPlace,
    index_place,
    open_index,
    open_mirror,
    open_server_index,
    open_table,
)
from memory.experience.places import HERE, ExperiencePlaces
from memory.experience.pruning import Pruned, named, older_than
from memory.experience.recall import Recall
from memory.experience.recall_prompt import Scope
from memory.experience.record_table import RecordTable
from memory.experience.server_index import ServerIndex
from memory.experience.text_search import index_in_use
from memory.json_lines import JsonLines
from memory.redaction import redact_record
from models.errors import ModelError

if TYPE_CHECKING:
    from models.embeddings import Embedder

EVENTS_FILE = "events.jsonl"
INDEX_DIRECTORY = "index"
PATIENCE = 30.0
"""Seconds a rebuilding waits for another process that adds the vectors, and gets no further."""
_PAUSE = 0.1

_WAITING = "Records wait on this machine until it can be used."

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CorpusStats:
    """What `reflect doctor` tells about a corpus.

    Attributes:
        scope: project or global.
        path: its file.
        events: lines that hold an object.
        bad_lines: lines that do not; they stay in the file.
        bytes: size of the file.
        indexed_offset: bytes the record table has read.
        indexed: vectors in the index that got furthest, when there are several.
        duplicates: lines of an event id that an earlier line has; they count for nothing.
        texts: different texts that are searched.
        index: name of the vector index that got furthest; empty when there is none.
        problem: what is wrong with the index, and what to do; empty when nothing is.
        shared: the database the records are shared through, and under which name; empty when they are not.
        waiting: lines that were not sent there yet.
        server: the Chroma server that has the vectors; empty when they are on this machine.
    """

    scope: Scope
    path: Path
    events: int
    bad_lines: int
    bytes: int
    indexed_offset: int
    indexed: int
    duplicates: int = 0
    texts: int = 0
    index: str = ""
    problem: str = ""
    shared: str = ""
    waiting: int = 0
    server: str = ""


class ExperienceCorpus:
    """One corpus.

    Args:
        directory: holds the file and its index; made by the first append.
        scope: whose corpus it is.
        max_age_days: older events are not returned.
        embedder: opens the embedding model; called by searches only.
        places: servers that share its records, or have its vectors.
    """

    def __init__(
        self,
        directory: Path,
        scope: Scope,
        max_age_days: int,
        embedder: Callable[[], Embedder],
        places: ExperiencePlaces = HERE,
    ) -> None:
        self.scope = scope
        self._directory = directory
        self._file = JsonLines(directory / EVENTS_FILE)
        self._index = index_place(directory.resolve() / INDEX_DIRECTORY)
        self._embedder = embedder
        self._max_age = timedelta(days=max_age_days)
        self._records = places.records
        self.shared_as = places.shared_as(scope)
        self.vectors = VectorPlace(self._index, places.vectors, self.shared_as)
        self.recall = Recall(self._file, self.vectors, scope, self._max_age, self.refresh)

    @property
    def path(self) -> Path:
        """The file of events."""
        return self._file.path

    @property
    def file(self) -> JsonLines:
        """The file, as lines."""
        return self._file

    @property
    def table(self) -> RecordTable:
        """The record table; this process has one for every corpus."""
        return open_table(self._file, self._index)

    def append(self, event: ReasoningEvent, *, once: bool = False) -> bool:
        """Append an event, secrets redacted; returns whether it was.

        Args:
            event: the event.
            once: leave the file alone when it holds an event of that id; reads the whole file.

        Raises:
            CorpusUnwritable: it could not be written; the corpus is as it was.
        """
        record = redact_record(event.model_dump(mode="json"))
        appended = self._file.append(record, unless=event.event_id if once else "")
        self.send()
        return appended

    @property
    def mirror(self) -> Mirror | None:
        """What shares the records with other hosts; None when they stay on this one."""
        if not self.shared_as:
            return None
        return open_mirror(self._records, self.shared_as, self._file, self._index)

    def send(self) -> None:
        """Send other hosts what was appended, if they share the corpus; what cannot be sent now waits."""
        mirror = self.mirror
        if mirror is not None:
            mirror.send()

    def refresh(self) -> None:
        """Take in what other hosts wrote, unless that was done a moment ago, or cannot be done now."""
        mirror = self.mirror
        if mirror is not None:
            mirror.look()
            if gone := mirror.vanished():
                self._tidy(gone)

    def sync(self) -> Synced:
        """Exchange all records with the hosts that share the corpus.

        Raises:
            RecordsUnshared: the database cannot be used.
            CorpusUnwritable: this host's corpus cannot be written.
            IndexUnavailable: its record table cannot be used.
        """
        mirror = self.mirror
        if mirror is None:
            return Synced()
        exchanged = mirror.sync()
        if gone := mirror.vanished():
            self._tidy(gone)
        return exchanged

    def is_empty(self) -> bool:
        """Whether nothing was ever appended, here or by a host that shares the corpus."""
        self.refresh()
        return self._file.size() == 0

    def problems(self) -> list[str]:
        """What the last search or append could not do on a server, a sentence each."""
        mirror = self.mirror
        found = [f"{mirror.problem} {_WAITING}"] if mirror is not None and mirror.problem else []
        if self.recall.vector_problem:
            found.append(f"Past runs are searched by words only: {self.recall.vector_problem}")
        return found

    def prune(self, *, dry_run: bool = False) -> Pruned:
        """Remove events that are too old; see `memory.experience.pruning`.

        Raises:
            CorpusUnwritable: a new file cannot be written; the old one is as it was.
            PruneBusy: another process is pruning.
            RecordsUnshared: another process exchanges records of the corpus all the time.
            IndexUnavailable: the table that counts what helped cannot be used.
        """
        removed = self._remove(older_than(self._max_age), dry_run=dry_run)
        return Pruned(removed.lines, removed.bytes_before, removed.bytes_after)

    def forget(self, identities: Sequence[str], *, dry_run: bool = False) -> int:
        """Remove records, and what is said about them, here and on the hosts that share the corpus.

        Args:
            identities: event ids, as `recollection.identity` writes them; unknown ones are passed over.
            dry_run: only count.

        Returns:
            Lines that are gone.

        Raises:
            CorpusUnwritable: a new file cannot be written; the old one is as it was.
            PruneBusy: another process is rewriting it.
            RecordsUnshared: another process exchanges records of the corpus all the time.
            IndexUnavailable: the record table cannot be used.
        """
        return self._remove(named(identities), dry_run=dry_run).lines

    def _remove(self, choose: Choice, *, dry_run: bool) -> Compacted:
        mirror = self.mirror
        if mirror is not None:
            removed = mirror.remove(choose, dry_run=dry_run)
        else:
            with contextlib.nullcontext() if dry_run else self._not_while_sent():
                removed = compact(self._file, self.table, choose, dry_run=dry_run)
        if removed.lines and not dry_run:
            self._tidy(removed.vanished)
        return removed

    def _not_while_sent(self) -> contextlib.AbstractContextManager[None]:
        """Wait for a process that was told of a database: it counts bytes of the file that it has sent."""
        place = MirrorPlace(self._file.path.with_name(STATE))
        return place.alone(LOCK_SECONDS) if place.begun() else contextlib.nullcontext()

    def _tidy(self, vanished: Sequence[str]) -> None:
        if self.vectors.server is None:
            self._tidy_vectors()
            return
        try:
            embedder = self._embedder()
            open_server_index(self.vectors, embedder.name, embedder.dimension).remove(vanished)
        except (IndexUnavailable, ModelError) as error:
            _log.warning("Vectors of removed events stay on %s: %s", self.vectors.server, error)

    def _tidy_vectors(self) -> None:
        """Take out the vectors of what was removed, which searches would only do when they are few."""
        try:
            embedder = self._embedder()
            index = open_index(self._index, embedder.name, embedder.dimension)
            if index.begun():
                index.tidy(self.table)
        except (IndexUnavailable, ModelError) as error:
            _log.warning("Vectors of removed events stay in the index of %s: %s", self.path, error)

    def reindex(self) -> int:
        """Build table and index anew, whole; returns how many vectors were added.

        Raises:
            IndexUnavailable: the index cannot be written, or another process was at it and got no further.
            ModelError: the embedding model failed.
        """
        if self.is_empty():
            return 0
        embedder = self._embedder()
        table = self.table
        table.start_over()
        while not table.catch_up():
            pass
        index: CorpusIndex | ServerIndex
        if self.vectors.server is not None:
            index = open_server_index(self.vectors, embedder.name, embedder.dimension)
        else:
            index = open_index(self._index, embedder.name, embedder.dimension)
        index.start_over()
        return self._fill(index, table, embedder)

    def _fill(self, index: CorpusIndex | ServerIndex, table: RecordTable, embedder: Embedder) -> int:
        """Add all vectors, this process or another that is at it; returns how many this one added."""
        total = reached = 0
        until = time.monotonic() + PATIENCE
        while True:
            added = index.catch_up(table, embedder.embed)
            total += added
            behind = index.behind(table)
            if not behind:
                return total
            if added or behind != reached:
                reached, until = behind, time.monotonic() + PATIENCE
            elif time.monotonic() > until:
                raise IndexUnavailable(
                    f"The index of {path_text(self.path)} is not complete: another process was at it, and "
                    f"added nothing for {PATIENCE:g} s.",
                    "Run `reflect experience reindex` again when it has finished.",
                )
            if not added:
                time.sleep(_PAUSE)

    def stats(self) -> CorpusStats:
        """Count; reads the whole file.

        Raises:
            OSError: the file is there and cannot be read.
        """
        events = bad = 0
        for line in self._file.read():
            events += line.record is not None
            bad += line.record is None
        offset = duplicates = texts = 0
        problem = ""
        if self._index.is_dir() and any(self._index.glob("keywords-*.sqlite")):
            try:
                state = self.table.state()
                offset, duplicates, texts = state.offset, state.duplicates, state.texts
            except IndexUnavailable as error:
                problem = str(error)
        indexed, index, why = self._vectors_held()
        mirror = self.mirror
        return CorpusStats(
            scope=self.scope,
            path=self.path,
            events=events,
            bad_lines=bad,
            bytes=self._file.size(),
            indexed_offset=offset,
            indexed=indexed,
            duplicates=duplicates,
            texts=texts,
            index=index,
            problem=problem or why,
            shared=f"{mirror.log.where} as {mirror.scope}" if mirror is not None else "",
            waiting=mirror.waiting() if mirror is not None else 0,
            server=str(self.vectors.server or ""),
        )

    def _vectors_held(self) -> tuple[int, str, str]:
        """How many vectors there are, where, and why nobody knows."""
        if self.vectors.server is None:
            index = index_in_use(self._index)
            state = read_state(self._index / index) if index else None
            return (state.indexed if state else 0), index, ""
        try:
            embedder = self._embedder()
            on_server = open_server_index(self.vectors, embedder.name, embedder.dimension)
            return on_server.count(), on_server.collection, ""
        except (IndexUnavailable, ModelError) as error:
            return 0, "", str(error)
