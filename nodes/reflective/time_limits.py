"""How long a node may take: what its calls may take by the settings, added up, or `graph.timeout_per_node`.

Every call has a limit of its own already, a model's `timeout` or a step's. This one ends a visit that hangs
elsewhere: on a disk, a lock, a library. LangGraph's own `timeout=` is fixed when a graph is compiled, knows
no settings, and goes on to the error handler while the node is still being cancelled; here the answer waits
until the node has ended, so it never says that nothing was changed while something is.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from langgraph.runtime import Runtime

from configs.settings import ModelSettings, Role, Settings
from models.role_settings import ROLES
from nodes.errors import NodeOverdue

# For what is neither a model nor a tool: settings, memory, embedding, look-ups below the root.
OWN_SECONDS = 60.0
# A question is asked again when its reply does not fit, and a fallback may have to answer in the model's
# place.
CALLS_PER_QUESTION = 4

Node = TypeVar("Node", bound=Callable[..., Awaitable[Any]])
_deadline: ContextVar[tuple[str, asyncio.Timeout, float] | None] = ContextVar("deadline", default=None)


def seconds_of(node: str, settings: Settings) -> float:
    """Seconds a visit to a node may take. Pure.

    Args:
        node: its name.
        settings: of the run.
    """
    graph = settings.graph
    if graph.timeout_per_node is not None:
        return graph.timeout_per_node
    asked: dict[str, tuple[Role, float]] = {
        "classify": ("classifier", 1),
        "plan": ("planner", graph.max_plan_retries + 1),
        "direct_exec": ("planner", graph.max_plan_retries + 2),
        "execute": ("planner", graph.max_plan_retries + 1),
        "reflect": ("planner", graph.max_plan_retries + 3),
        "verify": ("verifier", 2),
    }
    tools = {
        "direct_exec": 2 * graph.timeout_per_step,
        "execute": graph.timeout_per_step,
        "reflect": settings.reflect.max_commands * settings.reflect.shell_timeout,
    }
    role, questions = asked.get(node, ("worker", 0))
    return OWN_SECONDS + questions * CALLS_PER_QUESTION * _longest_call(settings) + tools.get(node, 0.0)


def _longest_call(settings: Settings) -> float:
    """Seconds the slowest role's model may take for one call."""
    models = settings.models
    own: list[ModelSettings] = [getattr(models, role) for role in ROLES]
    named = [one.timeout for one in (*own, *models.tuning.values()) if one.timeout is not None]
    return max([models.default.timeout, *named])


def timed(name: str, node: Node) -> Node:
    """The node, an async function of state and runtime, cancelled when its time is up; its end is waited for.

    Until its settings are known (`settings_known`) it has `OWN_SECONDS`.

    Raises:
        NodeOverdue: its time was up.
    """

    @functools.wraps(node)
    async def bounded(state: Any, runtime: Runtime[Any]) -> Any:
        begun = asyncio.get_running_loop().time()
        limit = asyncio.timeout_at(begun + OWN_SECONDS)
        token = _deadline.set((name, limit, begun))
        try:
            async with limit:
                return await node(state, runtime)
        except TimeoutError as error:
            if not limit.expired():
                raise
            seconds = asyncio.get_running_loop().time() - begun
            raise NodeOverdue(
                f"{name.upper()} took longer than its limit of {seconds:.0f} seconds, and was ended.",
                "Raise graph.timeout_per_node or the model's timeout, or use a smaller model.",
            ) from error
        finally:
            _deadline.reset(token)

    return cast(Node, bounded)


def settings_known(settings: Settings) -> None:
    """Give the running node the time its settings say, counted from its beginning."""
    found = _deadline.get()
    if found is None:
        return
    name, limit, begun = found
    if not limit.expired():
        limit.reschedule(begun + seconds_of(name, settings))
