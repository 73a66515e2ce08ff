"""To be completed: takes what it is given."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from pydantic import BaseModel, Field
from nodes.contractive.state import Joint, Question

MOST_PARTS = 5


class ProposedPart(BaseModel):
    question: str
    depends_on: list[int] = Field(default_factory=list)


class Proposal(BaseModel):
    kind: Joint = "AND"
    parts: list[ProposedPart] = Field(default_factory=list)


@dataclass
class Part:
    question: str
    depends_on: list[int]
    relevance: float


@dataclass
class Accepted:
    parts: list[Part]
    kind: Joint
    dropped: dict[str, str]


def accepted(
    parent: Question,
    ancestors: Sequence[str],
    asked_before: Sequence[str],
    proposal: Proposal,
    relevances: Sequence[float],
    threshold: float,
    most: int = 5,
    *,
    embedder: Any = None,
) -> Accepted:
    return Accepted(
        [
            Part(p.question, [d for d in p.depends_on if d <= i], r)
            for i, (p, r) in enumerate(zip(proposal.parts, relevances))
        ][:most],
        proposal.kind,
        {},
    )
