"""ROUTE: which engine does the goal go to? Words first, then exemplars, then a model that can judge."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from langgraph.runtime import Runtime

from configs.settings import Settings
from memory.call_journal import new_run_id
from models.errors import ModelError
from models.multilingual_embeddings import open_goal_embedder
from models.roles import RoleModels
from models.usage import Usage
from nodes.collective.exchange import Assignment
from nodes.reflective.classify import check_goal
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import close_models, services_of, thread_id
from nodes.reflective.state import RoleUsage
from nodes.routing.asking import ask_router
from nodes.routing.deciding import Decided, decide, forced
from nodes.routing.exemplars import Votes, vote
from nodes.routing.playing import Advice, game_of
from nodes.routing.state import AutoState, RoutingDecision

log = logging.getLogger(__name__)


async def route(state: AutoState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Decide, and begin the run afresh: a thread's earlier run leaves nothing behind.

    Raises:
        GoalError: the goal is empty or far too long.
        ReflectError: settings or models cannot be used.
    """
    goal = check_goal(state.goal)
    services = await services_of(runtime, fresh=True)
    decision, usage = forced(state.wanted) if state.wanted else None, RoleUsage()
    if decision is None:
        decision, spent = await decision_on(goal, services.settings, lambda: services.models)
        usage = _cost(spent)
    progress("routed", engine=decision.engine, goal_kind=decision.kind, why=decision.why)
    await close_models(runtime)
    run_id = new_run_id(thread_id() or "no-thread")
    given = Assignment(
        id=decision.engine, worker=decision.engine, question=goal, context=state.context, run_id=run_id
    )
    advice = game_of(goal, decision.kind) if decision.engine == "tutor" else None
    fresh = AutoState(goal=goal, wanted=state.wanted, context=state.context)
    if isinstance(advice, Advice):
        fresh = fresh.model_copy(update={"final_answer": advice.text, "status": "could_not"})
    update = fresh.model_copy(
        update={
            "run_id": run_id,
            "decision": decision,
            "assignment": None if isinstance(advice, Advice) else given,
            "usage": usage,
        }
    ).model_dump(mode="json", exclude={"findings"})
    return {**update, "findings": {"__overwrite__": {}}}


async def decision_on(
    goal: str, settings: Settings, open_models: Callable[[], RoleModels]
) -> tuple[RoutingDecision, Usage | None]:
    """What is decided about a goal, and what a model took for it; None where none was asked.

    A model that fails leaves the decision as it was: where a goal goes is not worth the run.

    Args:
        goal: as written, not empty.
        settings: name the embedding model.
        open_models: gives the models; called where code leaves a doubt.
    """
    decided = await asyncio.to_thread(decide_here, goal, settings)
    if decided.sure:
        return decided.decision, None
    try:
        models = await asyncio.to_thread(open_models)
        if not models.can_judge("classifier"):
            return decided.decision, None
        return await ask_router(goal, decided, models)
    except ModelError as error:
        log.warning("the classifier did not answer: %s", error)
        return decided.decision, error.usage


def decide_here(goal: str, settings: Settings) -> Decided:
    """What code decides; without an embedder only by words. Blocking, so call it in a thread."""

    def voted(text: str) -> Votes | None:
        try:
            return vote(text, open_goal_embedder(settings))
        except ModelError as error:
            log.warning("goals cannot be compared with exemplars: %s", error)
            return None

    return decide(goal, voted)


def _cost(spent: Usage | None) -> RoleUsage:
    if spent is None:
        return RoleUsage()
    return RoleUsage(
        calls=spent.calls,
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        seconds=round(spent.seconds, 4),
    )
