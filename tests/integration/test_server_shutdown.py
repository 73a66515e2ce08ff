"""A server asked to end in the middle of a run ends soon, and the thread is gone on with later."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from evals.fixture_repository import build_fixture_repository
from tests.support.langgraph_server import served
from tests.support.processes import wait_until
from tests.tools.places import living

pytestmark = pytest.mark.integration
GOAL = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
HOLE = "served-hole.bin"
PLAN = {
    "objective": "look",
    "steps": [
        {"description": "find the ship", "command": "grep Boreas data/ships.csv"},
        {"description": "sum", "command": f"sha256sum data/ships.csv {HOLE}"},
    ],
}
ROLES = {
    "classifier": [{"complexity": "moderate"}],
    "planner": [PLAN],
    "worker": [f"data/ships.csv and {HOLE} were summed."],
    "verifier": [{"passed": True, "reason": "so it says", "confidence": 0.9}],
}


async def test_a_server_that_ends_stops_its_tools_and_the_thread_goes_on_later(tmp_path: Path) -> None:
    project = build_fixture_repository(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    with (project / HOLE).open("wb") as stream:
        stream.truncate(2**36)
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"roles": ROLES, "repeat_last": True}), "utf-8")
    context: Any = {"root": str(project), "model": f"scripted:{script}"}
    thread = "0b9e6f0e-6f1a-4c58-9a55-7a2a3c5c9d10"
    with served(home) as running:
        process = running.process
        async with get_client(url=running.url) as client:
            await client.threads.create(thread_id=thread)
            await client.runs.create(thread, "reflective", input={"goal": GOAL}, context=context)
            assert await asyncio.to_thread(wait_until, 60, lambda: living(HOLE))
        process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        await asyncio.to_thread(process.wait, 60)
        ended = time.monotonic() - begun
    assert living(HOLE) == [], f"the tool outlived the server, which ended after {ended:.1f} s"
    (project / HOLE).write_bytes(b"")
    with served(home) as running:
        async with get_client(url=running.url) as client:
            try:
                await client.threads.create(thread_id=thread)
            except httpx.HTTPStatusError as error:
                # The server's own registry may have been written before it ended.
                assert error.response.status_code == 409
            await client.runs.wait(thread, "reflective", input=None, context=context)
            values: Any = (await client.threads.get_state(thread))["values"]
    assert (values["status"], values["stop_reason"]) == ("answered", "success"), values["final_answer"]
    assert [step["status"] for step in values["plan"]["steps"]] == ["success", "success"]
