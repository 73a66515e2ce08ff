"""BEGIN of a hybrid: the contractive engine is asked what is to be done or found out."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from configs.prompting import render
from memory.call_journal import new_run_id
from nodes.collective.begin import anew, check_goal
from nodes.collective.exchange import Assignment
from nodes.collective.hybrid.state import ANALYSIS, HybridState
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of, thread_id
from nodes.reflective.state import dump


async def begin(state: HybridState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Put the goal to the engine that analyses it.

    Raises:
        GoalError: it is empty or far too long.
        ReflectError: settings or models cannot be used.
    """
    services = await services_of(runtime, fresh=True)
    check_goal(state.goal)
    run_id = new_run_id(thread_id() or "no-thread")
    analysis = Assignment(
        id=ANALYSIS,
        worker="contractive",
        question=render("hybrid_analysis", goal=state.goal),
        context=state.context,
        run_id=run_id,
    )
    return anew() | dump(
        engine="hybrid",
        run_id=run_id,
        limits=services.settings.collective,
        assignments=[analysis],
        recommendations=[],
    )
