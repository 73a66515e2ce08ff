"""The state of a hybrid run: that of several engines, and what the analysis recommends."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from nodes.collective.engines import Engine
from nodes.collective.exchange import Assignment
from nodes.collective.state import CollectiveState

ANALYSIS = "analysis"
"""Id of the assignment of the contractive engine; those of the reflective one are `step-1`, `step-2`, ..."""

Needs = Literal["facts", "change"]


class Recommendation(BaseModel):
    """Something to be carried out.

    Attributes:
        id: of its assignment.
        goal: a goal of its own, in the words of the person's.
        why: what it is good for, as the model says; for people.
        needs: facts that a look gives, or a change of files, which a person approves.
    """

    id: str
    goal: str
    why: str = ""
    needs: Needs = "facts"


class HybridState(CollectiveState):
    """Everything a hybrid run knows; see `CollectiveState`.

    Attributes:
        engine: whose state it is.
        recommendations: what is carried out, in order.
    """

    engine: Engine = "hybrid"
    recommendations: list[Recommendation] = Field(default_factory=list)

    @property
    def one_by_one(self) -> bool:
        """True if something is changed: what comes later must see it, and one question is asked at a time."""
        return any(one.needs == "change" for one in self.recommendations)

    def due(self) -> list[Assignment]:
        """What can be carried out now: all that is left, or the next of it where something is changed."""
        left = [one for one in self.assignments if one.id not in self.findings]
        return left[:1] if self.one_by_one else left
