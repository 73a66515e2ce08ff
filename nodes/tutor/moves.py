"""The eight moves. One a turn; prose is none."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from nodes.tutor.claims import Claim

LONGEST_TEXT = 2000


class _Move(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(_Move):
    """A call of a tool: by name and arguments, or as the command line a model wrote. Never given to a shell.

    Attributes:
        tool: name, "" if `raw` is given.
        args: arguments.
        raw: a command line.
    """

    tool: str = ""
    args: dict[str, Any] = Field(default_factory=dict)
    raw: str = ""


class Propose(_Move):
    """Run a tool; what it shows becomes an observation."""

    move: Literal["PROPOSE"] = "PROPOSE"
    request: Request


class Assert(_Move):
    """Say that something is so, and which observations show it."""

    move: Literal["ASSERT"] = "ASSERT"
    claim: Claim
    evidence: tuple[StrictStr, ...] = ()


class Ask(_Move):
    """Note a question to be settled later."""

    move: Literal["ASK"] = "ASK"
    question: str = Field(max_length=LONGEST_TEXT)


class Challenge(_Move):
    """Say that a claim of the game is wrong, and what would show it: a tool call, or observations made."""

    move: Literal["CHALLENGE"] = "CHALLENGE"
    claim: str
    falsifier: Request | None = None
    evidence: tuple[StrictStr, ...] = ()


class Reformulate(_Move):
    """Put another claim in the place of one that is not proved; the evidence stays with it."""

    move: Literal["REFORMULATE"] = "REFORMULATE"
    claim: str
    into: Claim


class Link(_Move):
    """Give a claim more evidence."""

    move: Literal["LINK"] = "LINK"
    evidence: tuple[StrictStr, ...] = Field(min_length=1)
    claim: str


class Answer(_Move):
    """End the game with validated claims."""

    move: Literal["ANSWER"] = "ANSWER"
    claims: tuple[StrictStr, ...]


class Pass(_Move):
    """Do nothing."""

    move: Literal["PASS"] = "PASS"


Move = Annotated[
    Propose | Assert | Ask | Challenge | Reformulate | Link | Answer | Pass, Field(discriminator="move")
]
