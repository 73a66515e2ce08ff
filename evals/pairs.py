"""Pairs of goals: one that was answered before, and one that is asked now.

`questions/paraphrases.jsonl` holds pairs that ask the same, `questions/near_misses.jsonl` pairs that only
look alike. One object a line: id, learned and asked (goals), commands (a plan that answers `learned`), right
(the commands that answer `asked`; of a near miss only where the old plan can be made to fit), kind, note.
"""

from __future__ import annotations

import shlex
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

PARAPHRASES = "paraphrases.jsonl"
NEAR_MISSES = "near_misses.jsonl"


class Pair(BaseModel):
    """One pair; see the module's description."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    learned: str
    commands: list[str] = Field(min_length=1)
    asked: str
    right: list[str] | None = None
    kind: str
    note: str = ""


def read_pairs(name: str) -> list[Pair]:
    """The pairs of one of the two files.

    Raises:
        FileNotFoundError: there is no such file.
        pydantic.ValidationError: a line holds no pair.
    """
    text = files("evals").joinpath("questions", name).read_text("utf-8")
    return [Pair.model_validate_json(line) for line in text.splitlines() if line.strip()]


def same_commands(first: list[str], second: list[str]) -> bool:
    """True if two plans run the same words, whatever their quotes and slashes at the end."""
    plans = (
        [[word.rstrip("/") for word in shlex.split(command)] for command in plan] for plan in (first, second)
    )
    return next(plans) == next(plans)
