"""What becomes of an exception in a research node: an error report, never a traceback."""

from __future__ import annotations

import logging

from langgraph.errors import NodeError
from langgraph.graph import END
from langgraph.types import Command

from models.errors import ModelError
from nodes.reflective.failure import describe
from nodes.reflective.state import RoleUsage, dump
from nodes.research.format import error_item
from nodes.research.state import ResearchState

log = logging.getLogger(__name__)


async def on_node_error(state: ResearchState, error: NodeError) -> Command[str]:
    """Record the failure and go to FORMAT."""
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    update = dump(failure=failure)
    if isinstance(error.error, ModelError) and error.error.usage is not None:
        spent = error.error.usage
        total = dict(state.usage)
        before = total.get(spent.role, RoleUsage())
        total[spent.role] = before.model_copy(
            update={"calls": before.calls + spent.calls, "seconds": before.seconds + spent.seconds}
        )
        update |= dump(usage=total)
    return Command(update=update, goto="format")


async def on_format_error(state: ResearchState, error: NodeError) -> Command[str]:
    """FORMAT itself failed: the least item there can be, which claims nothing but that."""
    failure = state.failure or describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    result = [error_item(state, failure)]
    return Command(update=dump(failure=failure, result=result, status="error"), goto=END)
