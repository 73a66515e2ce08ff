"""A session's trace as people look at it: its runs, and in each what happened in order.

A trace holds events of every run and, where the reasoning trace was kept, entries that say why. Both are
read tolerantly, whatever wrote them: a line that is neither is counted and passed over.
"""

from __future__ import annotations

import contextlib
import json
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.experience.recollection import read_time
from memory.json_lines import JsonLines, Line
from memory.session_memory import RECORD
from memory.trace.reasoning_trace import ReasoningEntry, ReasoningTrace, read_entry

STAGES = {
    "planning": "planning",
    "execution": "execution",
    "reflection": "correction",
    "verification": "verification",
    "respond": "finalization",
}
"""Stage of the entry that tells of the same thing as an event."""
# A list, for a record may hold anything, hashable or not.
_EVENTS = [*STAGES, "episode", "feedback"]


@dataclass(frozen=True)
class Moment:
    """Something that happened in a run.

    Attributes:
        kind: the event's type; of an entry without an event, the type that goes with its stage.
        at: when, aware; None when its line has no readable time.
        event: the event's record; empty when there is only an entry.
        entry: the entry that goes with it, or None.
    """

    kind: str
    at: datetime | None
    event: Mapping[str, Any]
    entry: ReasoningEntry | None


@dataclass
class Run:
    """One request and what came of it.

    Attributes:
        goal: what was asked for.
        interaction_id: id of its reasoning trace, or "".
        events: records of its events, in the order of the file.
        trace: its entries.
        episode: record of the whole run, or {}.
        asked_at: when it was asked, as its reasoning trace has it; None without one.
    """

    goal: str
    interaction_id: str = ""
    events: list[Mapping[str, Any]] = field(default_factory=list)
    trace: ReasoningTrace = field(default_factory=lambda: ReasoningTrace(""))
    episode: Mapping[str, Any] = field(default_factory=dict)
    asked_at: datetime | None = None

    @property
    def answer(self) -> Mapping[str, Any]:
        """The event the run ended with; {} while it has not."""
        return next((event for event in reversed(self.events) if event["event_type"] == "respond"), {})

    @property
    def ended(self) -> bool:
        """True once it has answered."""
        return bool(self.answer)

    def moments(self) -> list[Moment]:
        """Events in order, each with its entry; an entry whose node raised before its event stands alone."""
        entries: dict[str, list[ReasoningEntry]] = {}
        for entry in self.trace.entries:
            entries.setdefault(entry.stage.value, []).append(entry)
        moments = []
        for event in self.events:
            kind = str(event["event_type"])
            waiting = entries.get(STAGES[kind], [])
            moments.append(
                Moment(kind, read_time(event.get("timestamp")), event, waiting.pop(0) if waiting else None)
            )
        kinds = {stage: kind for kind, stage in STAGES.items()}
        for stage, left in entries.items():
            moments += [Moment(kinds[stage], read_time(entry.timestamp), {}, entry) for entry in left]
        return _in_order(moments)


def _in_order(moments: list[Moment]) -> list[Moment]:
    """By time; what has none stays behind what it came after, and the answer comes last of its moment."""
    last = datetime.min.replace(tzinfo=UTC)
    keyed = []
    for moment in moments:
        last = moment.at or last
        keyed.append((last, moment.kind == "respond", moment))
    return [moment for *_, moment in sorted(keyed, key=lambda item: item[:2])]


@dataclass
class Session:
    """A session's trace.

    Attributes:
        session_id: its name.
        runs: oldest first.
        feedback: of each event or episode, what was said about it later.
        unreadable: lines that are no records.
        truncated: True if the trace was full and goes no further.
        records: lines read.
    """

    session_id: str
    runs: list[Run] = field(default_factory=list)
    feedback: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    unreadable: int = 0
    truncated: bool = False
    records: int = 0

    def verdict(self, event_id: str) -> str:
        """What was said of a record: helpful, harmful, mixed, or "" when nothing was."""
        said = self.feedback.get(event_id, [])
        good, bad = (sum(1 for meta in said if meta.get(word)) for word in ("helpful", "harmful"))
        return "mixed" if good and bad else "helpful" if good else "harmful" if bad else ""


def read_session(path: Path) -> Session:
    """Read a session's file.

    Raises:
        OSError: it is there and cannot be read.
    """
    return session_of(JsonLines(path).read(), path.stem)


def read_sessions(directory: Path) -> Iterator[tuple[Path, Session]]:
    """Every session below a directory of traces, the one written last first.

    What is no file, or goes away meanwhile, is passed over.

    Raises:
        OSError: the directory or a file cannot be read.
    """
    if not directory.is_dir():
        return
    found: list[tuple[float, Path]] = []
    for path in directory.glob("*.jsonl"):
        with contextlib.suppress(FileNotFoundError):
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime, path))
    for _, path in sorted(found, reverse=True):
        yield path, read_session(path)


def session_of(lines: Iterable[Line], name: str) -> Session:
    """Sort lines into runs. Of events with one id the first counts; of entries the last.

    Args:
        lines: of the file.
        name: the session's, until an event tells it.
    """
    session = Session(name)
    seen: set[str] = set()
    for line in lines:
        session.records += 1
        record = line.record
        if record is None:
            session.unreadable += 1
        elif record.get("truncated") is True:
            session.truncated = True
        elif RECORD in record:
            _take_entry(session, record)
        elif record.get("event_type") in _EVENTS:
            identity = record.get("event_id")
            if isinstance(identity, str) and identity in seen:
                continue
            seen.add(str(identity))
            _take_event(session, record)
        else:
            session.unreadable += 1
    return session


def _take_event(session: Session, record: dict[str, Any]) -> None:
    meta = record.get("meta")
    record["meta"] = meta = meta if isinstance(meta, dict) else {}
    if record["event_type"] == "feedback":
        session.feedback.setdefault(str(meta.get("of")), []).append(meta)
        return
    if isinstance(record.get("session_id"), str) and record["session_id"]:
        session.session_id = record["session_id"]
    goal = str(record.get("goal") or "")
    run = session.runs[-1] if session.runs else None
    if run is None or run.ended or (goal and run.goal and goal != run.goal):
        run = Run(goal)
        session.runs.append(run)
    run.goal = run.goal or goal
    if record["event_type"] == "episode":
        run.episode = record
    else:
        run.events.append(record)


def _take_entry(session: Session, record: dict[str, Any]) -> None:
    identity = record.get("interaction_id")
    if not isinstance(identity, str):
        session.unreadable += 1
        return
    run = next((run for run in session.runs if run.interaction_id == identity), None)
    request = str(record.get("request") or "")
    if run is None:
        last = session.runs[-1] if session.runs else None
        fits = last is not None and not last.interaction_id and request in ("", last.goal)
        run = last if last is not None and fits else Run(request)
        if run is not last:
            session.runs.append(run)
        run.interaction_id = identity
        run.trace = ReasoningTrace(identity)
    if record.get(RECORD) == "interaction":
        run.asked_at = read_time(record.get("timestamp"))
        return
    entry = read_entry(record)
    if entry is None:
        session.unreadable += 1
    else:
        run.trace.put(entry)


def as_json(session: Session) -> dict[str, Any]:
    """A session in JSON types, for programs."""
    return {
        "session": session.session_id,
        "records": session.records,
        "unreadable": session.unreadable,
        "truncated": session.truncated,
        "runs": [
            {
                "goal": run.goal,
                "interaction_id": run.interaction_id or None,
                "events": [dict(event) for event in run.events],
                "episode": dict(run.episode) or None,
                "entries": [json.loads(json.dumps(entry.as_record())) for entry in run.trace.entries],
            }
            for run in session.runs
        ],
        "feedback": {of: [dict(meta) for meta in said] for of, said in session.feedback.items()},
    }
