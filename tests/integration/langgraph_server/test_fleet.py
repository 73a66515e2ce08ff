"""Runs of LangGraph's server on several model servers, one of which is killed while it is asked."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from tests.support.langgraph_server import served
from tests.support.model_hosts import ModelHost, paced

pytestmark = pytest.mark.integration
GOAL = "What is the capital of France?"
RUNS = 4


def is_asked(host: ModelHost) -> bool:
    """True once a call has reached it."""
    with urllib.request.urlopen(f"{host.address}/api/ps", timeout=20) as reply:
        return bool(json.load(reply)["models"])


async def test_runs_of_the_server_survive_a_model_server(tmp_path: Path) -> None:
    script = tmp_path / "town.yaml"
    script.write_text("roles: {town: ['Paris.']}")
    with paced(script, latency=3.0) as one, paced(script, latency=3.0) as other, served(tmp_path) as server:
        (tmp_path / ".reflect").mkdir(exist_ok=True)
        context = {
            "root": str(tmp_path),
            "model": "ollama:town",
            "settings": {"models.default.base_urls": [one.address, other.address]},
        }
        async with get_client(url=server.url) as client:
            runs: Any = [
                asyncio.ensure_future(
                    client.runs.wait(None, "reflective", input={"goal": GOAL}, context=context)  # type: ignore[arg-type]  # any mapping
                )
                for _ in range(RUNS)
            ]
            async with asyncio.timeout(120):
                while not (await asyncio.to_thread(is_asked, one)):
                    await asyncio.sleep(0.1)
            one.kill()
            finals = await asyncio.gather(*runs)
        log = (tmp_path / "server.log").read_text()
    assert [final["status"] for final in finals] == ["answered"] * RUNS
    assert all("Paris" in final["final_answer"] for final in finals)
    told = [note for final in finals for note in final["notes"]]
    assert any(one.address in note and other.address in note for note in told), told
    assert "BlockingError" not in log
