"""The records of one corpus, shared with other hosts through a table of Postgres.

The corpus file stays the truth of this host, and is its own outbox: `shared.json` beside it says up to which
byte its lines were sent, and up to which place of the table's order rows were taken in. Both are written
after what they speak of, so a process that is killed leaves something to be done twice, which changes
nothing: the table takes an identity once, and so does the file.

Records are sent after each append, taken in before searches, once a second at most. While the database is
away all of that waits in the file.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

from memory.errors import MemoryStoreError
from memory.experience.compaction import Choice, Compacted, compact
from memory.experience.forgotten import forgotten_by, is_forgetting
from memory.experience.mirror_state import LOCK_SECONDS, STATE, MirrorBusy, MirrorPlace, MirrorState
from memory.experience.new_records import append_new
from memory.experience.pruning import named
from memory.experience.recollection import identity, text_of
from memory.experience.record_log import Entry, RecordLog
from memory.experience.record_queries import known_identities
from memory.experience.record_table import RecordTable
from memory.experience.shared_rows import AT_ONCE, BYTES_AT_ONCE, fits_a_line, in_parts, row_record, row_text
from memory.json_lines import TORN, JsonLines, Line

EVERY = 1.0
"""Seconds between two looks for rows of other hosts."""

_PAGE = 1_000
_PAGES_OF_A_SEARCH = 10
"""Rows one search takes in at most, by pages: two seconds. The next search continues."""

_log = logging.getLogger(__name__)


class Synced(NamedTuple):
    """What went to the table and came from it: records sent and taken in, records forgotten here."""

    sent: int = 0
    taken: int = 0
    forgotten: int = 0

    def plus(self, other: Synced) -> Synced:
        """Both together."""
        return Synced(*(one + more for one, more in zip(self, other, strict=True)))


class Mirror:
    """One corpus and its scope of the table; any thread may use it.

    Args:
        log: the table.
        scope: the same on all hosts that share the corpus.
        file: the corpus.
        table: its record table.

    Attributes:
        problem: why records could not be sent or taken in the last time; empty when they could.
    """

    def __init__(self, log: RecordLog, scope: str, file: JsonLines, table: RecordTable) -> None:
        self.log = log
        self.scope = scope
        self.problem = ""
        self._file = file
        self._table = table
        self._place = MirrorPlace(file.path.with_name(STATE))
        self._turn = Lock()
        self._known = MirrorState(scope=scope)
        self._looked = float("-inf")
        self._vanished: list[str] = []
        self._opened = 0

    def send(self) -> None:
        """Send what was appended; a database that is away is told by `problem`, and nothing is lost."""
        end = self._file.size()
        with self._turn:
            if end <= self._known.offset and self._fits(self._known):
                return
            with self._told(), self._place.alone(LOCK_SECONDS):
                self._push(self._state())

    def look(self) -> None:
        """Take in what other hosts added since the last look, unless that was a moment ago."""
        if time.monotonic() - self._looked < EVERY or not self._turn.acquire(blocking=False):
            return
        try:
            with self._told(), self._place.alone(0):
                self._exchange(_PAGES_OF_A_SEARCH)
            self._looked = time.monotonic()
        finally:
            self._turn.release()

    def sync(self) -> Synced:
        """Send and take in everything.

        Raises:
            RecordsUnshared: the database cannot be used.
            CorpusUnwritable: this host's corpus cannot be written.
            IndexUnavailable: its record table cannot be used.
        """
        with self._turn, self._place.alone(LOCK_SECONDS):
            synced = self._exchange(None)
            self.problem = ""
            return synced

    def remove(self, choose: Choice, *, dry_run: bool = False) -> Compacted:
        """Remove records here, and let the other hosts know.

        Args:
            choose: which records.
            dry_run: only count.

        Raises:
            RecordsUnshared: another process exchanges records all the time.
            CorpusUnwritable, PruneBusy, IndexUnavailable: as `memory.experience.compaction.compact`.
        """
        with self._turn, self._place.alone(LOCK_SECONDS):
            if dry_run:
                return compact(self._file, self._table, choose, dry_run=True)
            with self._told():
                # Those that only other hosts have are to go as well.
                self._exchange(None)
            state = self._state()
            if not self._fits(state):
                state = state.model_copy(update={"offset": 0})
            removed = self._compact(choose, state, tell=True)
            with self._told():
                self._push(self._state())
            return removed

    def waiting(self) -> int:
        """Lines that are not sent yet."""
        state = self._state()
        return self._file.count_lines(state.offset) if self._fits(state) else self._file.count_lines()

    def vanished(self) -> list[str]:
        """Digests of texts that went with records other hosts removed, each told once."""
        gone, self._vanished = self._vanished, []
        return gone

    def close(self) -> None:
        """Look again at once, the next time; nothing is held between two calls."""
        self._looked = float("-inf")

    def _exchange(self, pages: int | None) -> Synced:
        # What this host forgot must be known there before rows are taken in, or they would come back.
        state, sent = self._push(self._state())
        return sent.plus(self._pull(state, pages))

    def _push(self, state: MirrorState) -> tuple[MirrorState, Synced]:
        if state.epoch == self.log.epoch() and self._lost(state):
            self.log.renew()
        if state.epoch != self.log.epoch():
            if state.epoch:
                _log.warning("The shared table of %s may have lost rows: all are compared anew.", self.scope)
            state = self._write(MirrorState(scope=self.scope, epoch=self.log.epoch()))
        if not self._fits(state):
            state = state.model_copy(update={"offset": 0, "mark": self._table.mark(0)})
        sent, buried = 0, set[str]()
        for batch in self._unsent(state.offset):
            new, old = self._send(batch)
            sent, buried = sent + new, buried | old
            end = batch[-1].end
            state = state.model_copy(update={"offset": end, "mark": self._table.mark(end)})
            if not buried:
                self._write(state)
        if buried:
            # Another host forgot them while this one wrote or kept them unheard.
            self._compact(named(sorted(buried)), state, tell=False)
            state = self._state()
        return state, Synced(sent=sent, forgotten=len(buried))

    def _lost(self, state: MirrorState) -> bool:
        """Whether the table ends before what was taken in from it; asked once a connection."""
        if self._opened == self.log.opened:
            return False
        self._opened = self.log.opened
        return self.log.last(self.scope) < state.seq

    def _unsent(self, offset: int) -> Iterator[list[Line]]:
        batch: list[Line] = []
        size = 0
        for line in self._file.read(offset):
            if line.problem == TORN:
                break
            batch.append(line)
            size += len(line.raw)
            if len(batch) == AT_ONCE or size >= BYTES_AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _send(self, batch: Sequence[Line]) -> tuple[int, set[str]]:
        """Send lines; how many records are new there, and which of them others have forgotten."""
        records: dict[str, dict[str, Any]] = {}
        gone: list[str] = []
        for line in batch:
            name = identity(text_of(line.record.get("event_id"))) if line.record else ""
            if line.record is None or not name:
                continue  # Without an id of its own nobody could tell it from a copy.
            if is_forgetting(line.record):
                gone += forgotten_by(line.record)
            else:
                records.setdefault(name, line.record)
        held = self.log.held(self.scope, list(records)) if len(records) > 1 else {}
        texts = [
            (name, text)
            for name, record in records.items()
            if name not in held and (text := row_text(name, record)) is not None
        ]
        # Postgres refuses to change a row twice in one statement.
        gone = list(dict.fromkeys(gone))
        new = self.log.add(self.scope, texts, gone) if texts or gone else set()
        late = [name for name, _ in texts if name not in new]
        held |= self.log.held(self.scope, late) if late else {}
        return len(new), {name for name in records if held.get(name)} - set(gone)

    def _pull(self, state: MirrorState, pages: int | None) -> Synced:
        taken, buried = 0, list[str]()
        seq = state.seq
        while pages is None or pages > 0:
            pages = None if pages is None else pages - 1
            rows = self.log.page(self.scope, seq, _PAGE)
            if not rows:
                break
            seq = rows[-1].seq
            added, gone, state = self._take(rows, state)
            taken += added
            buried += gone
            if not buried:
                state = self._write(state.model_copy(update={"seq": seq}))
        if buried:
            self._compact(named(buried), state, tell=False)
            self._write(self._state().model_copy(update={"seq": seq}))
        return Synced(taken=taken, forgotten=len(buried))

    def _take(self, rows: Sequence[Entry], state: MirrorState) -> tuple[int, list[str], MirrorState]:
        """Append rows this host does not have; how many, which it has and others forgot, and the state."""
        while not self._table.catch_up():
            pass
        known = self._table.read(partial(known_identities, identities=[row.identity for row in rows]))
        gone = [row.identity for row in rows if row.size is None and row.identity in known]
        wanted = [row for row in rows if fits_a_line(row) and row.identity not in known]
        added = 0
        for part in in_parts(wanted):
            texts = self.log.texts(self.scope, [row.identity for row in part])
            records = [
                record for row in part if (record := row_record(row.identity, texts.get(row.identity)))
            ]
            with self._file.locked():
                before = self._file.size()
                added += append_new(records, self._file, self._table)
                if state.offset == before:
                    # What came from the table need not be sent there.
                    end = self._file.size()
                    state = state.model_copy(update={"offset": end, "mark": self._table.mark(end)})
        return added, gone, state

    def _compact(self, choose: Choice, state: MirrorState, *, tell: bool) -> Compacted:
        removed = compact(self._file, self._table, choose, tell=tell, watched=state.offset)
        if removed.lines:
            mark = self._table.mark(removed.watched)
            self._write(state.model_copy(update={"offset": removed.watched, "mark": mark}))
            if not tell:
                self._vanished += removed.vanished
        return removed

    def _fits(self, state: MirrorState) -> bool:
        return state.offset <= self._file.size() and state.mark == self._table.mark(state.offset)

    def _write(self, state: MirrorState) -> MirrorState:
        self._known = self._place.write(state)
        return state

    def _state(self) -> MirrorState:
        """How far this host got; from the beginning when the file is gone, or was shared as another scope."""
        state = self._place.read()
        if state.scope != self.scope:
            return MirrorState(scope=self.scope)
        return state if self._file.size() else MirrorState(scope=self.scope, epoch=state.epoch)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Tell what goes wrong by `problem` and the log: the corpus of this host can be used all the same."""
        try:
            yield
        except MirrorBusy as busy:
            # The process that is at it sends these lines as well, or the next append does.
            _log.debug("%s", busy)
        except MemoryStoreError as error:
            if self.problem != error.what:
                _log.warning("%s", error)
            self.problem = error.what
        else:
            self.problem = ""
