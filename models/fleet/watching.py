"""Notices a server that falls silent in the middle of a call, long before the call's own time is up.

A call under way says nothing of its server: a long prompt is read in silence. So the server is looked at
beside it, as anyone may do, and given up when it leaves one look after the other unanswered.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from models.errors import ModelUnavailable
from models.fleet.hosts import BUSY_SECONDS, Host
from models.fleet.looking import looked
from models.role_settings import ResolvedModel

WATCH_EVERY = 1.0
"""Seconds between looks while a call is under way."""


@asynccontextmanager
async def watched(host: Host, model: ResolvedModel) -> AsyncIterator[None]:
    """End what is done within when the server hangs.

    Args:
        host: the server.
        model: asked of it (`model.address`).

    Raises:
        ModelUnavailable: the server hangs.
    """
    limit = asyncio.timeout(None)
    try:
        async with limit:
            watch = asyncio.create_task(_watch(host, model, limit))
            try:
                yield
            finally:
                watch.cancel()
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise ModelUnavailable(
            f"{model.address} fell silent during a call of {model.model_id}: nobody gets an answer there.",
            "Look at the server's log, or start it again.",
        ) from error


async def _watch(host: Host, model: ResolvedModel, limit: asyncio.Timeout) -> None:
    if not host.answers_busy:
        # One that never was seen to answer while busy gets the chance to show it.
        await asyncio.sleep(2 * BUSY_SECONDS)
        await looked([model], briefly=True)
    while not host.hangs:
        await asyncio.sleep(WATCH_EVERY)
        await looked([model], briefly=True)
    limit.reschedule(asyncio.get_running_loop().time())
