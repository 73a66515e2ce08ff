"""Changes that are cut off while they are written down."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from memory.effects import Effect, EffectJournal, Slot
from nodes.reflective.effects import Effects
from tools.protocol import Preview, ToolCall

SLOT = Slot("t", "task", 1, "hash", "r")


class SlowJournal(EffectJournal):
    """Its disk answers when it is told to."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.asked, self.answers = threading.Event(), threading.Event()

    def begin(self, slot: Slot, call: dict[str, Any], after: str | None = None) -> Effect:
        begun = super().begin(slot, call, after)
        self.asked.set()
        assert self.answers.wait(10)
        return begun


@pytest.mark.parametrize("cancels", [1, 2])
async def test_a_run_that_is_cancelled_while_it_writes_an_intent_leaves_none(
    tmp_path: Path, cancels: int
) -> None:
    journal = SlowJournal(tmp_path / "effects.sqlite")
    effects = Effects(cast(Any, None), journal, "t", "task", "yes", frozenset(), 1.0, False, "r")
    call, preview = (
        ToolCall(tool="write_file", args={}),
        Preview(tool="write_file", kind="file", summary="", fingerprint=""),
    )
    beginning = asyncio.create_task(effects._run(SLOT, call, preview))
    assert await asyncio.to_thread(journal.asked.wait, 10)
    for _ in range(cancels):
        beginning.cancel()
        await asyncio.sleep(0.01)
    journal.answers.set()
    with pytest.raises(asyncio.CancelledError):
        await beginning
    async with asyncio.timeout(10):
        while journal.of_thread("t"):
            await asyncio.sleep(0.01)
    assert journal.begin(SLOT, {"tool": "write_file"}).state == "intent"
