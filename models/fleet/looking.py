"""Looks at servers, each by one thread at a time; whoever wants to know waits for the look under way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor

from models.fleet.health import look_at
from models.fleet.hosts import STATE, Host, host_at
from models.role_settings import ResolvedModel

LOOK_SECONDS = 1.0
"""Seconds a server has to say how it is."""
LONGEST_WAIT = 3 * LOOK_SECONDS + 0.5
"""Seconds a call waits for looks; a look-up of a name, which nothing bounds, may go on behind its back."""
AT_ONCE = 16

_POOL = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="model-host")
_UNDER_WAY: dict[Host, Future[None]] = {}


def begin_look(model: ResolvedModel, *, briefly: bool = False) -> Future[None]:
    """Look at a model's server, unless that is done already; the future ends when it is known how it is.

    Args:
        model: whose `address` is looked at.
        briefly: only whether it answers.
    """
    host = host_at(model.model_id.provider, model.address)
    with STATE:
        known = _UNDER_WAY.get(host)
        if known is None:
            known = _UNDER_WAY[host] = _POOL.submit(_look, host, model, briefly)
    return known


async def looked(models: Iterable[ResolvedModel], *, briefly: bool = False) -> None:
    """Wait until it is known how servers are, or for `LONGEST_WAIT`."""
    # `asyncio.wait` cancels nothing: a look goes on for others, whoever of those that wait gives up.
    looks = [asyncio.wrap_future(begin_look(model, briefly=briefly)) for model in models]
    if looks:
        done, _ = await asyncio.wait(looks, timeout=LONGEST_WAIT)
        for look in done:
            look.result()


def _look(host: Host, model: ResolvedModel, briefly: bool) -> None:
    began = time.monotonic()
    try:
        health = look_at(model, LOOK_SECONDS, briefly=briefly)
        host.looked_at(health, began, time.monotonic(), briefly=briefly)
    finally:
        with STATE:
            del _UNDER_WAY[host]
