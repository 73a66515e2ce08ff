"""Whether a question needs facts from files, and whether it is to be cut up at once. Code decides, no model.

The reflective classifier is asked the same way a worker asks it: what the text names, the recipes, the
labelled exemplars. Where it leaves a goal to a model, the words decide: what speaks of files, code or
commits, or names something that exists below the root, is looked up rather than guessed at.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from memory.recipes.exemplars import resemblance
from memory.recipes.places import find_place
from memory.recipes.reading import read_goal
from models.multilingual_embeddings import open_goal_embedder
from nodes.hierarchy.listing import listing_of
from nodes.reflective.complexity import Judgement, judge
from nodes.reflective.lookup import locate_goal
from nodes.reflective.services import Services
from nodes.reflective.state import TaskComplexity

# "17*23" is no pattern of names.
_SUM = re.compile(r"(?<![\w./])\d[\d.,]*(?:\s*[-+*/x×^]\s*\d[\d.,]*)+(?![\w./])")
_VAGUE_THINGS = frozenset({"deep", "content", "difference", "top", "name", "type", "tree", "test"})
"""What a recipe may be about and a sentence about anything else as well."""


@dataclass(frozen=True)
class Need:
    """What a question needs.

    Attributes:
        files: facts from files; a model alone would guess.
        parts: to be cut up before anything is tried.
    """

    files: bool
    parts: bool


async def need_of(question: str, services: Services) -> Need:
    """What a question needs; deterministic for the files as they are.

    Args:
        question: as it is put to a worker or a model.
        services: of the run.

    Raises:
        ModelError: the embedding model cannot be opened.
    """
    judgement = await asyncio.to_thread(_judgement, question, services)
    label = judgement.label
    if label is not None:
        files = label.complexity is not TaskComplexity.BYPASS
    else:
        files = not judgement.may_bypass or await _speaks_of_files(question, services)
    return Need(files, files and _is_compound(question, judgement))


def _judgement(question: str, services: Services) -> Judgement:
    told = _SUM.sub("1", question)
    return judge(
        told,
        told,
        open_goal_embedder(services.settings),
        lambda: resemblance(services.embedder()),
        services.settings.graph.complexity_bypass_threshold,
    )


def _is_compound(question: str, judgement: Judgement) -> bool:
    """True if its wording lists parts one answer would blur, or it is more than one plan may hold."""
    label, listing = judgement.label, listing_of(question)
    whole = label is not None and label.source == "recipe"
    if listing is not None and (listing.distributes or not whole):
        return True
    return label is not None and not whole and label.complexity is TaskComplexity.COMPLEX


async def _speaks_of_files(question: str, services: Services) -> bool:
    reading = await asyncio.to_thread(read_goal, question)
    if reading.mentions_files or reading.about_files or reading.things - _VAGUE_THINGS:
        return True
    if services.toolbox is None or not reading.mentions:
        return False
    located = await locate_goal(question, services, services.toolbox)
    return any(find_place(mention, located.places) for mention in reading.mentions)
