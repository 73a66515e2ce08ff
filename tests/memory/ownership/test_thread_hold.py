"""A hold that is taken while nobody waits for it any more."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, cast

import pytest

from memory.errors import CheckpointUnreachable
from memory.ownership.thread_hold import _taken


class SlowHold:
    """A hold at a server that answers when it is told to."""

    def __init__(self, *, fails: bool) -> None:
        self.fails = fails
        self.asked, self.answers, self.back = threading.Event(), threading.Event(), threading.Event()

    def take(self, patience: float) -> str:
        self.asked.set()
        assert self.answers.wait(10)
        if self.fails:
            raise CheckpointUnreachable("The server is away.", "Start it.")
        return ""

    def give_back(self) -> None:
        self.back.set()


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("cancels", [1, 2])
async def test_who_is_cancelled_while_it_takes_a_thread_ends_by_that_and_gives_it_back(
    fails: bool, cancels: int
) -> None:
    hold = SlowHold(fails=fails)
    waiting = asyncio.create_task(_taken(cast(Any, hold), 0.0))
    assert await asyncio.to_thread(hold.asked.wait, 10)
    for _ in range(cancels):
        waiting.cancel()
        await asyncio.sleep(0.01)
    hold.answers.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await asyncio.to_thread(hold.back.wait, 0.1 if fails else 10) is not fails
