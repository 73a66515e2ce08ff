"""What a run of several engines comes to, for whoever prints or serves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from nodes.collective.engines import Engine
from nodes.collective.exchange import Finding
from nodes.collective.state import Agreement, CollectiveState, Status
from nodes.reflective.state import RoleUsage


class CollectiveResult(BaseModel):
    """The end of a run, or where it waits.

    Attributes:
        engine: which graph ran.
        thread_id: of the run.
        goal: that was asked.
        answer: for people; empty without one.
        short_answer: the same in a few words.
        status: of the run; running if it waits for a person.
        confidence: 0 to 1; None without an answer.
        chosen: id of the finding the answer is taken from; empty without one.
        agreements: answers that say the same, the one that was chosen first.
        findings: of each engine, in the order they were asked, without their vectors.
        usage: model calls of all engines.
        notes: for people.
        failure: what ended the run; None if nothing did.
        waiting_for: questions to a person.
    """

    engine: Engine
    thread_id: str = ""
    goal: str = ""
    answer: str = ""
    short_answer: str = ""
    status: Status = "running"
    confidence: float | None = None
    chosen: str = ""
    agreements: list[Agreement] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)
    usage: RoleUsage = RoleUsage()
    notes: list[str] = Field(default_factory=list)
    failure: str | None = None
    waiting_for: list[dict[str, Any]] = Field(default_factory=list)


def result_of(
    values: Mapping[str, Any], thread: str, waiting: Sequence[Mapping[str, Any]] = ()
) -> CollectiveResult:
    """The result of a run whose state is a `CollectiveState`.

    Args:
        values: of its state.
        thread: its name.
        waiting: questions it waits for an answer to.
    """
    state = CollectiveState.model_validate(dict(values))
    asked = [state.findings[one.id] for one in state.assignments if one.id in state.findings]
    return CollectiveResult(
        engine=state.engine,
        thread_id=thread,
        goal=state.goal,
        answer=state.final_answer,
        short_answer=state.short_answer,
        status=state.status,
        confidence=state.confidence,
        chosen=state.chosen,
        agreements=state.agreements,
        findings=[one.model_copy(update={"vector": []}) for one in asked],
        usage=state.usage,
        notes=state.notes,
        failure=told(state.failure.what, state.failure.remedy) if state.failure is not None else None,
        waiting_for=[dict(question) for question in waiting],
    )


def told(what: str, remedy: str) -> str:
    """A failure in one line."""
    return f"{what} {remedy}".strip()
