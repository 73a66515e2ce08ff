"""The memory of one session: its requests, and for each the trace of what was decided, done and corrected.

Nothing here touches a disk but `flush` and `refresh`; both block, so call them in a thread. What was added
since the last `flush` is lost with the process, which is as it should be: the node that added it runs again,
and gives its entries the same ids.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from memory.commitments import Deed, unmet
from memory.redaction import redact
from memory.trace.reasoning_trace import OutcomeStatus, ReasoningEntry, ReasoningTrace, new_entry, read_entry
from memory.trace.session_trace import SessionTrace
from memory.trace.summary import summary

REASONING_TRACE_AVAILABLE = True
"""The trace is part of every installation; whether a session keeps one is `is_reasoning_trace_enabled()`."""

RECORD = "record"
"""The field of a line that says it is none of the run's events: `interaction` or `reasoning`."""
LONGEST_REQUEST = 1000


class SessionMemory:
    """Requests of a session, and their reasoning traces when they are wanted.

    While the trace is off, every method of it is a safe no: None, False, "" or []. While it is on, ids nobody
    knows, and entries before `start_reasoning_trace`, are the same safe no; a stage, outcome or field that
    does not exist, or a value of another type, is a `TraceEntryInvalid`, and nothing is changed.

    Args:
        enable_reasoning_trace: keep a trace.
        trace: the session's file; without one everything is kept in this process only.
    """

    def __init__(self, enable_reasoning_trace: bool = False, trace: SessionTrace | None = None) -> None:
        self._enabled = enable_reasoning_trace
        self._file = trace
        self._requests: dict[str, str] = {}
        self._reasoning_traces: dict[str, ReasoningTrace] = {}
        self._current: str | None = None
        self._unwritten: dict[str, dict[str, Any]] = {}
        self._read_to = 0
        self._size = 0
        self._lock = threading.RLock()

    def add_interaction(self, user_request: str, interaction_id: str | None = None) -> str:
        """Note a request; returns its id.

        Args:
            user_request: what the person asked for.
            interaction_id: its id, when the caller has one; a request that is known stays as it is.
        """
        chosen = interaction_id or uuid4().hex
        with self._lock:
            if chosen not in self._requests:
                self._requests[chosen] = redact(user_request[: 4 * LONGEST_REQUEST])[:LONGEST_REQUEST]
                if self._enabled:
                    self._unwritten[f"interaction {chosen}"] = {
                        RECORD: "interaction",
                        "interaction_id": chosen,
                        "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
                        "request": self._requests[chosen],
                    }
        return chosen

    def is_reasoning_trace_enabled(self) -> bool:
        """True if this session keeps a trace."""
        return self._enabled

    def start_reasoning_trace(self, interaction_id: str) -> bool:
        """Let entries go to a request from now on; False when the trace is off or the request unknown."""
        with self._lock:
            if not self._enabled or interaction_id not in self._requests:
                return False
            self._reasoning_traces.setdefault(interaction_id, ReasoningTrace(interaction_id))
            self._current = interaction_id
            return True

    def add_reasoning_entry(
        self, stage: str, thought: str, *, entry_id: str | None = None, **fields: Any
    ) -> str | None:
        """Add an entry to the current trace; returns its id, or None when there is no trace to add it to.

        Args:
            stage: one of `ReasoningStage`.
            thought: what was decided or found.
            entry_id: an id that stays the same when this is done again; the entry then replaces itself.
            fields: action, parameters, evidence, outcome, error, commitments, attachments, corrections.

        Raises:
            TraceEntryInvalid: an unknown stage, outcome or field, or a value that does not fit.
        """
        with self._lock:
            if not self._enabled or self._current is None:
                return None
            entry = new_entry(stage, thought, self._current, entry_id, **fields)
            self._put(entry)
            return entry.entry_id

    def update_reasoning_entry(self, entry_id: str | None, **fields: Any) -> bool:
        """Change an entry: texts and outcome are replaced, lists added to.

        Args:
            entry_id: what `add_reasoning_entry` gave; None, as it gives when off, is a safe no.
            fields: as for `add_reasoning_entry`, and stage and thought.

        Returns:
            False when there is no such entry.

        Raises:
            TraceEntryInvalid: an unknown field, or a value that does not fit; nothing is changed.
        """
        with self._lock:
            entry = self._find(entry_id) if self._enabled and entry_id else None
            if entry is None:
                return False
            self._put(entry.updated(**fields))
            return True

    def get_reasoning_summary(self, max_entries: int = 10, include_corrections_only: bool = False) -> str:
        """The trace as a block for a prompt: at most `LONGEST_SUMMARY` characters, one line an entry.

        Corrections of the whole session and open commitments of the current request come first, then the
        newest entries of the session.

        Args:
            max_entries: entries shown at most.
            include_corrections_only: show no other entries.
        """
        with self._lock:
            if not self._enabled:
                return ""
            corrections = [text for trace in self._reasoning_traces.values() for text in trace.corrections()]
            entries = [] if include_corrections_only else self._entries()
            open_ones = [] if include_corrections_only else self.get_pending_commitments()
            return summary(entries, list(dict.fromkeys(corrections)), open_ones, max_entries)

    def get_pending_commitments(self, interaction_id: str | None = None) -> list[str]:
        """What a request promised and no entry shows as done; of the current request when none is named."""
        with self._lock:
            trace = self._trace(interaction_id)
            if trace is None:
                return []
            return [
                name for name, _ in unmet(trace.commitments(), [deed_of(entry) for entry in trace.entries])
            ]

    def get_trace_attachments(self, interaction_id: str | None = None) -> list[dict[str, Any]]:
        """Files and artifacts of a request, of each the last that was said; of the current one by default."""
        with self._lock:
            trace = self._trace(interaction_id)
            return trace.attachments() if trace is not None else []

    def get_trace_corrections(self, interaction_id: str | None = None) -> list[str]:
        """What a request is to do differently; of the current one when none is named."""
        with self._lock:
            trace = self._trace(interaction_id)
            return trace.corrections() if trace is not None else []

    def get_reasoning_entries(self, interaction_id: str | None = None) -> list[ReasoningEntry]:
        """The entries of a request, oldest first; of the current one when none is named."""
        with self._lock:
            trace = self._trace(interaction_id)
            return trace.entries if trace is not None else []

    def settle_pending(self, outcome: OutcomeStatus, error: str) -> int:
        """Give every entry of the current request that is still pending an outcome; returns how many."""
        with self._lock:
            trace = self._trace(None)
            pending = trace.pending() if trace is not None else []
            for entry in pending:
                self._put(entry.updated(outcome=outcome, error=error))
            return len(pending)

    def flush(self) -> None:
        """Write what was added or changed since the last flush, by one append.

        Raises:
            CorpusUnwritable: nothing was written, and all of it will be tried again.
        """
        if self._file is None:
            return
        with self._lock:
            writing, self._unwritten = self._unwritten, {}
        try:
            # Outside the lock: the event loop adds entries while a thread waits for the disk.
            self._file.extend(list(writing.values()))
        except BaseException:
            with self._lock:
                self._unwritten = {**writing, **self._unwritten}
            raise
        with self._lock:
            self._size = self._file.size()

    def refresh(self) -> None:
        """Read what the session's file holds that is not known here: other visits, other processes.

        Lines that are no entries are passed over; of an entry the last version counts, unless a newer one
        waits here to be written.

        Raises:
            OSError: the file is there and cannot be read.
        """
        with self._lock:
            if self._file is None or not self._enabled:
                return
            size = self._file.size()
            if size < self._size:
                self._forget()
            self._size = size
            for line in self._file.read(self._read_to):
                self._read_to = line.end
                if line.record is not None:
                    self._take(line.record)

    def _forget(self) -> None:
        """Another file lies in the old one's place: the session was deleted and begun again."""
        waiting = self._unwritten.keys()
        for trace in self._reasoning_traces.values():
            for entry in trace.entries:
                if entry.entry_id not in waiting:
                    trace.drop(entry.entry_id)
        self._read_to = 0

    def _take(self, record: Mapping[str, Any]) -> None:
        identity = record.get("interaction_id")
        if record.get(RECORD) == "interaction" and isinstance(identity, str):
            self._requests.setdefault(identity, str(record.get("request") or ""))
            return
        entry = read_entry(record) if record.get(RECORD) == "reasoning" else None
        if entry is not None and entry.entry_id not in self._unwritten:
            self._requests.setdefault(entry.interaction_id, "")
            self._trace_of(entry.interaction_id).put(entry)

    def _put(self, entry: ReasoningEntry) -> None:
        self._trace_of(entry.interaction_id).put(entry)
        self._unwritten[entry.entry_id] = {RECORD: "reasoning", **entry.as_record()}

    def _trace_of(self, interaction_id: str) -> ReasoningTrace:
        return self._reasoning_traces.setdefault(interaction_id, ReasoningTrace(interaction_id))

    def _trace(self, interaction_id: str | None) -> ReasoningTrace | None:
        chosen = self._current if interaction_id is None else interaction_id
        return self._reasoning_traces.get(chosen) if self._enabled and chosen is not None else None

    def _entries(self) -> list[ReasoningEntry]:
        return [entry for trace in self._reasoning_traces.values() for entry in trace.entries]

    def _find(self, entry_id: str) -> ReasoningEntry | None:
        found = (trace.get(entry_id) for trace in reversed(self._reasoning_traces.values()))
        return next((entry for entry in found if entry is not None), None)


def deed_of(entry: ReasoningEntry) -> Deed:
    """An entry as checkers of commitments see it."""
    return Deed(
        action=entry.action or "",
        parameters=entry.parameters,
        outcome=entry.outcome.value,
        evidence=entry.evidence,
        attachments=entry.attachments,
    )
