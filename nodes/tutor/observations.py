"""Observations: what a tool call printed, sealed. They never change; facts are read from them each time."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import PydanticSerializationError, to_json

from nodes.tutor.observing.questions.question import Question

_BESIDE = {"seal", "args"}


class Footprint(BaseModel):
    """What on the disk a result depends on, so that a later change of it is noticed.

    Attributes:
        paths: what was read, relative to the sandbox.
        deep: True if everything below those that are directories was read, too; else their own entries.
        contents: False if only names and kinds matter, so that a file may be rewritten.
        taken: when it was first taken, in nanoseconds; what changed shortly before is known by its content.
        digest: of their state (names, kinds, sizes, times, and contents where times cannot tell).
        stable: False if it changed while the tool ran; such an observation supports nothing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    paths: tuple[str, ...] = ()
    deep: bool = False
    contents: bool = True
    taken: int = 0
    digest: str = ""
    stable: bool = True


class Reading(BaseModel):
    """A question about the files that a call comes down to, and what a tool printed for it.

    The tool is run in a form whose output can be read in one way only, whatever the names and texts are.

    Attributes:
        question: what was asked.
        returncode: of the tool.
        output: what it printed.
        encoding: of `output`: "utf-8", or "latin-1" (one character a byte) if the bytes are no UTF-8.
        errors: its diagnostics.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: Question
    returncode: int
    output: str
    encoding: Literal["utf-8", "latin-1"] = "utf-8"
    errors: str = ""


class Observation(BaseModel):
    """One tool call and its result, of one game.

    Attributes:
        id: its name in the game: "o1", "o2", ...
        game: the game it belongs to; no other game accepts it.
        turn: when it was made, from 1.
        tool: name of the tool, or "command" for what was given as a command line.
        args: its arguments, as checked.
        command: the call as a person would type it; for display only.
        returncode: as `ToolResult.returncode`.
        stdout: what the tool printed, for the player; `observing.reading.shown` gives it.
        readings: what the call comes down to, in a form without ambiguity (names end with NUL, every match
            has its file and number), for `observing.reading.facts_of`; none if it is not understood exactly.
        stderr: diagnostics.
        truncated: True if the output was cut anywhere; no facts then.
        footprint: what it depends on.
        seal: SHA-256 of all the other fields.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    game: str
    turn: int
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    command: str = ""
    returncode: int
    stdout: str = ""
    readings: tuple[Reading, ...] = ()
    stderr: str = ""
    truncated: bool = False
    footprint: Footprint = Footprint()
    seal: str = ""

    @property
    def intact(self) -> bool:
        """True if nothing of it was changed since it was sealed."""
        return self.seal == seal_of(self)

    def sealed(self) -> Observation:
        """The same, with its seal."""
        return self.model_copy(update={"seal": seal_of(self)})


def seal_of(observation: Observation) -> str:
    """SHA-256, in hexadecimal digits, of everything but the seal: its JSON, then that of its arguments.

    The fields of a model have one order, only the keys of the arguments need sorting. It is made whenever an
    observation is cited.
    """
    args = json.dumps(observation.args, sort_keys=True, separators=(",", ":")).encode("ascii")
    try:
        written = to_json(observation, exclude=_BESIDE)
    except PydanticSerializationError:
        # Halves of characters, as names that are no UTF-8 are written, can be escaped only.
        written = json.dumps(observation.model_dump(mode="json", exclude=_BESIDE)).encode("ascii")
    return hashlib.sha256(b"%b\n%b" % (written, args)).hexdigest()
