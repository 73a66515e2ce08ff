from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from configs.settings import Settings
from models.errors import ModelFailed
from models.roles import RoleModels
from models.selection import choose_model

pytestmark = pytest.mark.integration

SCRIPT = """
roles:
  captain: ["Aye.", "Full ahead."]
  helmsman: [{error: failed}]
default: ["Nothing to report."]
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    script = tmp_path_factory.mktemp("script") / "crew.yaml"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "evals.model_server", "--script", str(script)]
    command += ["--latency", "0.2", "--slots", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{json.loads(server.stdout.readline())['port']}"
        server.terminate()


def ask(address: str, name: str, path: str = "/api/chat") -> dict[str, Any]:
    body = {"model": name, "messages": [{"role": "user", "content": "Report."}], "stream": False}
    request = urllib.request.Request(address + path, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=20) as reply:
        told: dict[str, Any] = json.load(reply)
    return told


async def said(model: str, base_url: str) -> str:
    from langchain_core.messages import HumanMessage

    settings = Settings.model_validate({"models": {"default": {"name": model, "base_url": base_url}}})
    models = RoleModels(settings, choose_model(settings))
    try:
        return (await models.text("worker", [HumanMessage("Report.")])).text
    finally:
        await models.aclose()


async def test_both_protocols_reach_our_own_clients(address: str) -> None:
    assert await said("ollama:bosun", address) == "Nothing to report."
    assert await said("openai:bosun", f"{address}/v1") == "Nothing to report."


async def test_an_error_of_the_script_is_one_of_the_server(address: str) -> None:
    with pytest.raises(ModelFailed, match="500"):
        await said("ollama:helmsman", address)


def test_the_last_reply_is_said_again(address: str) -> None:
    heard = [ask(address, "captain")["message"]["content"] for _ in range(3)]
    assert heard == ["Aye.", "Full ahead.", "Full ahead."]


def test_calls_take_the_latency_and_wait_for_a_slot(address: str) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: ask(address, "deckhand"), range(4)))
    assert time.monotonic() - started >= 0.4, "four calls of 200 ms on two slots"
    with urllib.request.urlopen(f"{address}/stats", timeout=20) as reply:
        assert json.load(reply)["calls"]["deckhand"] == 4
    with urllib.request.urlopen(f"{address}/api/ps", timeout=20) as reply:
        assert "deckhand:latest" in [one["name"] for one in json.load(reply)["models"]]
