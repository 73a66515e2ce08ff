"""What becomes of an exception in a node of a game: an honest end, which is never a win."""

from __future__ import annotations

import logging
from typing import Any

from langgraph.errors import NodeError
from langgraph.graph import END
from langgraph.types import Command

from nodes.reflective.failure import describe
from nodes.reflective.state import dump
from nodes.tutor.begin import anew
from nodes.tutor.state import TutorState

log = logging.getLogger(__name__)


async def on_node_error(state: TutorState, error: NodeError) -> Command[str]:
    """Record the failure and go to FINISH. A game that could not begin holds nothing of the one before."""
    kept = TutorState(
        game=state.game, seed=state.seed, goal=state.goal, targets=state.targets, about=state.about
    )
    before = anew(kept) if error.node == "begin" else {}
    return Command(update={**before, **_failed(error)}, goto="finish")


async def on_finish_error(state: TutorState, error: NodeError) -> Command[str]:
    """FINISH itself failed: what was played stays in the state, and nothing is claimed."""
    lost: dict[str, Any] = {"status": "error", "ended": None, "answer": [], "justification": 0.0}
    return Command(update={**_failed(error), **lost}, goto=END)


def _failed(error: NodeError) -> dict[str, Any]:
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    return dump(failure=failure)
