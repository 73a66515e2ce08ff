"""Calls that are made at once, none of which outlives the others' failure."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

Value = TypeVar("Value")


async def all_of(calls: Iterable[Coroutine[Any, Any, Value]]) -> list[Value]:
    """What all of them bring, in order.

    If one raises, or the wait is cancelled, the others are cancelled and their end is waited for:
    `asyncio.gather` alone would let them run on behind whoever asked.

    Raises:
        Exception: the first that one of them raised.
    """
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
