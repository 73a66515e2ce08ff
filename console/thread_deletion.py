"""Threads that LangGraph's development server deletes, one after the other.

Its `Threads.delete` looks up where a thread stands in a list, waits for the checkpointer, and removes what
stands there by then (ops.py of langgraph-runtime-inmem 0.36.7). Two deletions that overlap shift each other's
places: a thread nobody asked to delete is gone, and who waits for its run waits for ever. Runs without a
thread, as `/mcp` begins them, end with such a deletion each.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

RUNTIME = "langgraph_runtime_inmem.ops"

# A lock belongs to the loop it is first waited for on; the server may have a loop for each run.
_turns: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = weakref.WeakKeyDictionary()


def delete_threads_in_turn() -> None:
    """Have the runtime delete one thread at a time; nothing changes without it, or the second time."""
    try:
        threads = importlib.import_module(RUNTIME).Threads
    except ModuleNotFoundError:
        return  # LangGraph's other runtimes keep threads in a database.
    if not hasattr(threads.delete, "__wrapped__"):
        threads.delete = staticmethod(in_turn(threads.delete))


def in_turn(delete: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A function that begins when those it was called for before have ended, on the same loop."""

    @functools.wraps(delete)
    async def waiting(*args: Any, **named: Any) -> Any:
        async with _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            return await delete(*args, **named)

    return waiting
