"""How many calls run at once, and how each is ended: by its client, or with the server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from langgraph.runtime import RunControl

from configs.errors import ReflectError, RunEnded, UsageError

# Each run has its checkpoints open and programs at work, and a model on one machine answers a few prompts at
# a time: more at once would only run into one another's time limits.
MOST_AT_ONCE = 4
MOST_WAITING = 64
# Seconds. A drained run takes a twentieth of one to notice, and then kills its programs.
LONGEST_END = 5.0

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


class Calls:
    """The calls of a server.

    Args:
        most: calls at once; further ones wait for their turn.
    """

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._turns = asyncio.Semaphore(most)
        self._running: dict[asyncio.Task[object], RunControl | None] = {}
        self._inside = 0
        self._most_inside = most + MOST_WAITING
        self._ended_by = ""

    async def run(
        self,
        work: Callable[[], Awaitable[Result]],
        control: RunControl | None,
        tell: Callable[[str], None],
    ) -> Result:
        """Do the work of a call, in its turn.

        It is a task of its own: whoever waits for it may be cancelled. Then the run is drained, which ends
        its programs and leaves its thread where it can be gone on with; its end is waited for.

        Args:
            work: the call.
            control: drains it; None for work that has no thread, and is just cancelled.
            tell: tells the client what it waits for.

        Raises:
            UsageError: too many calls wait already.
            RunEnded: the server ends.
        """
        if self._inside >= self._most_inside:
            raise UsageError(
                f"{self._inside} calls are running or waiting already.", "Call again once some of them ended."
            )
        self._inside += 1
        try:
            if self._turns.locked():
                tell(f"waits for its turn: {len(self._running)} calls are running")
            async with self._turns:
                return await self._done(work, control)
        finally:
            self._inside -= 1

    async def _done(self, work: Callable[[], Awaitable[Result]], control: RunControl | None) -> Result:
        if self._ended_by:
            raise RunEnded(f"The server is ended by {self._ended_by}.", "Start it, and call again.")
        task = asyncio.ensure_future(work())
        self._running[task] = control
        try:
            await asyncio.wait({task})
        finally:
            if not task.done():
                await _end(task, control, "its client")
            del self._running[task]
        if task.cancelled():
            raise RunEnded(f"The call was ended by {self._ended_by}.", "Call again.")
        return task.result()

    async def end(self, reason: str) -> None:
        """End all calls, those that run and those that wait; each still gives a result.

        Args:
            reason: what ends the server.
        """
        self._ended_by = reason
        running = dict(self._running)
        await asyncio.gather(*(_end(task, control, reason) for task, control in running.items()))


async def _end(task: asyncio.Task[object], control: RunControl | None, reason: str) -> None:
    """Drain a run and wait for its end; one that does not see to it is cancelled."""
    # The protocol's own cancellation comes again at every wait that is not shielded from it.
    with anyio.CancelScope(shield=True):
        if control is not None:
            control.request_drain(reason)
            await asyncio.wait({task}, timeout=LONGEST_END)
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=LONGEST_END)
    if not task.done() or task.cancelled():
        return
    error = task.exception()
    if isinstance(error, ReflectError):
        _log.warning("%s %s", error.what, error.remedy)
    elif error is not None:
        _log.error("A call failed while it was ended.", exc_info=error)
