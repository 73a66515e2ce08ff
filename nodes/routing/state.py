"""What is decided about a goal, and the state of a run that goes where it was decided."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from nodes.collective.engines import Engine
from nodes.collective.exchange import Assignment, Finding
from nodes.collective.state import Status, gathered
from nodes.reflective.state import Failure, RoleUsage
from nodes.routing.kinds import Kind

Source: TypeAlias = Literal["person", "signals", "exemplars", "model", "default"]


class RoutingDecision(BaseModel):
    """The engine a goal goes to.

    Attributes:
        engine: that engine.
        kind: the row of the decision matrix.
        why: one sentence that names what decided.
        source: who decided: a person, signals (words of the goal), exemplars (goals it resembles), a model;
            default where nobody could.
        score: how sure that source is, 0 to 1; a person and plain signals are sure, a model states nothing.
        runner_up: the engine that came second; None where nothing was compared.
    """

    model_config = ConfigDict(frozen=True)

    engine: Engine
    kind: Kind
    why: str
    source: Source
    score: float | None = Field(None, ge=0, le=1)
    runner_up: Engine | None = None


class AutoState(BaseModel):
    """A run of the engine that fits the goal.

    Attributes:
        goal: what is asked.
        engine: always "auto", by which a thread is known as one of this graph.
        wanted: the engine a person wants; None leaves it to ROUTE.
        context: material the answer may rest on; data, never instructions.
        run_id: names the journal of the run's calls.
        decision: what ROUTE decided; None before.
        assignment: what the engine is asked; None before ROUTE, or if there is nothing to be run.
        findings: what it brought, by the assignment's id.
        final_answer: for people; empty without one.
        status: of that answer, as the engine states it; running before.
        confidence: 0 to 1; None where the engine states none.
        usage: model calls, those of ROUTE among them.
        notes: for people.
        failure: an exception that ended the run, or None.
    """

    goal: str = ""
    engine: Literal["auto"] = "auto"
    wanted: Engine | None = None
    context: str = ""
    run_id: str = ""
    decision: RoutingDecision | None = None
    assignment: Assignment | None = None
    findings: Annotated[dict[str, Finding], gathered] = Field(default_factory=dict)
    final_answer: str = ""
    status: Status = "running"
    confidence: float | None = None
    usage: RoleUsage = RoleUsage()
    notes: list[str] = Field(default_factory=list)
    failure: Failure | None = None
