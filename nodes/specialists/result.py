"""What a run of specialists comes to, for whoever prints or serves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from nodes.collective.result import told
from nodes.collective.state import Status
from nodes.reflective.state import RoleUsage
from nodes.specialists.claims import Claim
from nodes.specialists.state import Chosen, RouteSource, SpecialistsState
from tools.audit.report import Skipped


class SpecialistsResult(BaseModel):
    """The end of a run.

    Attributes:
        thread_id: of the run.
        goal: that was asked.
        answer: for people.
        short_answer: its first sentence.
        status: answered; partial: a part of it failed or could not be answered; could_not: no fact bears on
            it; error.
        specialists: who answered, and why they were chosen.
        routed_by: what chose them.
        findings: claims with kernel, file, line, severity and figure.
        skipped: files that kernels had to leave out.
        report: name of the artifact that holds all the kernels found; empty without one.
        usage: model calls.
        notes: for people.
        failure: what ended the run; None if nothing did.
    """

    thread_id: str = ""
    goal: str = ""
    answer: str = ""
    short_answer: str = ""
    status: Status = "running"
    specialists: list[Chosen] = Field(default_factory=list)
    routed_by: RouteSource = ""
    findings: list[Claim] = Field(default_factory=list)
    skipped: list[Skipped] = Field(default_factory=list)
    report: str = ""
    usage: RoleUsage = RoleUsage()
    notes: list[str] = Field(default_factory=list)
    failure: str | None = None


def result_of(values: Mapping[str, Any], thread: str) -> SpecialistsResult:
    """The result of a run.

    Args:
        values: of its state.
        thread: its name.
    """
    state = SpecialistsState.model_validate(dict(values))
    return SpecialistsResult(
        thread_id=thread,
        goal=state.goal,
        answer=state.final_answer,
        short_answer=state.short_answer,
        status=state.status,
        specialists=state.chosen_specialists,
        routed_by=state.routed_by,
        findings=state.claims,
        skipped=state.skipped,
        report=state.audit.name if state.audit is not None else "",
        usage=state.usage,
        notes=state.notes,
        failure=told(state.failure.what, state.failure.remedy) if state.failure is not None else None,
    )
