"""The state of a run of several engines. Checkpoints hold it as JSON; nodes return JSON parts of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from langgraph.managed import RemainingSteps
from pydantic import BaseModel, Field

from configs.collective import CollectiveSettings
from nodes.collective.engines import Engine
from nodes.collective.exchange import Assignment, Finding
from nodes.reflective.state import Failure, RoleUsage

Status = Literal["running", "answered", "uncertain", "partial", "could_not", "error"]


class Agreement(BaseModel):
    """Answers that say the same.

    Attributes:
        answer: the form most of them use.
        members: ids of findings.
        grounded: True if one of them rests on evidence outside the model.
        confidence: the highest one of a member; None where none states one.
        likeness: mean cosine of its members' vectors; None for one member, or without vectors.
    """

    answer: str
    members: list[str]
    grounded: bool = False
    confidence: float | None = None
    likeness: float | None = None


def gathered(before: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """Findings of one step joined by their ids, those of earlier steps kept."""
    return {**before, **update}


class CollectiveState(BaseModel):
    """Everything a run of several engines knows.

    Attributes:
        goal: what is asked.
        engine: whose state it is, by which a thread is known.
        context: material the answer may rest on, as the caller gives it; data, never instructions.
        run_id: names the journal of the calls all engines share.
        limits: the settings of the run.
        assignments: what was given out, in order.
        findings: what came back, by id.
        agreements: answers that say the same, the one that was chosen first.
        final_answer: for people; empty without one.
        short_answer: the same in a few words.
        chosen: id of the finding the answer is taken from; empty without one.
        status: answered; uncertain: engines differ, or nothing outside a model speaks for the answer;
            partial; could_not; error.
        confidence: 0 to 1; None without an answer.
        usage: model calls of all engines.
        notes: for people: disagreements with each side's evidence, engines that failed.
        failure: an exception that ended the run, or None.
        remaining_steps: kept by LangGraph.
    """

    goal: str = ""
    engine: Engine = "ensemble"
    context: str = ""
    run_id: str = ""
    limits: CollectiveSettings = CollectiveSettings()
    assignments: list[Assignment] = Field(default_factory=list)
    findings: Annotated[dict[str, Finding], gathered] = Field(default_factory=dict)
    agreements: list[Agreement] = Field(default_factory=list)
    final_answer: str = ""
    short_answer: str = ""
    chosen: str = ""
    status: Status = "running"
    confidence: float | None = None
    usage: RoleUsage = RoleUsage()
    notes: list[str] = Field(default_factory=list)
    failure: Failure | None = None
    remaining_steps: RemainingSteps = 1000
