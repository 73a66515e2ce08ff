"""Probes: a small sandbox, moves in it, and a claim that cites what they showed. One JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Step = Any
"""What a model would do, which may be anything at all: only what has the form of a move is one."""


class OtherGame(BaseModel):
    """A game in another sandbox, whose observations are cited as "other:0" and so on."""

    model_config = ConfigDict(extra="ignore")

    files: dict[str, str] = Field(default_factory=dict)
    links: dict[str, str] = Field(default_factory=dict)
    actions: list[Step] = Field(default_factory=list)


class Probe(BaseModel):
    """One probe; fields it does not know are for people.

    Attributes:
        id: its name in the result.
        category: what kind of probe it is.
        files: relative path to text; a path that ends with "/" is an empty directory. Bytes that are no UTF-8
            are written as Python's surrogateescape does.
        links: relative path to the target of a symbolic link, which may lead anywhere.
        actions: moves `{"tool", "args"}` and `{"raw"}`, and steps of the harness, `host:...`.
        claim: what is claimed, about the sandbox at the end of the actions.
        cites: indexes into `actions`, and whatever else a model may write there.
        why: why the claim is proved, or what is wrong with it.
        falsity: why the claim is false; None if it is true.
        insufficient: what the evidence of a true claim lacks, which is not to be accepted; None if nothing.
        other_game: played before this one.
    """

    model_config = ConfigDict(extra="ignore")

    id: str | int
    category: str = ""
    files: dict[str, str] = Field(default_factory=dict)
    links: dict[str, str] = Field(default_factory=dict)
    actions: list[Step] = Field(default_factory=list)
    claim: Any
    cites: list[Any] = Field(default_factory=list)
    why: str = ""
    falsity: str | None = None
    insufficient: str | None = None
    other_game: OtherGame | None = None


class BadLine(BaseModel):
    """A line that is no probe.

    Attributes:
        id: the probe's name if it has one, and else the number of the line, from 1.
        why: what is wrong with it.
    """

    id: str | int
    why: str


def read_probes(path: Path) -> list[Probe | BadLine]:
    """The probes of a file, in order; blank lines are none.

    Raises:
        OSError: the file cannot be read.
        UnicodeDecodeError: it is not UTF-8.
    """
    lines = path.read_bytes().decode("utf-8").split("\n")
    return [probe_of(line, number) for number, line in enumerate(lines, 1) if line.strip()]


def probe_of(line: str, number: int) -> Probe | BadLine:
    """The probe a line holds, or why it holds none."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        return BadLine(id=str(number), why=f"line {number} is not JSON: {error}")
    named = content.get("id") if isinstance(content, dict) else None
    try:
        return Probe.model_validate(content, strict=True)
    except ValidationError as error:
        usable = named if isinstance(named, str | int) and not isinstance(named, bool) else str(number)
        return BadLine(id=usable, why=f"line {number} is no probe: {error}")
