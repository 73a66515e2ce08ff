"""BEGIN of an ensemble: one assignment for each member, all with the same question."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from memory.call_journal import new_run_id
from nodes.collective.exchange import Assignment
from nodes.collective.state import CollectiveState
from nodes.contractive.state import LONGEST_QUESTION
from nodes.errors import GoalError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of, thread_id
from nodes.reflective.state import dump


async def begin(state: CollectiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Give the goal to every member.

    Raises:
        GoalError: it is empty or far too long.
        ReflectError: settings or models cannot be used.
    """
    services = await services_of(runtime, fresh=True)
    check_goal(state.goal)
    limits = services.settings.collective
    run_id = new_run_id(thread_id() or "no-thread")
    given = [
        Assignment(id=member, worker=member, question=state.goal, context=state.context, run_id=run_id)
        for member in dict.fromkeys(limits.members)
    ]
    return anew() | dump(engine=state.engine, run_id=run_id, limits=limits, assignments=given)


def check_goal(goal: str) -> None:
    """Refuse what no engine would take.

    Raises:
        GoalError: it is empty or far too long.
    """
    if not goal.strip():
        raise GoalError("There is no goal.", "Say what you want to know.")
    if len(goal) > LONGEST_QUESTION:
        raise GoalError(
            f"The goal has {len(goal)} characters; {LONGEST_QUESTION} is the most.",
            "Give the material as context, and ask about it.",
        )


def anew() -> dict[str, Any]:
    """The state without anything of an earlier run of the thread."""
    fresh = CollectiveState().model_dump(
        mode="json", exclude={"goal", "engine", "context", "remaining_steps", "limits", "findings"}
    )
    return {**fresh, "findings": {"__overwrite__": {}}}
