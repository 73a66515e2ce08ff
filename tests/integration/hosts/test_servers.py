"""Two of LangGraph's servers over one Postgres: one goes on with what the other was killed at."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from memory.effects import EffectJournal
from tests.integration.langgraph_server.conftest import scripted
from tests.integration.langgraph_server.test_kill import GIVEN, STEPS, WRITING
from tests.support.langgraph_server import served
from tests.support.processes import wait_until
from tests.tools.places import living

pytestmark = pytest.mark.integration
HOLE = "hosts-hole.bin"


async def test_a_run_one_server_was_killed_at_is_ended_by_another_and_its_change_not_made_again(
    database: str, root: Path, tmp_path: Path, open_journal: Callable[[], EffectJournal]
) -> None:
    with (root / HOLE).open("wb") as stream:
        stream.truncate(2**36)
    steps = [STEPS[0], {**STEPS[1], "args": {"paths": [HOLE]}}]
    model = scripted(tmp_path, {**WRITING, "planner": [{"objective": "x", "steps": steps}]})
    context: Any = {"root": str(root), "model": model, "approval": "yes"}
    homes = [tmp_path / "first", tmp_path / "second"]
    for home in homes:
        home.mkdir()
    named = {"THE_URL": database, "REFLECT_CHECKPOINTS__URL_ENV": "THE_URL"}
    with served(homes[0], **named) as first:
        async with get_client(url=first.url) as client:
            thread = (await client.threads.create())["thread_id"]
            await client.runs.create(
                thread, "reflective", input=GIVEN["reflective"], context=context, durability="sync"
            )
            assert await asyncio.to_thread(wait_until, 60, lambda: living(HOLE))
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
    assert await asyncio.to_thread(wait_until, 20, lambda: not living(HOLE))
    (root / HOLE).write_bytes(b"")
    # Whoever writes it a second time is found out.
    (root / "new.txt").write_text("mine by now\n", "utf-8")
    with served(homes[1], **named) as second:
        async with get_client(url=second.url) as client:
            await client.threads.create(thread_id=thread, graph_id="reflective")
            await client.runs.wait(thread, "reflective", input=None, context=context)
            state: Any = (await client.threads.get_state(thread))["values"]
    assert (state["status"], state["stop_reason"]) == ("answered", "success"), state["failure"]
    assert (root / "new.txt").read_text() == "mine by now\n"
    assert [effect.state for effect in open_journal().of_thread(thread)] == ["done"]
    assert not (root / ".reflect" / "effects.sqlite").exists()
