"""Waiting for a person without stopping the loop, and without the end of the process waiting as well."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


async def beside(work: Callable[..., Result], *given: Any) -> Result:
    """Do what waits for a person in a thread of its own, which the end of the process does not wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(set_it: Callable[[Any], None], value: object) -> None:
        if not done.done():
            set_it(value)

    def run() -> None:
        how: Callable[[Any], None]
        value: object
        try:
            how, value = done.set_result, work(*given)
        except BaseException as error:  # raised again where it is waited for
            how, value = done.set_exception, error
        # A loop that is closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, how, value)

    threading.Thread(target=run, name="person", daemon=True).start()
    return await done
