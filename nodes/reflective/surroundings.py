"""What runs about one root share while none of them changes a file: looked up, or thought through, once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Made = TypeVar("Made")


@dataclass
class Surroundings:
    """What several runs need to know of a root, of one event loop.

    Attributes:
        known: by its key, as it is being found out or was.
    """

    known: dict[Hashable, asyncio.Future[Any]] = field(default_factory=dict)

    async def once(
        self,
        key: Hashable,
        find_out: Callable[Given, Awaitable[Made]],
        *args: Given.args,
        **more: Given.kwargs,
    ) -> Made:
        """What is known by a key; the first that asks finds it out, unless whoever did so failed."""
        known = self.known.get(key)
        if known is None or known.cancelled() or _failed(known):
            known = self.known[key] = asyncio.ensure_future(find_out(*args, **more))
        # Whoever is cancelled while they wait leaves the work to the others.
        found: Made = await asyncio.shield(known)
        return found


_surroundings: ContextVar[Surroundings | None] = ContextVar("surroundings", default=None)


def surroundings() -> Surroundings | None:
    """What this run shares with others; None for a run by itself."""
    return _surroundings.get()


@contextmanager
def looking_around(shared: Surroundings) -> Iterator[None]:
    """Share what is found out of a root among runs begun within, none of which may change a file.

    Args:
        shared: of one root and one event loop.
    """
    token = _surroundings.set(shared)
    try:
        yield
    finally:
        _surroundings.reset(token)


def _failed(look_up: asyncio.Future[Any]) -> bool:
    return look_up.done() and look_up.exception() is not None
