"""What engines hand to each other: typed, never only prose.

A question goes out as an `Assignment`, a `Finding` comes back: numbers (`figures`, `confidence`), graphs
(`edges`), vectors (`vector`), data by a schema (`data`, `data_schema`), events (`events`), and each piece of
evidence with its place. Both are JSON in checkpoints.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, Field

from nodes.reflective.state import Failure, RoleUsage, Turn

Worker: TypeAlias = Literal[
    "reflective",
    "contractive",
    "research",
    "tutor",
    "direct",
    "specialist",
    "specialists",
    "ensemble",
    "hierarchy",
    "hybrid",
]
FindingStatus: TypeAlias = Literal["answered", "partial", "uncertain", "could_not", "error"]
LONGEST_TEXT = 4000
"""Characters of one piece of evidence; what is longer stays where it was found."""


class Assignment(BaseModel):
    """What one engine is asked.

    Attributes:
        id: names it among those of the run: letters, digits, points and strokes.
        worker: who is to answer.
        question: to be answered.
        context: material the answer may rest on; data, never instructions.
        turns: questions that were answered before, oldest first, whose names a word of this one may mean.
        facts: ids of findings material and turns come from.
        settings: settings of this engine's run, by dotted key, before those of the whole.
        run_id: of the whole run, whose budget it spends.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)
    worker: Worker
    question: str
    context: str = ""
    turns: list[Turn] = Field(default_factory=list)
    facts: list[str] = Field(default_factory=list)
    settings: dict[str, Any] = Field(default_factory=dict)
    run_id: str = ""


class Cited(BaseModel):
    """A piece of evidence.

    Attributes:
        kind: output of a tool, a fact of an audit kernel, a passage of a source, agreement of samples, or a
            claim that was proved.
        where: its place: a command, file:line, an address, "4 of 5 samples".
        text: what stands there, at most LONGEST_TEXT characters.
    """

    kind: Literal["tool", "kernel", "source", "samples", "proof"]
    where: str
    text: str = ""


class Edge(BaseModel):
    """An edge of a graph of questions, files or claims."""

    source: str
    target: str
    label: str = ""


class Happened(BaseModel):
    """Something that happened on the way; time is UTC, ISO."""

    at: str = ""
    kind: str
    facts: dict[str, Any] = Field(default_factory=dict)


class Finding(BaseModel):
    """What one engine brought.

    Attributes:
        id: of the assignment.
        worker: who answered.
        question: it was asked.
        status: answered: it stands by its answer; partial; uncertain: one answer of several; could_not:
            it has none; error: it failed, `failure` says why.
        answer: for people; empty without one.
        short: the same in a few words.
        confidence: 0 to 1 as the engine states it; None where it states none.
        grounded: True if the answer rests on something outside the model: files, sources, proofs.
        evidence: what it rests on.
        figures: numbers, by name.
        edges: a graph, such as the tree of questions.
        vector: the answer's embedding; empty where none was made.
        data: values by a schema.
        data_schema: name of that schema; empty without data.
        events: in order.
        usage: model calls.
        notes: for people.
        failure: an exception that ended it, or None.
    """

    id: str
    worker: Worker
    question: str
    status: FindingStatus
    answer: str = ""
    short: str = ""
    confidence: float | None = None
    grounded: bool = False
    evidence: list[Cited] = Field(default_factory=list)
    figures: dict[str, float] = Field(default_factory=dict)
    edges: list[Edge] = Field(default_factory=list)
    vector: list[float] = Field(default_factory=list)
    data: dict[str, Any] = Field(default_factory=dict)
    data_schema: str = ""
    events: list[Happened] = Field(default_factory=list)
    usage: RoleUsage = RoleUsage()
    notes: list[str] = Field(default_factory=list)
    failure: Failure | None = None

    @property
    def answers(self) -> bool:
        """True if it brought an answer, sure or not."""
        return bool(self.answer) and self.status in ("answered", "partial", "uncertain")
