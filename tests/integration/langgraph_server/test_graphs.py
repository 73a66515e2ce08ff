"""Each graph of langgraph.json, driven through langgraph-sdk as Studio drives it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk.client import LangGraphClient

from nodes.reflective.context import RunContext
from tests.integration.langgraph_server.conftest import scripted
from tests.support.langgraph_server import Served

pytestmark = pytest.mark.integration
GOAL = "Which python file has the most lines?"
LONGEST = "The longest of the 10 *.py files is src/harbour/cli.py, with 49 lines."
RUNS: dict[str, tuple[dict[str, Any], str, set[str]]] = {
    "reflective": ({"goal": GOAL}, "answered", {"classify", "plan", "execute", "respond"}),
    "research": ({"query": "What is the harbour?"}, "reported", {"clarify", "retrieve", "analyst", "format"}),
    "contractive": ({"question": "How many legs has a spider?"}, "answered", {"begin", "solve", "answer"}),
    "tutor": ({"game": "B02", "seed": 7}, "lost", {"begin", "player", "tutor"}),
    "ensemble": ({"goal": GOAL}, "answered", {"begin", "direct", "contractive", "reflective", "merge"}),
    "hybrid": ({"goal": GOAL}, "answered", {"begin", "analyse", "recommend", "execute", "conclude"}),
    "hierarchy": ({"question": GOAL}, "answered", {"begin", "normalize", "advance", "work", "answer"}),
    "specialists": ({"goal": "Audit this project"}, "answered", {"route", "audit", "security", "synthesise"}),
    "auto": ({"goal": GOAL}, "answered", {"route", "reflective", "conclude"}),
}
WITHOUT_A_MODEL = {"reflective", "hierarchy", "auto"}
"""Recipes answer these; a model has nothing to say in them."""


@pytest.mark.parametrize("name", RUNS)
async def test_a_run_streams_its_nodes_its_progress_and_its_words_and_can_be_read_back(
    client: LangGraphClient, project: Path, tmp_path: Path, name: str
) -> None:
    given, status, expected = RUNS[name]
    thread = (await client.threads.create())["thread_id"]
    kinds: set[str] = set()
    nodes: list[str] = []
    progress: list[str] = []
    async for part in client.runs.stream(
        thread,
        name,
        input=given,
        context={"root": str(project), "model": scripted(tmp_path, {}, ["8"])},
        stream_mode=["updates", "custom", "messages", "values"],
        stream_subgraphs=True,
    ):
        mode = part.event.partition("|")[0]
        assert mode != "error", part.data
        kinds.add(mode)
        if part.event == "updates":
            nodes += list(part.data)
        elif mode == "custom":
            progress.append(part.data["kind"])
    state = await client.threads.get_state(thread)
    history = await client.threads.get_history(thread, limit=100)
    values: Any = state["values"]
    assert expected <= set(nodes)
    assert {"updates", "custom", "values"} <= kinds and progress
    assert ("messages/partial" in kinds) is (name not in WITHOUT_A_MODEL)
    assert (values["status"], values.get("failure"), state["next"]) == (status, None, [])
    assert len(history) >= len(expected)
    if given.get("goal", given.get("question")) == GOAL:
        assert values["final_answer"] == LONGEST


async def test_every_graph_is_described_and_is_a_tool(client: LangGraphClient) -> None:
    found = {one["graph_id"]: one for one in await client.assistants.search(limit=20)}
    assert set(found) == set(RUNS) and all(len(str(one["description"])) > 80 for one in found.values())
    headers = {"Accept": "application/json"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    listed: Any = await client.http.post("/mcp", json=asked, headers=headers)
    tools = {tool["name"]: tool for tool in listed["result"]["tools"]}
    assert set(tools) == set(RUNS)
    assert tools["reflective"]["description"] == found["reflective"]["description"]
    assert list(tools["reflective"]["inputSchema"]["properties"]) == ["goal"]


async def test_a_graph_answers_as_a_tool(client: LangGraphClient, server: Served) -> None:
    (server.home / "counted.txt").write_text("1\n2\n3\n", "utf-8")
    call = {"name": "reflective", "arguments": {"goal": "How many lines does counted.txt have?"}}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    told: Any = await client.http.post("/mcp", json=asked, headers={"Accept": "application/json"})
    assert not told["result"].get("isError"), told
    assert "counted.txt has 3 lines." in str(told["result"])


@pytest.mark.parametrize("name", RUNS)
async def test_the_forms_are_those_of_the_graph(client: LangGraphClient, name: str) -> None:
    [assistant] = await client.assistants.search(graph_id=name)
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    form: Any = schemas["context_schema"]
    assert form == RunContext.model_json_schema()
    asked: Any = schemas["input_schema"]
    assert len(asked["properties"]) <= 6 and set(RUNS[name][0]) <= set(asked["properties"])
    state: Any = schemas["state_schema"]
    assert len(state["properties"]) > len(asked["properties"])


async def test_a_setting_filled_in_the_form_holds_and_an_empty_one_leaves_the_file_its_say(
    client: LangGraphClient, project: Path
) -> None:
    (project / ".reflect").mkdir()
    (project / ".reflect" / "config.yaml").write_text(
        "reasoning:\n  strategy: loop_v1\ngraph:\n  max_iterations: 30\n  max_step_retries: 1\n", "utf-8"
    )
    form: Any = {
        "root": str(project),
        "model": "embedded",
        "graph.max_iterations": 20,
        "graph.max_step_retries": None,
    }
    final: Any = await client.runs.wait(None, "reflective", input={"goal": GOAL}, context=form)
    limits = final["limits"]
    assert (limits["iterations"], limits["step_retries"], limits["strategy"]) == (20, 1, "loop_v1")
    assert final["status"] == "answered", final["final_answer"]


async def test_the_strategy_of_the_form_is_the_one_that_runs(client: LangGraphClient, project: Path) -> None:
    visited: dict[str, list[str]] = {}
    for strategy in ("loop_v1", "graph_v2", "graph_v30"):
        nodes = visited.setdefault(strategy, [])
        async for part in client.runs.stream(
            None,
            "reflective",
            input={"goal": "How many lines does data/ships.csv have?"},
            context={"root": str(project), "model": "embedded", "strategy": strategy},
            stream_mode="updates",
        ):
            nodes += list(part.data) if part.event == "updates" else []
    direct = ["classify", "direct_exec", "respond"]
    assert visited == {
        "loop_v1": ["classify", "plan", "execute", "respond"],
        "graph_v2": direct,
        "graph_v30": direct,
    }


@pytest.mark.parametrize(
    ("given", "context", "told"),
    [
        ({"goal": " "}, {}, "empty"),
        ({"goal": "How many files are there?"}, {"root": "/nowhere"}, "does not exist"),
        ({"goal": GOAL}, {"model": "nonsense"}, "nonsense"),
    ],
)
async def test_what_cannot_be_run_comes_back_as_an_answer(
    client: LangGraphClient, given: dict[str, Any], context: dict[str, Any], told: str
) -> None:
    final: Any = await client.runs.wait(None, "reflective", input=given, context=context)
    assert final["status"] == "error" and told in final["final_answer"]
