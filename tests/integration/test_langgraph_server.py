"""The graph under `langgraph dev`, driven through langgraph-sdk as Studio drives it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client

from evals.fixture_repository import build_fixture_repository
from nodes.reflective.context import RunContext
from tests.support.processes import ROOT, free_port, stop, wait_until

pytestmark = pytest.mark.integration
GOAL = "Which python file has the most lines?"


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/ok", timeout=1) as reply:
            return bool(json.loads(reply.read()).get("ok"))
    except OSError:
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server in a directory of its own, with the repository's langgraph.json; its address and directory."""
    home = tmp_path_factory.mktemp("server")
    config = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    (home / "langgraph.json").write_text(json.dumps(config | {"dependencies": [str(ROOT)]}), "utf-8")
    port = free_port()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "LANGSMITH"))
    }
    environment |= {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    command = [
        shutil.which("langgraph", path=str(Path(sys.executable).parent)) or "langgraph",
        "dev",
        "--no-browser",
    ]
    command += ["--no-reload", "--port", str(port), "--host", "127.0.0.1"]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log, text=True)
        url = f"http://127.0.0.1:{port}"
        try:
            started = wait_until(90, lambda: answers(url) or process.poll() is not None)
            assert started and process.poll() is None, (home / "server.log").read_text()[-3000:]
            yield url, home
        finally:
            stop(process)


def values_of(state: Any) -> str:
    return str(state["values"]["status"])


async def test_a_run_streams_and_its_thread_can_be_read_back(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, home = server
    project = build_fixture_repository(tmp_path_factory.mktemp("served"))
    async with get_client(url=url) as client:
        thread = await client.threads.create()
        nodes, progress = [], []
        async for part in client.runs.stream(
            thread["thread_id"],
            "reflective",
            input={"goal": GOAL},
            context={"root": str(project), "model": "embedded"},
            stream_mode=["updates", "custom"],
        ):
            assert part.event != "error", part.data
            if part.event == "updates":
                nodes += list(part.data) if part.event == "updates" else []
            elif part.event == "custom":
                progress.append(part.data["kind"])
        state = await client.threads.get_state(thread["thread_id"])
        history = await client.threads.get_history(thread["thread_id"], limit=20)
    assert values_of(state) == "answered", state["values"]["failure"]
    assert nodes == ["classify", "plan", "execute", "execute", "respond"]
    assert {"model", "plan", "step", "answer"} <= set(progress)
    values = state["values"]
    assert values["final_answer"] == "The longest of the 10 *.py files is src/harbour/cli.py, with 49 lines."
    assert (values["status"], state["next"]) == ("answered", [])
    assert len(history) > len(nodes)
    assert (home / ".reflect" / "checkpoints.sqlite").stat().st_size > 0


async def test_the_settings_form_offers_the_choices_of_a_run(server: tuple[str, Path]) -> None:
    url, _ = server
    async with get_client(url=url) as client:
        assistant = (await client.assistants.search(graph_id="reflective"))[0]
        schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    form = schemas["context_schema"]
    assert form is not None and form == RunContext.model_json_schema()
    assert form["properties"]["graph.max_iterations"]["maximum"] == 1000


async def test_a_setting_filled_in_the_form_holds_and_an_empty_one_leaves_the_file_its_say(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, _ = server
    project = build_fixture_repository(tmp_path_factory.mktemp("formed"))
    (project / ".reflect").mkdir()
    (project / ".reflect" / "config.yaml").write_text(
        "reasoning:\n  strategy: loop_v1\ngraph:\n  max_iterations: 30\n  max_step_retries: 1\n", "utf-8"
    )
    form = {
        "root": str(project),
        "model": "embedded",
        "graph.max_iterations": 20,
        "graph.max_step_retries": None,
    }
    async with get_client(url=url) as client:
        thread = (await client.threads.create())["thread_id"]
        final: Any = await client.runs.wait(thread, "reflective", input={"goal": GOAL}, context=form)
    limits = final["limits"]
    assert (limits["iterations"], limits["step_retries"], limits["strategy"]) == (20, 1, "loop_v1")
    assert final["status"] == "answered", final["final_answer"]


async def test_the_strategy_of_the_form_is_the_one_that_runs(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, _ = server
    project = build_fixture_repository(tmp_path_factory.mktemp("strategies"))
    visited: dict[str, list[str]] = {}
    async with get_client(url=url) as client:
        for strategy in ("loop_v1", "graph_v2", "graph_v30"):
            nodes = visited.setdefault(strategy, [])
            async for part in client.runs.stream(
                (await client.threads.create())["thread_id"],
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


async def test_a_change_waits_for_an_approval_through_the_sdk(
    server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    url, _ = server
    project = build_fixture_repository(tmp_path_factory.mktemp("changed"))
    step = {"description": "write", "tool": "write_file", "args": {"path": "new.txt", "content": "new\n"}}
    replies = {
        "planner": [{"objective": "x", "steps": [step]}],
        "verifier": [{"passed": True, "reason": "done", "confidence": 0.9}],
    }
    script = project.parent / "script.json"
    script.write_text(json.dumps({"roles": replies, "repeat_last": True}), "utf-8")
    context = {"root": str(project), "model": f"scripted:{script}"}
    async with get_client(url=url) as client:
        thread = (await client.threads.create())["thread_id"]
        await client.runs.wait(
            thread,
            "reflective",
            input={"goal": "create a new file that is called new.txt and says something new"},
            context=context,
        )
        state = await client.threads.get_state(thread)
        [interrupt] = state["interrupts"]
        assert interrupt["value"]["tool"] == "write_file" and "+new" in interrupt["value"]["preview"]
        assert not (project / "new.txt").exists()
        await client.runs.wait(
            thread, "reflective", command={"resume": {"decision": "approve"}}, context=context
        )
        state = await client.threads.get_state(thread)
    assert values_of(state) == "answered", state["values"]["last_error"]
    assert (project / "new.txt").read_text() == "new\n"


async def test_a_goal_that_is_empty_comes_back_as_an_answer(server: tuple[str, Path]) -> None:
    url, home = server
    async with get_client(url=url) as client:
        final = await client.runs.wait(None, "reflective", input={"goal": " "}, context={"root": str(home)})
    assert final["status"] == "error" and "empty" in final["final_answer"]
