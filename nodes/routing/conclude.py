"""CONCLUDE: what the engine brought, as the answer of the run; and the end of a run whose nodes failed."""

from __future__ import annotations

import logging
from typing import Any

from langgraph.errors import NodeError
from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Command

from nodes.collective.budgets import forget
from nodes.collective.engine_reading import total
from nodes.reflective.context import RunContext
from nodes.reflective.failure import describe
from nodes.reflective.state import dump
from nodes.routing.state import AutoState

log = logging.getLogger(__name__)


async def conclude(state: AutoState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Hand on the finding as it is; an answer that ROUTE gave stays."""
    forget(state.run_id)
    if state.assignment is None:
        return {}
    found = state.findings[state.assignment.id]
    return dump(
        final_answer=found.answer,
        status=found.status,
        confidence=found.confidence,
        usage=total([state.usage, found.usage]),
        notes=[*state.notes, *found.notes],
        failure=found.failure,
    )


async def on_node_error(state: AutoState, error: NodeError) -> Command[str]:
    """Record the failure and end; nothing is claimed."""
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    return Command(
        update=dump(failure=failure, status="error", final_answer="", notes=[*state.notes, failure.what]),
        goto=END,
    )
