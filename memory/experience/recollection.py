"""What of a past event is worth recalling, read from whatever a corpus line holds.

Recalled are answers (`respond`), whole runs (`episode`), diagnoses (`reflection`), and executions and
plannings that failed, when they say why. Successful steps and verdicts stay in the trace: an episode sums
them up, and one per step would crowd out everything else.

Lines come from any version and any program, so nothing about their types is taken for granted.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

Result: TypeAlias = Literal["success", "failure", ""]

LONGEST_INDEXED = 8_000
"""Characters of an event that are searched; embedding models read far fewer."""

_PLAIN_ID = re.compile(r"[A-Za-z0-9_.:@/+=-]{1,128}")
_DIGEST_ID = re.compile(r"~[0-9a-f]{40}")
_TOOL_SAID = re.compile(r"^(Step \d+ failed \(exit [^)]*\)):.*", re.DOTALL)
_SHORTEST_QUOTE = 8
_ALWAYS = frozenset({"respond", "episode", "reflection"})
_WHEN_FAILED = frozenset({"execution", "planning"})
_SUCCESS = frozenset({"success", "ok", "passed", "answered"})
_FAILURE = frozenset(
    {
        "failure",
        "failed",
        "error",
        "max_reflections",
        "max_iterations",
        "no_plan",
        "verification_failed",
        "timeout",
    }
)
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
        category: kind of failure, as the diagnosis named it; empty when there was none.
        shown_error: the error without what a tool printed; None when that is the error itself.
    """

    event_id: str
    session_id: str
    event_type: str
    at: datetime | None
    goal: str
    outcome: str
    error: str
    lesson: str
    category: str = ""
    shown_error: str | None = None

    @property
    def indexed_text(self) -> str:
        """The text that stands for the event in searches."""
        return "\n".join(part for part in (self.goal, self.error, self.lesson) if part)[:LONGEST_INDEXED]

    @property
    def result(self) -> Result:
        """Whether it succeeded, failed, or ended in another way."""
        return result_of(self.outcome, self.error)


def recollect(record: Mapping[str, Any]) -> Recollection | None:
    """Read a corpus line; None when it is not worth recalling."""
    kind, goal = text_of(record.get("event_type")), text_of(record.get("goal"))
    outcome, error = text_of(record.get("outcome_status")), text_of(record.get("error"))
    failed = bool(error) and outcome.lower() not in _SUCCESS
    if not goal or not (kind in _ALWAYS or (kind in _WHEN_FAILED and failed)):
        return None
    meta = meta_of(record)
    if kind == "respond" and text_of(meta.get("episode")):
        return None  # The episode tells the same run, and more of it.
    lesson = _lesson(record)
    if not (outcome or error or lesson):
        return None
    return Recollection(
        event_id=text_of(record.get("event_id")),
        session_id=text_of(record.get("session_id")),
        event_type=kind,
        at=read_time(record.get("timestamp")),
        goal=goal,
        outcome=outcome,
        error=error,
        lesson=lesson,
        category=text_of(meta.get("category")),
        shown_error=_without_output(error, record),
    )


def meta_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record's `meta`; empty when it has none that is an object."""
    meta = record.get("meta")
    return meta if isinstance(meta, dict) else {}


def meta_text(record: Mapping[str, Any], name: str) -> str:
    """A text of the record's `meta`, stripped; empty when it is missing or no text."""
    return text_of(meta_of(record).get(name))


def steps_of(record: Mapping[str, Any]) -> str:
    """The steps a run took, on one line; empty when the record tells none."""
    steps = meta_of(record).get("steps")
    return "; then ".join(step for step in map(text_of, steps) if step) if isinstance(steps, list) else ""


def result_of(outcome: str, error: str) -> Result:
    """Judge an outcome: words that say neither success nor failure fail when there is an error."""
    word = outcome.lower()
    if word in _SUCCESS:
        return "success"
    return "failure" if error or word in _FAILURE else ""


def identity_of(record: Mapping[str, Any], raw: bytes) -> str:
    """What tells records apart: the event id; for a line without one, a digest of the line."""
    return identity(text_of(record.get("event_id"))) or "~" + hashlib.sha256(raw.strip()).hexdigest()[:40]


def identity(event_id: str) -> str:
    """The event id as indexes keep it: itself when it is plain, else a digest; empty for an empty one."""
    if not event_id or _PLAIN_ID.fullmatch(event_id):
        return event_id
    return "~" + hashlib.sha256(event_id.encode("utf-8", "replace")).hexdigest()[:40]


def is_identity(name: str) -> bool:
    """Whether a text is one that `identity` or `identity_of` gives."""
    return bool(_PLAIN_ID.fullmatch(name) or _DIGEST_ID.fullmatch(name))


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
    """What our own diagnosis said, else the steps; never what a tool printed."""
    return meta_text(record, "lesson") or text_of(record.get("llm_critique")) or steps_of(record)


def _without_output(error: str, record: Mapping[str, Any]) -> str:
    """Take what a tool printed out of an error: files and web pages may have written it."""
    kept = _TOOL_SAID.sub(r"\1", error)
    for name in ("stderr", "stdout"):
        for line in text_of(record.get(name)).splitlines():
            if len(line.strip()) >= _SHORTEST_QUOTE:
                kept = kept.replace(line.strip(), "").strip()
    return kept


def text_of(value: Any) -> str:
    """A text, stripped; empty when the value is none."""
    # A lone surrogate is legal in JSON and in no encoder's input.
    return value.encode("utf-8", "replace").decode("utf-8").strip() if isinstance(value, str) else ""
