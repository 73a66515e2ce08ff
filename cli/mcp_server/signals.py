"""SIGTERM and Ctrl-C: who waits for them is told which it was."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

# As shells count them: 128 and the number of the signal.
EXIT_BY_SIGNAL = {"SIGTERM": 143, "SIGINT": 130}


@contextmanager
def awaited_signals() -> Iterator[asyncio.Future[str]]:
    """Gives what is done once the process is asked to end: the name of the signal."""
    loop = asyncio.get_running_loop()
    asked: asyncio.Future[str] = loop.create_future()

    def settle(name: str) -> None:
        if not asked.done():
            asked.set_result(name)

    for name in EXIT_BY_SIGNAL:
        loop.add_signal_handler(signal.Signals[name], settle, name)
    try:
        yield asked
    finally:
        for name in EXIT_BY_SIGNAL:
            loop.remove_signal_handler(signal.Signals[name])
        asked.cancel()
