"""What is decided about a goal, and the state of a run that goes where it was decided."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from nodes.collective.engines import Engine
from nodes.collective.state import CollectiveState
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


class AutoState(CollectiveState):
    """A run of the engine that fits the goal.

    Attributes:
        engine: the engine a person wants; None leaves it to ROUTE.
        decision: what ROUTE decided; None before.
    """

    engine: Engine | None = None
    decision: RoutingDecision | None = None
