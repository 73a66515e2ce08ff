"""What counts as the right answer of a task, as its file says it."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evals.report.labelled import Labelled


class Exact(BaseModel):
    """What all checks share: no field that none of them knows."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NumberCheck(Exact):
    """One amount.

    Attributes:
        value: the right one, in the unit the question asks for.
        tolerance: how far an answer may be off, in that unit.
        units: names an amount may have behind it, and how much of the asked unit each is; a bare number is
            taken in the asked unit.
    """

    kind: Literal["number"]
    value: float
    tolerance: float = Field(0.0, ge=0)
    units: dict[str, float] = Field(default_factory=dict)


class OneOfCheck(Exact):
    """One answer that has several names.

    Attributes:
        right: its names.
        decoys: names of other answers; one beside a right name leaves the question undecided.
    """

    kind: Literal["one_of"]
    right: tuple[str, ...] = Field(min_length=1)
    decoys: tuple[str, ...] = ()


class ItemsCheck(Exact):
    """A set: every item and no other.

    Attributes:
        right: names of each item.
        decoys: names of things that are none.
    """

    kind: Literal["items"]
    right: tuple[tuple[str, ...], ...] = Field(min_length=1)
    decoys: tuple[str, ...] = ()


class YesNoCheck(Exact):
    """Yes or no.

    Attributes:
        right: True for yes.
        for_yes: words that say yes where no yes is said; denied, they say no.
        for_no: words that say no; denied, they say yes.
    """

    kind: Literal["yes_no"]
    right: bool
    for_yes: tuple[str, ...] = ()
    for_no: tuple[str, ...] = ()


class DateCheck(Exact):
    """One day.

    Attributes:
        value: the day.
    """

    kind: Literal["date"]
    value: datetime.date


class LineCheck(Exact):
    """One line of a numbered listing.

    Attributes:
        number: of the line.
        text: what stands in it, for answers that quote it.
    """

    kind: Literal["line"]
    number: int = Field(ge=1)
    text: str


Check = Annotated[
    NumberCheck | OneOfCheck | ItemsCheck | YesNoCheck | DateCheck | LineCheck, Field(discriminator="kind")
]


class Part(Exact):
    """A question a task can be cut into.

    Attributes:
        ask: stands by itself beside the task's question.
        answer: in a few words.
        wrong: a plausible other one.
        needs: numbers, from 1, of the parts whose answers it rests on.
    """

    ask: str
    answer: str
    wrong: str
    needs: tuple[int, ...] = ()


class Task(Exact, Labelled):
    """A question with an exact answer.

    Attributes:
        id: domain and number.
        difficulty: easy: models below a billion parameters get it now and then; hard: seven billion do not
            always.
        context: what the answer rests on besides; "" without.
        question: as it is put.
        check: what counts as right.
        answer: the right answer in a few words.
        wrong: a plausible wrong one.
        said: whole replies that are right.
        missed: whole replies that are wrong.
        keywords: words a complete answer has; alternatives stand between strokes.
        parts: questions it can be cut into, in order; empty if it is one question.
    """

    id: str = Field(pattern=r"^[a-z]+-\d\d$")
    difficulty: Literal["easy", "medium", "hard"]
    context: str = ""
    question: str
    check: Check
    answer: str
    wrong: str
    said: tuple[str, ...] = Field(min_length=2)
    missed: tuple[str, ...] = Field(min_length=2)
    keywords: tuple[str, ...] = Field(min_length=1)
    parts: tuple[Part, ...] = ()

    @property
    def domain(self) -> str:
        """What it is about."""
        return self.id.rpartition("-")[0]

    @model_validator(mode="after")
    def _needs_come_before(self) -> Task:
        for number, part in enumerate(self.parts, start=1):
            if any(not 1 <= needed < number for needed in part.needs):
                raise ValueError(f"part {number} of {self.id} needs a part that does not come before it")
        return self
