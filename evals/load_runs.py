"""Runs begun at servers, each in a thread of its own: what is asked, what came of it, how long it took."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import LangGraphError

from evals.graph_workloads import Workload
from evals.serving import Server
from models.scripted import Script

PROJECT_FILE = "data/ships.csv"
ANSWER = "Boreas flies the flag GR."
CALLS = 3
"""Model calls of a run, one after the other: the plan, the wording, the verdict."""

_PLAN = {
    "objective": "find the ship",
    "steps": [{"description": "look for the ship", "command": f"grep Boreas {PROJECT_FILE}"}],
    "validation": "One row.",
    "confidence": 0.9,
}
LOOK_UP = Workload(
    "one look-up",
    ("classify", "plan", "execute", "verify", "respond"),
    {
        "planner": [_PLAN],
        "worker": [ANSWER],
        "verifier": [{"passed": True, "reason": "the row says so", "confidence": 0.9}],
        "classifier": [{"complexity": "moderate"}],
        "critic": [{"diagnosis": "The ship has another name.", "new_plan_summary": "Search for it."}],
    },
)
# No recipe knows the question, and no two runs ask the same: every one is planned, worded and judged.
_WORDS = (
    "amber", "brisk", "calm", "dusty", "eager", "fair", "gentle", "hollow", "jolly", "keen", "mild", "noble",
    "odd", "plain", "quiet", "rough", "shy", "tame", "urban", "vast", "warm", "young", "zesty", "bright",
)  # fmt: skip
# httpx keeps at most a hundred connections a client, and a run that is waited for holds one.
_RUNS_A_CLIENT = 50
PATIENCE = 600.0
"""Seconds a client waits for a run."""


def script() -> Script:
    """What the model server says."""
    return Script(roles=LOOK_UP.roles, repeat_last=True)


def goals(count: int, seed: int = 0) -> list[str]:
    """Goals of which no two are the same.

    Args:
        count: at most 13,824.
        seed: of their order.
    """
    words = [" ".join(one) for one in itertools.product(_WORDS, repeat=3)]
    chosen = random.Random(seed).sample(words, count)
    asked = f"compare the ships in {PROJECT_FILE} by flag and say with which one Boreas is moored"
    return [f"{asked}, the {one} one" for one in chosen]


def context(root: Path) -> dict[str, Any]:
    """The choices of a run: the scripted server's models, by role."""
    roles = ("planner", "worker", "verifier", "critic", "classifier")
    named = {f"models.{role}.name": f"ollama:{role}" for role in roles}
    return {"root": str(root), "model": "ollama:worker", "settings": named}


@dataclass(frozen=True)
class Ended:
    """How one run came out.

    Attributes:
        seconds: from the request for a thread to the answer, waiting for a free worker included.
        problem: what is wrong with it; empty if it answered what the file says.
    """

    seconds: float
    problem: str


async def run_all(servers: Sequence[Server], asked: Sequence[str], root: Path) -> list[Ended]:
    """Begin all runs at once, the servers by turns, and wait for every one."""
    async with AsyncExitStack() as stack:
        count = -(-len(asked) // (_RUNS_A_CLIENT * len(servers)))
        clients = [
            await stack.enter_async_context(_client(server)) for _ in range(count) for server in servers
        ]
        turns = itertools.cycle(clients)
        return await asyncio.gather(*(_run(next(turns), goal, root) for goal in asked))


@asynccontextmanager
async def _client(server: Server) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server.url, timeout=PATIENCE) as client:
        yield client


async def _run(client: LangGraphClient, goal: str, root: Path) -> Ended:
    began = time.perf_counter()
    try:
        thread = await client.threads.create()
        values = await client.runs.wait(
            thread["thread_id"],
            "reflective",
            input={"goal": goal},
            context=context(root),
            durability="sync",
            raise_error=False,
        )
        problem = problem_of(values)
    except (httpx.HTTPError, LangGraphError) as error:
        problem = f"{type(error).__name__}: {error}"
    return Ended(time.perf_counter() - began, problem)


def problem_of(values: Any) -> str:
    """What is wrong with the values a run ended with; empty if they are as they should be."""
    if not isinstance(values, dict):
        return f"the server gave {type(values).__name__}"
    if "__error__" in values:
        return str(values["__error__"])
    said = str(values.get("final_answer"))
    if values.get("status") != "answered" or ANSWER not in said:
        return f"{values.get('status')}: {said[:200]}"
    return ""
