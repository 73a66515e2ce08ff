"""The budget all engines of a run share, in force for the master's own nodes too."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from langgraph.runtime import Runtime

from models.shared_budget import SharedBudget, spending
from nodes.collective.budgets import budget_of
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of, thread_id

Node = TypeVar("Node", bound=Callable[..., Awaitable[Any]])


async def shared_by(run_id: str, runtime: Runtime[RunContext]) -> SharedBudget:
    """The budget of a run.

    Raises:
        MemoryStoreError: its journal cannot be read.
    """
    services = await services_of(runtime)
    return await budget_of(services.root, run_id, services.settings.collective, kept=bool(thread_id()))


def sharing(node: Node) -> Node:
    """A node of a state or a task with a `run_id`, each of whose model calls is held against the budget."""

    @functools.wraps(node)
    async def within(given: Any, runtime: Runtime[RunContext]) -> Any:
        run_id = given["run_id"] if isinstance(given, dict) else given.run_id
        with spending(await shared_by(run_id, runtime)):
            return await node(given, runtime)

    return cast(Node, within)
