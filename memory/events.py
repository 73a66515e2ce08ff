"""What a run leaves behind: one event per thing that happened, as it is written to corpus and trace."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memory.redaction import redact, redact_record

EventType: TypeAlias = Literal[
    "planning", "execution", "reflection", "verification", "respond", "episode", "feedback"
]

SCHEMA_VERSION = 1

LONGEST = {
    "goal": 4_000,
    "step_description": 1_000,
    "tool_input": 4_000,
    "stdout": 4_000,
    "stderr": 4_000,
    "error": 2_000,
    "llm_critique": 4_000,
    "context_used": 4_000,
}
"""Characters kept of each text; `meta["cut"]` names what was cut, with its full length."""

_MARK = "\n[... {} characters cut ...]\n"
_REDACTION_WINDOW = 16_000


def new_event_id() -> str:
    """An id no other event has: 32 hexadecimal digits."""
    return uuid4().hex


class ReasoningEvent(BaseModel):
    """One event of a run. Secrets are redacted and long texts cut when it is made.

    A text over its `LONGEST` keeps its head and its tail around a line that says what is missing.

    Attributes:
        timestamp: when, UTC, ISO 8601.
        session_id: the run or conversation it belongs to.
        event_type: what happened.
        goal: what the person asked for.
        step_num: number of the plan's step, for executions.
        step_description: what the step was to do.
        tool: name of the tool.
        tool_input: the command, as shown to people.
        outcome_status: success, failure, partial_success, or the run's own word for it.
        stdout: output of the tool.
        stderr: error output of the tool.
        returncode: exit status of the tool.
        error: what went wrong.
        llm_critique: diagnosis by REFLECT or VERIFY; becomes the lesson when the event is recalled.
        context_used: past experience that was in the prompt.
        meta: anything else of JSON types; `lesson` and `steps` are read when the event is recalled.
        schema_version: version of this form.
        event_id: identifies the event across corpora.
    """

    model_config = ConfigDict(extra="forbid")

    timestamp: str
    session_id: str
    event_type: EventType
    goal: str
    step_num: int | None = None
    step_description: str | None = None
    tool: str | None = None
    tool_input: str | None = None
    outcome_status: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    returncode: int | None = None
    error: str | None = None
    llm_critique: str | None = None
    context_used: str | None = None
    meta: dict[str, Any] = Field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION
    event_id: str = Field(default_factory=new_event_id)

    @model_validator(mode="before")
    @classmethod
    def _fit_to_write(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        fitted = dict(values)
        cut = {}
        for name, longest in LONGEST.items():
            text = fitted.get(name)
            if isinstance(text, str):
                fitted[name], missing = _fitted(text, longest)
                if missing:
                    cut[name] = len(text)
        meta = redact_record(fitted.get("meta", {}))
        if cut and isinstance(meta, dict):
            meta["cut"] = {**cut, **meta.get("cut", {})}
        fitted["meta"] = meta
        return fitted


def _fitted(text: str, longest: int) -> tuple[str, int]:
    """Redact, then cut; returns the text and how many characters went missing.

    Redaction comes first so that no cut leaves half a secret; of huge texts only the ends are looked at,
    with a window far wider than any one secret.
    """
    if len(text) > 2 * _REDACTION_WINDOW:
        head, tail = redact(text[:_REDACTION_WINDOW]), redact(text[-_REDACTION_WINDOW:])
    else:
        head = tail = redact(text)
        if len(head) <= longest:
            return head, 0
    missing = len(text) - longest
    mark = _MARK.format(missing)
    room = longest - len(mark)
    return head[: room // 2] + mark + tail[-(room - room // 2) :], missing
