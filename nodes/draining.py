"""Nodes that stop when their run is drained.

LangGraph looks at a drain request between two steps only. A node that waits for a tool or a model would keep
a server that shuts down waiting with it, so a drained node is cancelled, which kills what it runs; nothing it
did is written as a step, and the thread goes on with it when it is resumed.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from langgraph.errors import GraphDrained
from langgraph.runtime import Runtime

from nodes.telemetry import visited

# Seconds between looks: a child is to be dead within 0.3 s of the request.
LOOK_SECONDS = 0.05

Node = TypeVar("Node", bound=Callable[..., Awaitable[Any]])


def drainable(node: Node) -> Node:
    """The node, an async function of state and runtime, cancelled as soon as its run is asked to drain.

    It then raises GraphDrained, and the run can be resumed.
    """

    @functools.wraps(node)
    async def watched(state: Any, runtime: Runtime[Any]) -> Any:
        with visited():
            return await until_drained(state, runtime)

    async def until_drained(state: Any, runtime: Runtime[Any]) -> Any:
        control = runtime.control
        if control is None:
            return await node(state, runtime)
        working = asyncio.ensure_future(node(state, runtime))
        try:
            while not working.done():
                await asyncio.wait({working}, timeout=LOOK_SECONDS)
                if control.drain_requested and not working.done():
                    raise GraphDrained(control.drain_reason or "shutdown")
        finally:
            if not working.done():
                working.cancel()
                # Its children are killed on the way, so its end is waited for, however it ends.
                await asyncio.wait({working})
        return working.result()

    return cast(Node, watched)
