"""Is a goal one that only files answer, or that asks for a change of them? Asked where no engine looked."""

from __future__ import annotations

import asyncio

from memory.recipes.changes import wants_change
from memory.recipes.exemplars import resemblance
from models.errors import ModelError
from models.multilingual_embeddings import open_goal_embedder
from nodes.reflective.complexity import judge
from nodes.reflective.services import Services


async def needs_a_look(goal: str, services: Services) -> bool:
    """True if no model may answer the goal from memory, as the reflective engine's own judgement has it.

    Where no embedder can be used, only a goal that asks for a change is known to be one.
    """
    return await asyncio.to_thread(_needs_a_look, goal, services)


def _needs_a_look(goal: str, services: Services) -> bool:
    if wants_change(goal):
        return True
    try:
        judgement = judge(
            goal,
            goal,
            open_goal_embedder(services.settings),
            lambda: resemblance(services.embedder()),
            services.settings.graph.complexity_bypass_threshold,
        )
    except ModelError:
        return False
    return not judgement.may_bypass
