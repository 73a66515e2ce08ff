"""Blocking work that is not to be left half-known: a cancelled caller waits until it has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def finished(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in a thread; if the task is cancelled meanwhile, it ends first.

    Raises:
        CancelledError: the task was cancelled; the function has ended, well or with an error nobody gets.
        Exception: whatever the function raises.
    """
    working = asyncio.ensure_future(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait([working])
        if not working.cancelled():
            working.exception()  # looked at, so that asyncio does not report it as forgotten
        raise
