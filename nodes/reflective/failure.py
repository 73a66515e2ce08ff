"""What becomes of an exception in a node: a failure in the state, and an answer that says so."""

from __future__ import annotations

import logging

from langgraph.errors import NodeCancelledError, NodeError, NodeTimeoutError
from langgraph.graph import END
from langgraph.types import Command

from configs.errors import ReflectError
from models.errors import ModelError, ModelTimeout
from nodes.errors import AfterChange, NodeOverdue
from nodes.reflective.state import Failure, ReasoningState, StopReason, add_usage, dump

log = logging.getLogger(__name__)


async def on_node_error(state: ReasoningState, error: NodeError) -> Command[str]:
    """Record the failure and go to RESPOND, so that an answer always comes back."""
    failure = _told(error)
    update = dump(failure=failure, stop_reason=stop_reason_of(error.error), last_error=failure.what)
    if isinstance(error.error, ModelError) and error.error.usage is not None:
        update |= dump(usage=add_usage(state, error.error.usage.role, error.error.usage))
    return Command(update=update, goto="respond")


async def on_respond_error(state: ReasoningState, error: NodeError) -> Command[str]:
    """RESPOND itself failed: the least answer there can be, which claims nothing but that."""
    failure = state.failure or _told(error)
    reason = stop_reason_of(error.error) if state.failure is None else (state.stop_reason or "error")
    # What a run changed is read from its journal by RESPOND, which is what failed.
    unlisted = (
        "What was changed before is not listed here; look at the files." if state.asks_for_change else ""
    )
    parts = [f"I could not answer this. {failure.what}", unlisted, failure.remedy]
    return Command(
        update=dump(
            failure=failure,
            stop_reason=reason,
            last_error=failure.what,
            status="error",
            final_answer="\n\n".join(part for part in parts if part),
            confidence=0.0,
            iterations=state.iterations + 1,
        ),
        goto=END,
    )


def stop_reason_of(error: BaseException) -> StopReason:
    """Timeout when something took too long, else error."""
    if isinstance(error, AfterChange) and error.__cause__ is not None:
        return stop_reason_of(error.__cause__)
    late = isinstance(error, NodeOverdue | ModelTimeout | NodeTimeoutError | TimeoutError)
    return "timeout" if late else "error"


def _told(error: NodeError) -> Failure:
    failure = describe(error.node, error.error)
    if not failure.environmental:
        log.error("node %s raised", error.node, exc_info=error.error)
    return failure


def describe(node: str, error: BaseException) -> Failure:
    """A failure in words: ours as they word themselves, others by type."""
    if isinstance(error, AfterChange) and error.__cause__ is not None:
        return describe(node, error.__cause__)
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
    if isinstance(error, NodeCancelledError):
        return Failure(
            node=node,
            kind="cancelled",
            what=f"{node.upper()} was cancelled from inside, by a library it uses.",
            remedy="Run it again; if it stays, the log of the server or model says more.",
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
