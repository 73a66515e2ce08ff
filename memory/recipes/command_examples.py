"""Pairs of a goal and the command that answers it: patterns for a model that writes a command."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from memory.recipes.exemplars import embed_cached
from memory.recipes.shipped import shipped_yaml
from models.embeddings import Embedder


@dataclass(frozen=True)
class CommandExample:
    """A goal and its command.

    Attributes:
        goal: as somebody would type it; it asks for no change.
        command: one line, as an experienced person would type it; it only reads.
    """

    goal: str
    command: str


@cache
def load_command_examples() -> tuple[CommandExample, ...]:
    """The shipped pairs, in the order of their sheet."""
    return tuple(CommandExample(**pair) for pair in shipped_yaml("command_examples.yaml"))


def nearest_examples(goal: str, embedder: Embedder, count: int = 8) -> list[CommandExample]:
    """The pairs whose goals are most like a goal, the most alike last: beside what the model writes next.

    Args:
        goal: what a command is wanted for.
        embedder: gives the vectors; those of the sheet are computed once.
        count: how many pairs, at most as many as there are.

    Raises:
        ModelError: the embedder does not answer.
    """
    examples = load_command_examples()
    cosines = embed_cached([example.goal for example in examples], embedder) @ embedder.embed([goal])[0]
    best = np.argsort(-cosines, kind="stable")[: max(count, 0)]
    return [examples[index] for index in reversed(best)]
