"""A server asked to end in the middle of a run ends soon, and the thread is gone on with later."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from evals.fixture_repository import build_fixture_repository
from tests.integration.test_langgraph_server import answers
from tests.support.processes import ROOT, free_port, stop, wait_until
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


@contextmanager
def served(home: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    config = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    (home / "langgraph.json").write_text(json.dumps(config | {"dependencies": [str(ROOT)]}), "utf-8")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "LANGSMITH"))
    }
    environment = kept | {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    program = shutil.which("langgraph", path=str(Path(sys.executable).parent)) or "langgraph"
    command = [program, "dev", "--no-browser", "--no-reload", "--port", str(port), "--host", "127.0.0.1"]
    with (home / "server.log").open("a") as log:
        process = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log, text=True)
        try:
            ready = wait_until(90, lambda: answers(f"http://127.0.0.1:{port}") or process.poll() is not None)
            assert ready and process.poll() is None, (home / "server.log").read_text()[-3000:]
            yield process
        finally:
            stop(process)


async def test_a_server_that_ends_stops_its_tools_and_the_thread_goes_on_later(tmp_path: Path) -> None:
    project = build_fixture_repository(tmp_path / "project")
    home, port = tmp_path / "home", free_port()
    home.mkdir()
    with (project / HOLE).open("wb") as stream:
        stream.truncate(2**36)
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"roles": ROLES, "repeat_last": True}), "utf-8")
    context: Any = {"root": str(project), "model": f"scripted:{script}"}
    thread = "0b9e6f0e-6f1a-4c58-9a55-7a2a3c5c9d10"
    with served(home, port) as process:
        async with get_client(url=f"http://127.0.0.1:{port}") as client:
            await client.threads.create(thread_id=thread)
            await client.runs.create(thread, "reflective", input={"goal": GOAL}, context=context)
            assert await asyncio.to_thread(wait_until, 60, lambda: living(HOLE))
        process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        await asyncio.to_thread(process.wait, 60)
        ended = time.monotonic() - begun
    assert living(HOLE) == [], f"the tool outlived the server, which ended after {ended:.1f} s"
    (project / HOLE).write_bytes(b"")
    with served(home, port):
        async with get_client(url=f"http://127.0.0.1:{port}") as client:
            try:
                await client.threads.create(thread_id=thread)
            except httpx.HTTPStatusError as error:
                # The server's own registry may have been written before it ended.
                assert error.response.status_code == 409
            await client.runs.wait(thread, "reflective", input=None, context=context)
            values: Any = (await client.threads.get_state(thread))["values"]
    assert (values["status"], values["stop_reason"]) == ("answered", "success"), values["final_answer"]
    assert [step["status"] for step in values["plan"]["steps"]] == ["success", "success"]
