"""The console's own routes within LangGraph's server, beside runs that write what the routes read."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from evals.fixture_repository import build_fixture_repository
from tests.support.processes import ROOT, free_port, ollama_server, reflect, stop, wait_until

pytestmark = pytest.mark.integration
GOAL = "Which python file has the most lines?"
ANSWER = "The longest of the 10 *.py files is src/harbour/cli.py, with 49 lines."
PLANNED = "which captain's ship is Boreas moored with, judging by flag, in data/ships.csv"
STEP = {"description": "find the ship", "command": "grep Boreas data/ships.csv"}
ROLES = {
    "classifier": [{"complexity": "moderate"}],
    "planner": [{"objective": "look", "steps": [STEP]}],
    "worker": ["Boreas stands in data/ships.csv."],
    "verifier": [{"passed": True, "reason": "so it says", "confidence": 0.9}],
}
APP = """from starlette.applications import Starlette
from console.api.routes import ROUTES
app = Starlette(routes=ROUTES)
"""
TOOL_SERVER = ROOT / "tests" / "support" / "mcp_tool_server.py"


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ok", timeout=1).status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server with these routes, as langgraph.json says or by themselves; its address and directory."""
    home = tmp_path_factory.mktemp("server")
    config = json.loads((ROOT / "langgraph.json").read_text("utf-8")) | {"dependencies": [str(ROOT)]}
    config.setdefault("http", {"app": "routes_alone:app"})
    (home / "langgraph.json").write_text(json.dumps(config), "utf-8")
    (home / "routes_alone.py").write_text(APP, "utf-8")
    (home / ".reflect").mkdir()
    # A server of the user's own, which `checks` asks for its tools.
    command = [sys.executable, str(TOOL_SERVER), str(home)]
    (home / ".reflect" / "config.yaml").write_text(
        json.dumps({"mcp": {"servers": {"weather": {"command": command}}}}), "utf-8"
    )
    port = free_port()
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "LANGSMITH"))
    }
    environment = kept | {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "HOME": str(home)}
    environment["PYTHONPATH"] = f"{ROOT}{os.pathsep}{home}"
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    program = shutil.which("langgraph", path=str(Path(sys.executable).parent)) or "langgraph"
    arguments = ["dev", "--no-browser", "--no-reload", "--port", str(port), "--host", "127.0.0.1"]
    arguments += ["--n-jobs-per-worker", "4"]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(
            [program, *arguments],
            cwd=home,
            env=environment,
            stdout=log,
            stderr=log,
            text=True,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            started = wait_until(90, lambda: answers(url) or process.poll() is not None)
            assert started and process.poll() is None, (home / "server.log").read_text()[-3000:]
            yield url, home
        finally:
            stop(process)


async def read(url: str, path: str, **asked: str) -> Any:
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.get(f"{url}/console/api/{path}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json() if answer.headers["content-type"].startswith("application/json") else answer.text


async def test_routes_are_read_while_runs_write_what_they_read(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, home = server
    project = build_fixture_repository(tmp_path_factory.mktemp("served"))
    root, context = str(project), {"root": str(project), "model": "embedded"}
    paths = ("threads", "experience", "about", "settings", "models")
    async with get_client(url=url) as client:
        threads = [(await client.threads.create())["thread_id"] for _ in range(4)]
        waits = [
            client.runs.wait(one, "reflective", input={"goal": GOAL}, context=context) for one in threads
        ]
        running = asyncio.gather(*waits)
        seen = 0
        while not running.done():
            for told in await asyncio.gather(*(read(url, path, root=root) for path in paths)):
                seen += bool(told)
        finals: list[Any] = list(await running)
    assert {final["final_answer"] for final in finals} == {ANSWER} and seen >= len(paths)
    listed = (await read(url, "threads", root=root))["threads"]
    assert {one["id"] for one in listed} == set(threads)
    assert {(one["graph"], one["standing"], one["root"], one["served"]) for one in listed} == {
        ("reflective", "answered", root, True)
    }
    assert root in (await read(url, "about"))["roots"]
    newest = (await read(url, "experience", root=root))["records"]
    assert {one["goal"] for one in newest} == {GOAL} and len(newest) == len(threads)
    for thread in threads:
        assert (await read(url, f"threads/{thread}", root=root))["has_trace"]
        assert "cli.py, with 49 lines" in await read(url, f"threads/{thread}/report", root=root)
        assert GOAL in await read(url, f"threads/{thread}/trace", root=root)


async def test_a_thread_of_the_command_line_is_read_beside_the_servers(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, home = server
    project = build_fixture_repository(tmp_path_factory.mktemp("both"))
    script = home / "script.yaml"
    script.write_text(json.dumps({"roles": ROLES, "repeat_last": True}))
    model, root = f"scripted:{script}", str(project)
    ran = reflect("ask", PLANNED, "--root", root, "--thread", "by-hand", "--model", model, home=home)
    assert ran.returncode == 0, ran.stderr
    async with get_client(url=url) as client:
        thread = (await client.threads.create())["thread_id"]
        context = {"root": root, "model": model}
        await client.runs.wait(thread, "reflective", input={"goal": PLANNED}, context=context)
    listed = (await read(url, "threads", root=root))["threads"]
    assert [(one["id"], one["served"]) for one in listed] == [(thread, True), ("by-hand", False)]
    assert "data/ships.csv" in await read(url, "threads/by-hand/report", root=root)
    [hit] = (await read(url, f"threads/{thread}", root=root))["memory"]
    assert (hit["goal"], hit["use"], hit["outcome"]) == (PLANNED, "reused", "helpful")
    records = (await read(url, "experience", root=root))["records"]
    assert [one["helped"] for one in records if one["id"] == hit["id"]] == [1]


async def test_checks_start_the_users_servers_and_leave_none_behind(server: tuple[str, Path]) -> None:
    url, home = server
    checks = {one["name"]: one for one in (await read(url, "checks"))["checks"]}
    assert checks["mcp weather"]["level"] == "ok", checks["mcp weather"]
    left = subprocess.run(["pgrep", "-f", f"{TOOL_SERVER} {home}"], capture_output=True, check=False)
    assert left.stdout == b""


async def test_models_are_told_whether_ollama_answers_or_hangs(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, _ = server
    root = tmp_path_factory.mktemp("asked")
    (root / ".reflect").mkdir()
    file = root / ".reflect" / "config.yaml"
    with ollama_server() as address, socket.create_server(("127.0.0.1", 0)) as silent:
        file.write_text(json.dumps({"models": {"worker": {"base_url": address}}}), "utf-8")
        told = await read(url, "models", root=str(root))
        chats = {one["name"]: one for one in told["available"] if one["provider"] == "ollama"}
        assert told["default"] in chats and "Ollama answers" in told["reason"]
        assert all(one["size_bytes"] and one["loaded"] is False for one in chats.values())
        # It takes connections and says nothing.
        place = f"http://127.0.0.1:{silent.getsockname()[1]}"
        file.write_text(json.dumps({"models": {"worker": {"base_url": place}}}), "utf-8")
        told = await read(url, "models", root=str(root))
    assert told["default"] == "embedded:gemma-3-270m"
    assert place in told["problems"][0] and "ollama serve" in told["problems"][0]
