"""A server killed in the middle of four runs: each goes on at the next start, and nothing is done twice."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from evals.fixture_repository import build_fixture_repository
from nodes.tutor.games.generating import generate
from tests.integration.langgraph_server.conftest import scripted
from tests.nodes.research.corpus import DRAFT, ITEMS, PASS, QUERY, REPORT
from tests.support.langgraph_server import served
from tests.support.processes import wait_until
from tests.tools.places import living

pytestmark = pytest.mark.integration
HOLE = "killed-hole.bin"
SPIDER = "How many legs has a spider?"
STEPS = [
    {"description": "write", "tool": "write_file", "args": {"path": "new.txt", "content": "new\n"}},
    {"description": "sum", "tool": "sha256sum", "args": {"paths": [HOLE]}},
]
WRITING = {
    "classifier": [{"complexity": "moderate"}],
    "planner": [{"objective": "x", "steps": STEPS}],
    "worker": ["new.txt was written."],
    "verifier": [{"passed": True, "reason": "done", "confidence": 0.9}],
}
RESEARCH: dict[str, list[Any]] = {"analyst": [DRAFT], "writer": [REPORT]}
GIVEN: dict[str, Any] = {
    "reflective": {"goal": "create a new file that is called new.txt and says something new"},
    "research": {"query": QUERY, "items": ITEMS},
    "contractive": {"question": SPIDER},
    "tutor": {"game": "B02", "seed": 7},
}
MOVES = [move.model_dump(mode="json") for move in generate("B02", 7).solution]


class Threads:
    """One thread of each graph, known by the graph's name, on whichever server runs."""

    def __init__(self, root: Path, scripts: Path) -> None:
        self.root, self.scripts = root, scripts
        self.names: dict[str, str] = {}

    def context(self, graph: str, *, slow: bool) -> Any:
        """The model of a graph: slow before the kill, and afterwards as quick as it can be."""
        folder = self.scripts / f"{graph}-{slow}"
        folder.mkdir(parents=True, exist_ok=True)
        critic = {"delay": 120, "reply": PASS} if slow else PASS
        answer = {"delay": 120, "reply": "Answer: 8"} if slow else "Answer: 8"
        model = {
            "reflective": lambda: scripted(folder, WRITING),
            "research": lambda: scripted(
                folder, {"analyst": [DRAFT], "critic": [critic], "writer": [REPORT]}
            ),
            "contractive": lambda: scripted(folder, {}, [answer]),
            "tutor": lambda: "embedded",
        }[graph]()
        chosen = {
            "reflective": {"approval": "yes"},
            "tutor": {"tutor.player": "person"},
            "contractive": {"contractive.normalize": "code"},
        }.get(graph, {})
        return {"root": str(self.root), "model": model, **chosen}

    async def state(self, client: LangGraphClient, graph: str) -> Any:
        return await client.threads.get_state(self.names[graph])

    async def begin(self, client: LangGraphClient, *graphs: str) -> None:
        for graph in graphs:
            self.names[graph] = (await client.threads.create())["thread_id"]
            context = self.context(graph, slow=True)
            await client.runs.create(
                self.names[graph], graph, input=GIVEN[graph], context=context, durability="sync"
            )

    async def answer(self, client: LangGraphClient, value: Any) -> Any:
        """For one question only: a server runs a run again whose end it had not written down when it died."""
        await client.threads.create(thread_id=self.names["tutor"], if_exists="do_nothing")
        state = await self.state(client, "tutor")
        if not state["interrupts"]:
            # Killed before its question was kept; gone on with, as any run is, it asks again.
            await self.finish(client, "tutor")
            state = await self.state(client, "tutor")
        [asked] = state["interrupts"]
        return {"resume": {asked["id"]: value}}

    async def finish(self, client: LangGraphClient, graph: str, **more: Any) -> Any:
        thread = self.names[graph]
        await client.threads.create(thread_id=thread, if_exists="do_nothing")
        given = more or {"input": None}
        context = self.context(graph, slow=False)
        await client.runs.wait(thread, graph, context=context, multitask_strategy="interrupt", **given)
        return (await client.threads.get_state(thread))["values"]


async def until(ready: Any, seconds: float = 60) -> None:
    end = asyncio.get_running_loop().time() + seconds
    while not await ready():
        assert asyncio.get_running_loop().time() < end, "it never came so far"
        await asyncio.sleep(0.2)


async def test_a_server_killed_in_the_middle_of_four_runs(tmp_path: Path) -> None:
    root = build_fixture_repository(tmp_path / "project")
    with (root / HOLE).open("wb") as stream:
        stream.truncate(2**36)
    home = tmp_path / "home"
    home.mkdir()
    threads = Threads(root, tmp_path / "scripts")
    with served(home) as running:
        async with get_client(url=running.url) as client:

            async def waits_for(graph: str, node: str) -> bool:
                return node in (await threads.state(client, graph))["next"]

            await threads.begin(client, "reflective", "tutor")
            await until(lambda: waits_for("tutor", "player"))
            for move in MOVES[:2]:
                await client.runs.wait(
                    threads.names["tutor"],
                    "tutor",
                    command=await threads.answer(client, {"move": move}),
                    context=threads.context("tutor", slow=True),
                )
            assert await asyncio.to_thread(wait_until, 60, lambda: living(HOLE))
            # The last ones wait for a reply that has its own limit of time.
            await threads.begin(client, "research", "contractive")
            await until(lambda: waits_for("research", "critic"))
            await until(lambda: waits_for("contractive", "solve"))
        os.kill(running.process.pid, signal.SIGKILL)
        running.process.wait()
    assert await asyncio.to_thread(wait_until, 20, lambda: not living(HOLE))
    (root / HOLE).write_bytes(b"")
    # Whoever writes it a second time is found out.
    (root / "new.txt").write_text("mine by now\n", "utf-8")
    with served(home) as running:
        async with get_client(url=running.url) as client:
            # The server goes on by itself with runs its list knew of, and with the model they were given;
            # these take their place.
            finished = [threads.finish(client, name) for name in ("reflective", "research", "contractive")]
            reflective, research, contractive = await asyncio.gather(*finished)
            tutor: Any = {"status": "running", "turns": MOVES[:2]}
            # A run that the server goes on with may take an answer's place; then its question is still there.
            for _ in range(2 * len(MOVES)):
                if tutor["status"] == "running":
                    command = await threads.answer(client, {"move": MOVES[len(tutor["turns"])]})
                    tutor = await threads.finish(client, "tutor", command=command)
    assert (reflective["status"], reflective["stop_reason"]) == ("answered", "success")
    assert [step["status"] for step in reflective["plan"]["steps"]] == ["success", "success"]
    assert (root / "new.txt").read_text() == "mine by now\n"
    assert research["status"] == "reported"
    assert Counter(one["agent"] for one in research["exchanges"])["analyst"] == 1
    assert (contractive["status"], contractive["short_answer"]) == ("answered", "8"), contractive["failure"]
    assert (tutor["status"], tutor["ended"]) == ("won", "answered")
    assert [turn["number"] for turn in tutor["turns"]] == list(range(1, len(MOVES) + 1))
