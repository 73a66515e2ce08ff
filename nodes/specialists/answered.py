"""What a specialist says to one question, and what it is said from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import BaseModel, Field

from nodes.specialists.claims import Claim, Coverage, Row
from nodes.specialists.phrases import Wording
from nodes.specialists.reading.operation import Bound
from nodes.specialists.reading.question import Question
from tools.audit.report import Skipped

Outcome: TypeAlias = Literal["found", "nothing", "could_not"]
MOST_CLAIMS = 100
"""Claims one answer holds; how many there are is always told."""


class Answered(BaseModel):
    """What one specialist says to one question.

    Attributes:
        question: the part of the goal.
        topic: id.
        outcome: found; nothing: the kernel looked, and there is none; could_not: it did not look.
        sentence: the answer itself.
        claims: what it rests on, at most MOST_CLAIMS.
        matches: how many rows there are in all.
        figure: a number that was asked for, such as a count or a mean; None without one.
        skipped: what the kernel had to leave out within the scope.
        notes: for people.
    """

    question: str
    topic: str
    outcome: Outcome
    sentence: str
    claims: list[Claim] = Field(default_factory=list)
    matches: int = 0
    figure: float | None = None
    skipped: list[Skipped] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


@dataclass(frozen=True)
class Case:
    """A question with all it is answered from.

    Attributes:
        asked: the question.
        universe: rows in scope that have the properties, before any bound.
        rows: those within the bound, too.
        bound: None without one.
        coverage: of the kernel, within the scope.
        words: how the rows are spoken of.
        most: claims the answer may hold.
    """

    asked: Question
    universe: Sequence[Row]
    rows: Sequence[Row]
    bound: Bound | None
    coverage: Coverage
    words: Wording
    most: int


def answered(case: Case, sentence: str, rows: Sequence[Row], number: float | None) -> Answered:
    """An answer that rests on rows.

    Args:
        case: that is answered.
        sentence: the answer itself.
        rows: in the order they are told.
        number: that was asked for; None without one.
    """
    more = len(rows) - case.most
    return Answered(
        question=case.asked.text,
        topic=case.asked.topic.id,
        outcome="found",
        sentence=sentence,
        claims=[one.claim for one in rows[: case.most]],
        matches=len(rows),
        figure=number,
        notes=[f"{more} more are not listed; a narrower question lists them."] if more > 0 else [],
    )
