"""An engine as a node of another graph: an assignment goes in, a finding comes out, whatever happens to it.

The engine is a compiled graph, run below the node that calls it: its checkpoints lie in the same thread, in a
namespace of their own, so a run that was killed goes on in the middle of it, and whoever streams the run with
`subgraphs=True` sees its events by that namespace. An exception in it is a finding that says so; the others
go on. What it asks a person is asked of the person who runs the whole.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from models.shared_budget import SharedBudget
from nodes.collective.budgets import place_of, sharing
from nodes.collective.exchange import Assignment, Finding
from nodes.errors import ChildOverdue
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.failure import describe
from nodes.reflective.services import close_models_of, named_below, services_of, thread_id

log = logging.getLogger(__name__)

Run: TypeAlias = Callable[[Assignment, Runtime[RunContext]], Awaitable[Finding]]
ChildNode: TypeAlias = Callable[[Mapping[str, Any], Runtime[RunContext]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Engine:
    """A compiled graph, and how an assignment is put to it.

    Attributes:
        graph: anything with LangGraph's `ainvoke(input, context=...)`.
        start: the graph's input.
        read: what its final state comes to.
    """

    graph: Any
    start: Callable[[Assignment], dict[str, Any]]
    read: Callable[[Assignment, Mapping[str, Any]], Finding]

    async def run(self, assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
        """Run the graph below the node that calls this."""
        context = chosen(runtime.context or RunContext(), assignment)
        values = await self.graph.ainvoke(self.start(assignment), context=context)
        return self.read(assignment, values)


def chosen(context: RunContext, assignment: Assignment) -> RunContext:
    """The caller's choices, with the settings of the assignment before them."""
    if not assignment.settings:
        return context
    return context.model_copy(update={"settings": {**context.settings, **assignment.settings}})


def child(run: Run) -> ChildNode:
    """A node that lets one engine answer one assignment, sent to it as JSON.

    It returns `{"findings": {id: finding}}`, and raises nothing but what asks a person or ends the run.

    Args:
        run: how the engine is run, such as `Engine.run`.
    """

    async def node(given: Mapping[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
        # LangGraph hands over what was sent as it is; in checkpoints that is JSON.
        assignment = Assignment.model_validate(given)
        namespace = str(get_config().get("configurable", {}).get("checkpoint_ns") or "")
        progress(
            "child",
            id=assignment.id,
            worker=assignment.worker,
            question=assignment.question,
            namespace=namespace,
        )
        finding = await _isolated(run, assignment, runtime)
        progress("child_done", id=finding.id, worker=finding.worker, status=finding.status)
        return {"findings": {finding.id: finding.model_dump(mode="json")}}

    return node


async def _isolated(run: Run, assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
    """The finding, or one that says what kept the engine from it."""
    try:
        return await _within_budget(run, assignment, runtime)
    except GraphBubbleUp:
        # A person is asked, or the run is drained: that is the whole run's affair.
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return failed(assignment, error)
    except Exception as error:
        return failed(assignment, error)


async def _within_budget(run: Run, assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
    """Run the engine with what all of them share.

    Raises:
        ChildOverdue: the time they share was over.
    """
    services = await services_of(runtime)
    context = chosen(runtime.context or RunContext(), assignment)
    async with sharing(services, assignment.run_id) as budget, place_of(assignment.run_id):
        limit = asyncio.timeout(budget.seconds_left)
        # Runs without a thread have nothing else to be told apart by, if several are at work.
        with named_below(assignment.id if thread_id() else f"{assignment.run_id}-{assignment.id}"):
            try:
                async with limit:
                    return await run(assignment, runtime.override(context=context))
            except TimeoutError as error:
                if not limit.expired():
                    raise
                raise _overdue(assignment, budget) from error
            finally:
                # An engine that ends before its own end leaves its connections open.
                await close_models_of(context)


def _overdue(assignment: Assignment, budget: SharedBudget) -> ChildOverdue:
    return ChildOverdue(
        f"{assignment.worker} was ended: the {budget.allowance.seconds:g} s all engines share were over.",
        "Raise collective.run_timeout_sec.",
    )


def failed(assignment: Assignment, error: BaseException) -> Finding:
    """A finding of an engine that raised."""
    failure = describe(assignment.worker, error)
    if not failure.environmental:
        log.error("engine %s (%s) raised", assignment.worker, assignment.id, exc_info=error)
    return Finding(
        id=assignment.id,
        worker=assignment.worker,
        question=assignment.question,
        status="error",
        failure=failure,
        notes=[failure.what],
    )
