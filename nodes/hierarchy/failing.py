"""What becomes of an exception in a node of a hierarchy: as in a contractive run; no old finding is left."""

from __future__ import annotations

from langgraph.errors import NodeError
from langgraph.types import Command

from nodes.contractive import failing as contractive
from nodes.hierarchy.begin import cleared
from nodes.hierarchy.state import HierarchyState


async def on_node_error(state: HierarchyState, error: NodeError) -> Command[str]:
    """Record the failure and go to ADVANCE or ANSWER."""
    command = await contractive.on_node_error(state, error)
    if error.node != "begin":
        return command
    assert isinstance(command.update, dict)
    return Command(update={**command.update, **cleared()}, goto=command.goto)
