"""Who answers a goal: by likeness to exemplars and by its words; a model where these are in doubt."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from configs.prompting import render
from memory.recipes.signals import fold
from models.embeddings import Embedder
from models.errors import ModelError
from models.roles import RoleModels
from models.usage import Usage
from nodes.specialists.reading.question import BROAD
from nodes.specialists.specialties import SPECIALIST_BY_NAME
from nodes.specialists.state import Chosen, RouteSource
from nodes.specialists.topics import SPECIALISTS, SpecialistName
from nodes.specialists.votes import load_exemplars, votes

Scores: TypeAlias = Mapping[SpecialistName, float]
CHOSEN_AT = 0.0
SURE_AT = 0.25
"""A vote further from CHOSEN_AT than this is not in doubt."""
VAGUE = frozenset({"functions", "files", "classes", "imports", "recommendations", "module_lines", "risk"})
"""Topics whose words are common in goals of all kinds."""
LONGEST_GOAL = 2000
_PLACE = re.compile(r"`[^`]*`|\S*[/\\]\S*|\b[\w-]+\.\w{1,5}\b|\b\w+_\w+\b|\b\w+\(\)")


class Route(BaseModel):
    """A decision.

    Attributes:
        chosen: who answers; nobody for a goal no audit tells anything about.
        by: what decided.
        notes: for people.
    """

    chosen: list[Chosen] = Field(default_factory=list)
    by: RouteSource = "none"
    notes: list[str] = Field(default_factory=list)


class RouteReply(BaseModel):
    """What a model says: the specialists that know about the goal; none if none does."""

    specialists: list[SpecialistName]


def word_marks(goal: str) -> dict[SpecialistName, list[str]]:
    """Topics the words of a goal name, by specialist; paths and names in it say nothing."""
    folded = fold(_PLACE.sub(" ", goal[:LONGEST_GOAL]))
    return {
        name: [one.id for one in specialist.topics if one.id not in VAGUE and one.meant_by(folded)]
        for name, specialist in SPECIALIST_BY_NAME.items()
    }


def scores(goal: str, embedder: Embedder) -> Scores:
    """How much speaks for each specialist, about -1 to 1."""
    marks = word_marks(goal)
    return votes(goal[:LONGEST_GOAL], _numbers(marks), _exemplar_marks(), embedder)


def _numbers(marks: Mapping[SpecialistName, Sequence[str]]) -> list[float]:
    return [float(bool(marks[name])) for name in SPECIALISTS]


@cache
def _exemplar_marks() -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(_numbers(word_marks(one.goal))) for one in load_exemplars())


def by_caller(only: Sequence[SpecialistName]) -> Route:
    """The specialists the caller named."""
    names = [name for name in SPECIALISTS if name in only]
    return Route(chosen=[Chosen(name=name, why="the caller chose it") for name in names], by="caller")


def by_exemplars(goal: str, voted: Scores) -> Route:
    """Whoever the exemplars speak for."""
    names = [name for name in SPECIALISTS if voted[name] > CHOSEN_AT]
    why = "the goal resembles goals it answers (vote {:.2f})"
    return Route(
        chosen=[Chosen(name=name, why=why.format(voted[name])) for name in names],
        by="exemplars" if names else "none",
    )


def by_words(goal: str) -> Route:
    """Whoever has words of the goal among its topics; for want of anything better."""
    marks = word_marks(goal)
    if (
        not any(marks.values())
        and BROAD.search(fold(goal))
        and re.search(r"\b(?:code|project|repo\w*)\b", goal, re.I)
    ):
        return Route(chosen=[Chosen(name=name, why="the goal is broad") for name in SPECIALISTS], by="words")
    chosen = [
        Chosen(name=name, why=f"the goal names its topics: {', '.join(topics)}")
        for name, topics in marks.items()
        if topics
    ]
    return Route(chosen=chosen, by="words" if chosen else "none")


def in_doubt(voted: Scores) -> list[SpecialistName]:
    """Specialists for whom the vote says neither yes nor no."""
    return [name for name in SPECIALISTS if abs(voted[name] - CHOSEN_AT) < SURE_AT]


async def by_model(goal: str, voted: Scores, models: RoleModels) -> tuple[Route, Usage | None]:
    """Ask a model about the specialists in doubt; the others stay as they were voted.

    Raises:
        ModelError: as `RoleModels.structured`, but for a reply nobody can use.
    """
    fence = f"=====GOAL {secrets.token_hex(8)}====="
    fields = "\n".join(f"- {name}: {one.field}" for name, one in SPECIALIST_BY_NAME.items())
    messages = [
        SystemMessage(render("specialists_route", fence=fence, fields=fields)),
        HumanMessage(f"{fence}\n{goal[:LONGEST_GOAL]}\n{fence}"),
    ]
    reply = await models.structured("classifier", messages, RouteReply)
    said, doubted = set(reply.value.specialists), set(in_doubt(voted))
    route = by_exemplars(goal, voted)
    sure = [one for one in route.chosen if one.name not in doubted]
    added = [Chosen(name=name, why="a model chose it, for the vote was close") for name in said & doubted]
    order = SPECIALISTS.index
    chosen = sorted([*sure, *added], key=lambda one: order(one.name))
    return Route(chosen=chosen, by="model" if chosen else "none"), reply.usage


def without_model(error: ModelError) -> str:
    """A note that a model had no part in a choice."""
    return f"Which specialists answer was decided without a model: {error.what}"
