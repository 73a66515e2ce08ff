"""What becomes of an exception in a node: a failure in the state, and an answer that says so."""

from __future__ import annotations

import logging

from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.types import Command

from configs.errors import ReflectError
from models.errors import ModelError
from nodes.reflective.state import Failure, ReasoningState, add_usage, dump

log = logging.getLogger(__name__)


async def on_node_error(state: ReasoningState, error: NodeError) -> Command[str]:
    """Record the failure and go to RESPOND, so that an answer always comes back."""
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    update = dump(failure=failure, stop_reason="error", last_error=failure.what)
    if isinstance(error.error, ModelError) and error.error.usage is not None:
        update |= dump(usage=add_usage(state, error.error.usage.role, error.error.usage))
    return Command(update=update, goto="respond")


def describe(node: str, error: BaseException) -> Failure:
    """A failure in words: ours as they word themselves, others by type."""
    if isinstance(error, ReflectError):
        return Failure(
            node=node, kind=type(error).__name__, what=error.what, remedy=error.remedy, environmental=True
        )
    if isinstance(error, NodeTimeoutError | TimeoutError):
        return Failure(
            node=node,
            kind="timeout",
            what=f"{node.upper()} took longer than its limit.",
            remedy="Raise the model's timeout or graph.timeout_per_step, or use a smaller model.",
            environmental=True,
        )
    if isinstance(error, OSError):
        return Failure(
            node=node,
            kind=type(error).__name__,
            what=f"{node.upper()} met a system error: {error}.",
            remedy="Check free space and permissions of the project's .reflect directory.",
            environmental=True,
        )
    return Failure(
        node=node,
        kind=type(error).__name__,
        what=f"{node.upper()} failed unexpectedly: {type(error).__name__}: {error}",
        remedy="This is a defect; the log holds the details.",
    )
