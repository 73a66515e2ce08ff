"""Labelled questions: parts that belong to them or not, the same question again, and others like it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal

from pydantic import ConfigDict, Field

from evals.report.labelled import Labelled, entries_of
from nodes.contractive.repeats import texts_compared

TopicKind = Literal["part", "deeper part", "drift", "unrelated", "neighbour"]
PairKind = Literal["same", "near", "part"]
NEIGHBOURS = 2


class LabelledQuestion(Labelled):
    """One question and what is labelled about it.

    Attributes:
        id: field and number.
        root: the question of the whole tree; empty if this is it.
        question: the one that is split, or asked.
        held: held back: nothing was fitted on it.
        parts: on topic, and no repeats.
        drift: about something in it, but of no help.
        unrelated: about something else.
        same: ask the question again.
        near: look like it and ask something else, parts of it among them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z]+-\d\d$")
    root: str = ""
    question: str
    held: bool = False
    parts: tuple[str, ...] = ()
    drift: tuple[str, ...] = ()
    unrelated: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    near: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """What it is about: maths, code, reasoning, science, regulation, general; deeper; short."""
        return self.id.partition("-")[0]

    @property
    def top(self) -> str:
        """The question of the whole tree."""
        return self.root or self.question

    def topics(self) -> Iterator[tuple[str, TopicKind]]:
        """Candidate parts with what they are; `neighbour` are parts of the next question of the field."""
        on: TopicKind = "deeper part" if self.root else "part"
        yield from ((part, on) for part in self.parts)
        yield from ((part, "drift") for part in self.drift)
        yield from ((part, "unrelated") for part in self.unrelated)
        yield from ((part, "neighbour") for part in neighbours(self))

    def pairs(self) -> Iterator[tuple[str, PairKind]]:
        """Later questions with what they are to this one."""
        yield from ((text, "same") for text in self.same)
        yield from ((text, "near") for text in self.near)
        yield from ((text, "part") for text in self.parts)

    def texts(self) -> list[str]:
        """Everything that is embedded to judge the labelled texts."""
        own = (self.top, self.question, *(text for text, _ in (*self.topics(), *self.pairs())))
        return list(dict.fromkeys(form for text in own for form in texts_compared(text)))


@cache
def labelled_questions() -> dict[str, LabelledQuestion]:
    """All questions by id.

    Raises:
        UsageError: a file holds something else, or two questions have one id.
    """
    return entries_of("evals.parts", "sets", LabelledQuestion, "labelled question")


def neighbours(of: LabelledQuestion) -> tuple[str, ...]:
    """Parts of the next question of the same field and half, which are off topic here."""
    others = [one for one in labelled_questions().values() if (one.field, one.held) == (of.field, of.held)]
    if not of.parts or of.root or of not in others or not others[0].parts:
        return ()
    following = others[(others.index(of) + 1) % len(others)]
    return following.parts[:NEIGHBOURS] if following is not of else ()
