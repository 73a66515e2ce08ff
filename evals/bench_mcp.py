"""What a call through the MCP server costs beside the run itself: `python -m evals.bench_mcp --json`.

The same question is asked in this process, of a server at the end of a pipe, and of one behind HTTP, in turns
and by both eras of the protocol, so that a busy machine slows all of them alike. The model is scripted, the
plan is a recipe: a short run, in which the way there weighs most. `listing` is the round trip alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from mcp import Client, StdioServerParameters, stdio_client

from configs.loading import load_settings
from graph.reflective import build
from memory.checkpoints import open_project_checkpointer
from nodes.reflective.context import RunContext

GOAL = "How many python files are there?"
ANSWER = "There are 3 *.py files."
SCRIPT = "default: ['none']\nrepeat_last: true\n"
TARGET = 1.2
HERE = Path(__file__).resolve().parent.parent
ERAS = ("auto", "legacy")

Ask = Callable[[], Awaitable[dict[str, Any] | None]]


@dataclass(frozen=True)
class Project:
    """What is asked about, and the model that is asked."""

    root: Path
    model: str


def _project(folder: Path) -> Project:
    root = folder / "project"
    root.mkdir()
    for name in ("a", "b", "c"):
        (root / f"{name}.py").write_text("x = 1\n", "utf-8")
    script = folder / "script.yaml"
    script.write_text(SCRIPT, "utf-8")
    return Project(root.resolve(), f"scripted:{script}")


def _command(project: Project, *flags: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "cli.main",
        "mcp",
        "--root",
        str(project.root),
        "--model",
        str(project.model),
        *flags,
    ]


@contextmanager
def _http_server(project: Project) -> Iterator[str]:
    process = subprocess.Popen(
        _command(project, "--http", "--port", "0"), cwd=HERE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        yield process.stderr.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(30)
        process.stderr.close()


@asynccontextmanager
async def _clients(project: Project) -> AsyncIterator[dict[str, Client]]:
    command, *arguments = _command(project)
    program = StdioServerParameters(command=command, args=arguments, env=dict(os.environ), cwd=HERE)
    async with AsyncExitStack() as stack:
        nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
        address = stack.enter_context(_http_server(project))
        yield {
            f"{way} {era}": await stack.enter_async_context(
                Client(stdio_client(program, errlog=nowhere) if way == "stdio" else address, mode=era)
            )
            for way in ("stdio", "http")
            for era in ERAS
        }


def _in_process(project: Project) -> Ask:
    """The same run, with checkpoints as the server keeps them."""
    context = RunContext(root=str(project.root), model=project.model, approval="ask")
    settings = load_settings(project.root, context.flags()).settings

    async def asked() -> dict[str, Any] | None:
        config: RunnableConfig = {"configurable": {"thread_id": f"ask-{uuid.uuid4().hex[:12]}"}}
        async with open_project_checkpointer(project.root, settings) as saver:
            values = await build(saver).ainvoke({"goal": GOAL}, config, context=context, durability="sync")
        return {"answer": values["final_answer"]}

    return asked


def _through(client: Client) -> Ask:
    async def asked() -> dict[str, Any] | None:
        result = await client.call_tool("ask", {"goal": GOAL})
        report: dict[str, Any] | None = result.structured_content
        return report

    return asked


async def _seconds(asked: Ask) -> float:
    """Wall-clock seconds of one run.

    Raises:
        RuntimeError: it gave another answer; a wrong run has no speed.
    """
    start = time.perf_counter()
    report = await asked()
    seconds = time.perf_counter() - start
    if report is None or report["answer"] != ANSWER:
        raise RuntimeError(f"The answer is {report and report['answer']!r}, not {ANSWER!r}.")
    return seconds


async def _listing_seconds(client: Client) -> float:
    start = time.perf_counter()
    await client.list_tools(cache_mode="bypass")
    return time.perf_counter() - start


async def run(rounds: int) -> dict[str, object]:
    """Medians over the rounds, after one warm-up round in which each server loads what a first run needs."""
    with tempfile.TemporaryDirectory() as name:
        # Its own corpora and settings; what past runs left behind would change the run.
        os.environ["HOME"] = name
        os.environ["REFLECT_EXPERIENCE__ENABLED"] = "false"
        project = _project(Path(name))
        runs: dict[str, list[float]] = {}
        listings: dict[str, list[float]] = {}
        async with _clients(project) as clients:
            ways = {"in process": _in_process(project)} | {way: _through(one) for way, one in clients.items()}
            for number in range(rounds + 1):
                for way, asked in ways.items():
                    runs.setdefault(way, []).append(await _seconds(asked))
                for way, client in clients.items():
                    listings.setdefault(way, []).append(await _listing_seconds(client))
                if number == 0:
                    first = {way: round(times.pop(), 4) for way, times in runs.items()}
                    listings.clear()
    medians = {way: statistics.median(times) for way, times in runs.items()}
    inside = medians["in process"]
    return {
        "rounds": rounds,
        "seconds": {way: round(median, 4) for way, median in medians.items()},
        "first_run_seconds": first,
        "listing_seconds": {way: round(statistics.median(times), 4) for way, times in listings.items()},
        "ratio_to_in_process": {
            way: round(median / inside, 3) for way, median in medians.items() if way != "in process"
        },
        "target_ratio": TARGET,
        "met": {way: median / inside <= TARGET for way, median in medians.items() if way != "in process"},
    }


def main() -> int:
    """Print the figures; exit 0 whether or not the target is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args()
    print(json.dumps(asyncio.run(run(arguments.rounds)), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
