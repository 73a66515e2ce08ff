"""What becomes of an exception in a node that is no engine: an honest end that keeps what was found."""

from __future__ import annotations

import logging

from langgraph.errors import NodeError
from langgraph.graph import END
from langgraph.types import Command

from nodes.collective.begin import anew
from nodes.collective.state import CollectiveState
from nodes.reflective.failure import describe
from nodes.reflective.state import dump

log = logging.getLogger(__name__)


async def on_node_error(state: CollectiveState, error: NodeError) -> Command[str]:
    """Record the failure and end: findings stay in the state, and nothing is claimed."""
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    # A run that could not begin has nothing: what the thread holds belongs to the goal before.
    before, notes = (anew(), []) if error.node == "begin" else ({}, state.notes)
    failed = dump(failure=failure, status="error", final_answer="", notes=[*notes, failure.what])
    return Command(update={**before, **failed}, goto=END)
