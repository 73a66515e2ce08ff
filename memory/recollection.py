"""What of a past event is worth recalling, read from whatever a corpus line holds.

Recalled are answers (`respond`), whole runs (`episode`), diagnoses (`reflection`), and executions and
plannings that failed, when they say why. Successful steps and verdicts stay in the trace: an episode sums
them up, and one per step would crowd out everything else.

Lines come from any version and any program, so nothing about their types is taken for granted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

_ALWAYS = frozenset({"respond", "episode", "reflection"})
_WHEN_FAILED = frozenset({"execution", "planning"})
_SUCCESS = frozenset({"success", "ok", "passed"})
_MILLISECONDS_FROM = 1e11
"""As seconds, this number is the year 5138; clocks of other programs count milliseconds."""


@dataclass(frozen=True)
class Recollection:
    """The part of an event that search and prompts use.

    Attributes:
        event_id: id of the event; empty when its line has none.
        session_id: the run it belongs to; empty when its line names none.
        event_type: what happened.
        at: when, aware; None when the line has no readable time.
        goal: what was asked for.
        outcome: how it ended; empty when unknown.
        error: what went wrong; empty when nothing did.
        lesson: what to do or avoid next time; empty when nobody said.
    """

    event_id: str
    session_id: str
    event_type: str
    at: datetime | None
    goal: str
    outcome: str
    error: str
    lesson: str

    @property
    def indexed_text(self) -> str:
        """The text whose vector stands for the event."""
        return "\n".join(part for part in (self.goal, self.error, self.lesson) if part)


def recollect(record: Mapping[str, Any]) -> Recollection | None:
    """Read a corpus line; None when it is not worth recalling."""
    kind, goal = _text(record.get("event_type")), _text(record.get("goal"))
    outcome, error = _text(record.get("outcome_status")), _text(record.get("error"))
    failed = bool(error) and outcome.lower() not in _SUCCESS
    if not goal or not (kind in _ALWAYS or (kind in _WHEN_FAILED and failed)):
        return None
    lesson = _lesson(record)
    if not (outcome or error or lesson):
        return None
    return Recollection(
        event_id=_text(record.get("event_id")),
        session_id=_text(record.get("session_id")),
        event_type=kind,
        at=read_time(record.get("timestamp")),
        goal=goal,
        outcome=outcome,
        error=error,
        lesson=lesson,
    )


def read_time(value: Any) -> datetime | None:
    """Read ISO text or a number of seconds or milliseconds; naive times are UTC; None when it is neither."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _lesson(record: Mapping[str, Any]) -> str:
    meta = record.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    stated = _text(meta.get("lesson")) or _text(record.get("llm_critique"))
    steps = meta.get("steps")
    if stated or not isinstance(steps, list):
        return stated
    return "; then ".join(step for step in map(_text, steps) if step)


def _text(value: Any) -> str:
    # A lone surrogate is legal in JSON and in no encoder's input.
    return value.encode("utf-8", "replace").decode("utf-8").strip() if isinstance(value, str) else ""
