"""What becomes of an exception in a contractive node: an honest end, with the best answer so far."""

from __future__ import annotations

import logging
from typing import get_args

from langgraph.errors import NodeError
from langgraph.graph import END
from langgraph.types import Command

from nodes.contractive.advance import Operation
from nodes.contractive.begin import anew
from nodes.contractive.state import ContractiveState
from nodes.reflective.failure import describe, stop_reason_of
from nodes.reflective.state import dump

log = logging.getLogger(__name__)


async def on_node_error(state: ContractiveState, error: NodeError) -> Command[str]:
    """Record the failure and go to ADVANCE, where the tasks of a step meet; from there to ANSWER.

    A run that could not begin has no answer: what the thread holds belongs to the question before.
    """
    before = anew(state) if error.node == "begin" else {}
    return Command(update={**before, **_failed(error)}, goto="advance" if error.node in TASKS else "answer")


async def on_answer_error(state: ContractiveState, error: NodeError) -> Command[str]:
    """ANSWER itself failed: what the tree holds stays in the state, and nothing is claimed."""
    return Command(update={**_failed(error), "status": "error"}, goto=END)


TASKS = frozenset(get_args(Operation))


def _failed(error: NodeError) -> dict[str, object]:
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    return dump(
        failure=failure, stop_reason="timeout" if stop_reason_of(error.error) == "timeout" else "error"
    )
