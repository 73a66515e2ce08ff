"""Who may come in, asked of a real server; and the store behind it, which outlives it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from configs.admission import STUDIO
from memory.json_lines import JsonLines
from tests.memory.places import event
from tests.support.langgraph_server import Served, environment_of, served
from tests.support.processes import ROOT

pytestmark = pytest.mark.integration
TOKEN = "a-token-of-this-test"
SHOWN = {"Authorization": f"Bearer {TOKEN}"}
ASKING = [
    ("GET", "/info"),
    ("GET", "/docs"),
    ("GET", "/openapi.json"),
    ("GET", "/metrics"),
    ("GET", "/ui/x"),
    ("POST", "/assistants/search"),
    ("POST", "/threads"),
    ("POST", "/runs/wait"),
    ("POST", "/store/items/search"),
    ("POST", "/mcp"),
    ("POST", "/a2a/reflective"),
    ("GET", "/console/api/models"),
]


@pytest.fixture(scope="session")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that asks for a token."""
    with served(tmp_path_factory.mktemp("closed"), REFLECT_API_TOKEN=TOKEN) as running:
        yield running


@pytest.mark.parametrize(("method", "path"), ASKING)
def test_no_route_answers_without_the_token(closed: Served, method: str, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer x"}, {"x-auth-scheme": "langsmith"}, {"x-api-key": TOKEN}):
        assert httpx.request(method, closed.url + path, headers=headers, json={}).status_code == 401, headers
    assert httpx.request(method, closed.url + path, headers=SHOWN, json={}).status_code not in (401, 403)


async def test_the_sdk_comes_in_with_the_token(closed: Served) -> None:
    for path in ("/ok", "/console/"):
        assert httpx.get(closed.url + path).status_code in (200, 503)
    (closed.home / "counted.txt").write_text("1\n2\n3\n", "utf-8")
    async with get_client(url=closed.url, headers=SHOWN) as client:
        given = {"goal": "How many lines does counted.txt have?"}
        final: Any = await client.runs.wait(None, "reflective", input=given, context={"model": "embedded"})
        assert final["final_answer"] == "counted.txt has 3 lines."
        listed: Any = await client.http.post(
            "/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            headers={"Accept": "application/json"},
        )
    # A tool's call goes through the server's own routes once more, from within.
    assert len(listed["result"]["tools"]) == 9


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/json"])
def test_a_page_of_a_stranger_changes_nothing(server: Served, kind: str) -> None:
    before = httpx.post(f"{server.url}/threads/search", json={"limit": 1000}).json()
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}):
        for path in ("/threads", "/runs", "/store/items", "/mcp"):
            sent = {**headers, "Content-Type": kind}
            assert httpx.post(server.url + path, headers=sent, content="{}").status_code == 403
    assert httpx.post(f"{server.url}/threads/search", json={"limit": 1000}).json() == before


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [(STUDIO, True), ("http://localhost:5173", True), ("http://127.0.0.1", True), ("http://[::1]:80", True)]
    + [("https://evil.example", False), ("http://localhost.evil.example", False), ("null", False)],
)
def test_a_browser_learns_which_pages_may_call(server: Served, origin: str, let_in: bool) -> None:
    asked = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    answer = httpx.options(f"{server.url}/runs/stream", headers=asked)
    assert (answer.status_code == 200) is let_in
    assert answer.headers.get("access-control-allow-origin") == (origin if let_in else None)
    if let_in:
        assert answer.headers["access-control-allow-private-network"] == "true"
        assert "authorization" in answer.headers["access-control-allow-headers"]
    read = httpx.get(f"{server.url}/info", headers={"Origin": origin})
    assert read.headers.get("access-control-allow-origin") == (origin if let_in else None)


@pytest.mark.parametrize("token", ["", "   "])
def test_a_server_does_not_begin_with_an_empty_token(tmp_path: Path, token: str) -> None:
    code = "import console.app"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment_of(tmp_path, REFLECT_API_TOKEN=token),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0 and "REFLECT_API_TOKEN is set, but empty" in done.stderr


async def test_the_corpora_are_searched_through_the_store(client: LangGraphClient, server: Served) -> None:
    corpus = JsonLines(server.home / ".reflect" / "experience" / "events.jsonl")
    for goal in ("count the python files below src", "who wrote the changelog"):
        corpus.append(event(goal).model_dump(mode="json"))
    found = await client.store.search_items(
        ["experience", "project"], query="how many python files are there"
    )
    [best, *_] = [item for item in found["items"] if "python" in item["value"]["goal"]]
    assert best["score"] > 0.3 and best["value"]["outcome"] == "success"
    got = await client.store.get_item(["experience", "project"], key=best["key"])
    assert got["value"] == best["value"]
    newest = await client.store.search_items(["experience", "project"], limit=100)
    assert {"who wrote the changelog"} <= {item["value"]["goal"] for item in newest["items"]}
    named = await client.store.list_namespaces(prefix=["experience"])
    assert ["experience", "project"] in named["namespaces"]
    refused = httpx.put(
        f"{server.url}/store/items", json={"namespace": ["experience", "project"], "key": "x", "value": {}}
    )
    assert refused.status_code == 400 and "runs themselves write" in refused.json()["error"]


async def test_items_of_the_store_outlive_a_kill_and_need_no_extension(tmp_path: Path) -> None:
    with served(tmp_path) as running:
        async with get_client(url=running.url) as client:
            await client.store.put_item(
                ["notes"], key="harbour", value={"text": "The harbour closes at nine."}
            )
            await client.store.put_item(["notes"], key="bread", value={"text": "Bread is baked at dawn."})
        running.process.kill()
        running.process.wait()
    with served(tmp_path) as running:
        async with get_client(url=running.url) as client:
            found = await client.store.search_items(["notes"], query="When is the port shut?")
    assert [item["key"] for item in found["items"]] == ["harbour", "bread"]
    assert found["items"][0]["value"] == {"text": "The harbour closes at nine."}
    assert os.stat(tmp_path / ".reflect" / "store.sqlite").st_mode & 0o077 == 0
