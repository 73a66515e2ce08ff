"""What happened in a run: its events in order of time, and the lines of JSON they are told in.

One line is one JSON object with a `type`. All but the last are events; the last is the result:

    {"type": "started", "at": "2026-01-02T03:04:05.000+00:00", "node": "", "facts": {...}}
    {"type": "reviewed", "at": "...", "node": "0.1", "facts": {...}}
    {"type": "result", "status": "answered", ...}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import accumulate
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter

from nodes.contractive.state import (
    ClusterSummary,
    ContractiveState,
    Event,
    Metrics,
    RunStop,
    Status,
    Verdict,
)

# Events of the run that are told before, or after, what happened to questions in the same millisecond.
_RANK = {"started": -1, "pass_ended": 1, "finished": 2}
RESULT = "result"


def _a_time(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("has no zone")
    return text


class EventLine(Event):
    """An event as a line; see `nodes.contractive.state.Event`."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(pattern=r"^[a-z][a-z_]{0,63}$")
    at: Annotated[str, AfterValidator(_a_time)]


class ResultLine(BaseModel):
    """The end of a run, the last line.

    Attributes:
        thread_id: of the run.
        question: that was asked.
        answer: for people; empty without one.
        short_answer: the same in a few words.
        status: of the run; running if it waits for a clarification.
        stop_reason: why it stopped.
        confidence: share of the samples that give the answer, 0 to 1.
        entropy, uncertainty: of the answer's samples, 0 to 1; None without any.
        samples: how many the answer was taken from.
        clusters: what they say, the largest first.
        verdict: of the reviews of the answer, the worst; None without any.
        passes: over the whole question.
        model, peer: provider:model.
        metrics: what the run took.
        notes: for people.
        failure: what ended the run; None if nothing did.
        waiting_for: questions to a person.
    """

    type: Literal["result"] = "result"
    thread_id: str = ""
    question: str = ""
    answer: str = ""
    short_answer: str = ""
    status: Status = "running"
    stop_reason: RunStop | None = None
    confidence: float = 0.0
    entropy: float | None = None
    uncertainty: float | None = None
    samples: int = 0
    clusters: list[ClusterSummary] = Field(default_factory=list)
    verdict: Verdict | None = None
    passes: int = 0
    model: str = ""
    peer: str = ""
    metrics: Metrics = Metrics()
    notes: list[str] = Field(default_factory=list)
    failure: str | None = None
    waiting_for: list[dict[str, Any]] = Field(default_factory=list)


def _kind_of(line: Any) -> str:
    said = line.get("type") if isinstance(line, Mapping) else getattr(line, "type", "")
    return RESULT if said == RESULT else "event"


Line = Annotated[
    Annotated[EventLine, Tag("event")] | Annotated[ResultLine, Tag(RESULT)], Discriminator(_kind_of)
]
_LINE: TypeAdapter[EventLine | ResultLine] = TypeAdapter(Line)


def events_of(state: ContractiveState | Mapping[str, Any]) -> list[Event]:
    """All events of a run, of the tree and of the run itself, each once, in order of time.

    What one question went through keeps its order, even if the clock was set back meanwhile. Of the same
    millisecond, a question's events come before those of its parts.

    Args:
        state: of the run, or its JSON.
    """
    given = state if isinstance(state, ContractiveState) else ContractiveState.model_validate(state)
    tree = sorted(given.tree.values(), key=lambda one: (one.depth, one.id))
    lists = [given.events, *(one.events for one in tree)]
    told = [entry for place, one in enumerate(lists) for entry in _placed(place, _not_in(one, lists[:place]))]
    return [event for *_, event in sorted(told, key=lambda entry: entry[:3])]


def _not_in(events: list[Event], earlier: list[list[Event]]) -> list[Event]:
    """Events that none of the earlier lists tells as well, as often as they tell it."""
    told: Counter[str] = Counter()
    for one in earlier:
        told |= Counter(map(_text_of, one))
    left = []
    for event in events:
        if told[text := _text_of(event)]:
            told[text] -= 1
        else:
            left.append(event)
    return left


def _text_of(event: Event) -> str:
    return json.dumps(event.model_dump(mode="json"), sort_keys=True)


def _placed(place: int, events: list[Event]) -> Iterable[tuple[str, int, int, Event]]:
    """Events with what they are sorted by: the time, no earlier than that of the one before, and the list."""
    times = accumulate((event.at for event in events), max)
    return ((at, _RANK.get(event.type, 0), place, event) for at, event in zip(times, events, strict=True))


def event_line(event: Event | Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """One event as a line of JSON, with its new line.

    Args:
        event: as the state or the stream has it; what else the stream says of it is left out.
        ascii_only: escape all that is not ASCII.

    Raises:
        pydantic.ValidationError: it is no event.
    """
    told = event.model_dump(mode="json") if isinstance(event, Event) else dict(event)
    line = EventLine.model_validate({name: told[name] for name in Event.model_fields if name in told})
    return _as_line(line, ascii_only)


def result_line(result: ResultLine, *, ascii_only: bool = False) -> str:
    """The result as a line of JSON, with its new line."""
    return _as_line(result, ascii_only)


def _as_line(line: BaseModel, ascii_only: bool) -> str:
    # No reader of JSON takes halves of characters.
    text = json.dumps(line.model_dump(mode="json"), ensure_ascii=False).encode("utf-8", "replace").decode()
    return (json.dumps(json.loads(text)) if ascii_only else text) + "\n"


def read_lines(text: str) -> list[EventLine | ResultLine]:
    """What lines of JSON say.

    Raises:
        pydantic.ValidationError: a line is neither an event nor a result.
    """
    return [_LINE.validate_json(line) for line in text.split("\n") if line.strip()]


def result_of(
    state: ContractiveState, thread: str, waiting_for: Iterable[Mapping[str, Any]] = ()
) -> ResultLine:
    """The result of a run, or of as much of it as was done.

    Args:
        state: of the run.
        thread: its name.
        waiting_for: the questions it waits for an answer to.
    """
    root = state.tree.get("0")
    measured = (root.best.measured if root.best else root.tried) if root else None
    return ResultLine(
        thread_id=thread,
        question=state.question,
        answer=state.final_answer,
        short_answer=state.short_answer,
        status=state.status,
        stop_reason=state.stop_reason,
        confidence=state.confidence,
        entropy=measured.entropy if measured else None,
        uncertainty=measured.uncertainty if measured else None,
        samples=measured.samples if measured else 0,
        clusters=measured.clusters if measured else [],
        verdict=root.verdict if root else None,
        passes=len(state.passes),
        model=state.model,
        peer=state.peer,
        metrics=state.metrics,
        notes=state.notes,
        failure=f"{state.failure.what} {state.failure.remedy}".strip() if state.failure else None,
        waiting_for=[dict(one) for one in waiting_for],
    )
