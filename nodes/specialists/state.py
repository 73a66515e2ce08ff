"""The state of a run of specialists. Checkpoints hold it as JSON; nodes return JSON parts of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from nodes.collective.state import CollectiveState
from nodes.specialists.answered import Answered
from nodes.specialists.claims import Claim
from nodes.specialists.topics import SpecialistName
from tools.audit.report import Skipped

RouteSource = Literal["", "caller", "exemplars", "words", "model", "none"]
REPORT_SCHEMA = "specialist_report"
"""Name of the data a specialist's finding holds."""


class Chosen(BaseModel):
    """A specialist that is to answer, and why it was chosen."""

    name: SpecialistName
    why: str


class Report(BaseModel):
    """What one specialist brings.

    Attributes:
        answers: to each part of the goal it knows something about.
        prose: sentences of a model, each with numbers of claims in brackets; empty without a model.
        cited: claims the prose cites, by their numbers from 1.
        notes: for people.
    """

    answers: list[Answered] = Field(default_factory=list)
    prose: str = ""
    cited: list[Claim] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


class AuditFile(BaseModel):
    """Where the report of the kernels lies.

    Attributes:
        name: of the artifact, which is its SHA-256.
        files: source files that were looked at.
        notes: what a reader of the report should know.
    """

    name: str
    files: int = 0
    notes: list[str] = Field(default_factory=list)


class SpecialistsState(CollectiveState):
    """Everything a run of specialists knows, beside what every run of several engines does.

    Attributes:
        engine: by which a thread is known to be one of specialists.
        only: specialists the caller chose; empty lets the goal decide.
        chosen_specialists: those that answer, in order.
        routed_by: what chose them.
        audit: the report the specialists read; None before it is made.
        claims: what the answer rests on, with kernel, file and line.
        skipped: what kernels had to leave out.
    """

    engine: Literal["specialists"] = "specialists"
    only: list[SpecialistName] = Field(default_factory=list)
    chosen_specialists: list[Chosen] = Field(default_factory=list)
    routed_by: RouteSource = ""
    audit: AuditFile | None = None
    claims: list[Claim] = Field(default_factory=list)
    skipped: list[Skipped] = Field(default_factory=list)
