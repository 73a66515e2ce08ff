"""REFLECT of graph_v2: the diagnosis and the plan that follows from it, in one visit."""

from __future__ import annotations

from langgraph.runtime import Runtime

from nodes.reflective.context import RunContext
from nodes.reflective.plan import plan
from nodes.reflective.reflect import reflect
from nodes.reflective.state import ReasoningState, Update


async def reflect_and_plan(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Diagnose the failure, then plan as PLAN does; without a plan the stop reason is no_plan."""
    diagnosed = await reflect(state, runtime)
    known = ReasoningState.model_validate(state.model_dump(mode="json") | diagnosed)
    planned = await plan(known, runtime)
    return diagnosed | planned | {"iterations": state.iterations + 1}
