"""ROUTE: which specialists answer, and why; begins the run afresh."""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from memory.call_journal import new_run_id
from models.embeddings import Embedder
from models.errors import ModelError
from models.multilingual_embeddings import open_goal_embedder
from nodes.collective.begin import check_goal
from nodes.collective.budgets import sharing
from nodes.errors import NoTools
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import Services, services_of, thread_id
from nodes.reflective.state import RoleUsage, dump
from nodes.specialists.composing import cost_of
from nodes.specialists.routing import (
    Route,
    by_caller,
    by_exemplars,
    by_model,
    by_words,
    in_doubt,
    scores,
    without_model,
)
from nodes.specialists.state import SpecialistsState

INPUTS = {"goal", "context", "only", "engine", "remaining_steps", "limits", "findings"}


async def route(state: SpecialistsState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Choose the specialists for a goal.

    Raises:
        GoalError: it is empty or far too long.
        NoTools: the profile allows nothing that reads files.
        ReflectError: settings or models cannot be used.
    """
    services = await services_of(runtime, fresh=True)
    check_goal(state.goal)
    if services.toolbox is None:
        raise NoTools(
            f"The profile {services.settings.profile} allows no tool, and the kernels read files.",
            "Choose another profile, e.g. --profile dev.",
        )
    limits = services.settings.collective
    run_id = new_run_id(thread_id() or "no-thread")
    async with sharing(services, run_id):
        chosen, usage = await _decided(state, services)
    progress("specialists_routed", by=chosen.by, chosen=[one.name for one in chosen.chosen])
    return _anew() | dump(
        run_id=run_id,
        limits=limits,
        chosen_specialists=chosen.chosen,
        routed_by=chosen.by,
        notes=chosen.notes,
        usage=usage,
    )


async def _decided(state: SpecialistsState, services: Services) -> tuple[Route, RoleUsage]:
    """The caller's choice, else the exemplars'; a model's where the vote is close and one can judge."""
    if state.only:
        return by_caller(state.only), RoleUsage()
    embedder = await asyncio.to_thread(_embedder, services)
    if embedder is None:
        chosen = by_words(state.goal)
        note = "No embedding model can be used; the goal was read by its words alone."
        return chosen.model_copy(update={"notes": [note]}), RoleUsage()
    voted = await asyncio.to_thread(scores, state.goal, embedder)
    chosen = by_exemplars(state.goal, voted)
    if not in_doubt(voted) or not services.models.can_judge("classifier"):
        return chosen, RoleUsage()
    try:
        asked, spent = await by_model(state.goal, voted, services.models)
    except ModelError as error:
        return chosen.model_copy(update={"notes": [without_model(error)]}), RoleUsage()
    return asked, cost_of(spent)


def _embedder(services: Services) -> Embedder | None:
    try:
        return open_goal_embedder(services.settings)
    except ModelError:
        return None


def _anew() -> dict[str, Any]:
    """The state without anything of an earlier run of the thread."""
    fresh = SpecialistsState().model_dump(mode="json", exclude=INPUTS)
    return {**fresh, "engine": "specialists", "findings": {"__overwrite__": {}}}
