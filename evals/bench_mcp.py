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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

from cli.main import quiet_environment
from cli.mcp_server.ask_tool import AskArguments, ask
from cli.mcp_server.engine_tool import Call, Site
from cli.mcp_server.progress import Progress

GOAL = "How many python files are there?"
ANSWER = "There are 3 *.py files."
SCRIPT = "default: ['none']\nrepeat_last: true\n"
TARGET = 1.2
HERE = Path(__file__).resolve().parent.parent
ERAS = ("auto", "legacy")

Ask = Callable[[], Awaitable[dict[str, Any] | None]]


def _project(folder: Path) -> Site:
    root = folder / "project"
    root.mkdir()
    for name in ("a", "b", "c"):
        (root / f"{name}.py").write_text("x = 1\n", "utf-8")
    script = folder / "script.yaml"
    script.write_text(SCRIPT, "utf-8")
    return Site(root.resolve(), f"scripted:{script}")


def _command(site: Site, *flags: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "cli.main",
        "mcp",
        "--root",
        str(site.root),
        "--model",
        str(site.model),
        *flags,
    ]


@contextmanager
def _http_server(site: Site) -> Iterator[str]:
    process = subprocess.Popen(
        _command(site, "--http", "--port", "0"), cwd=HERE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        yield process.stderr.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(30)
        process.stderr.close()


@asynccontextmanager
async def _clients(site: Site) -> AsyncIterator[dict[str, Client]]:
    command, *arguments = _command(site)
    program = StdioServerParameters(command=command, args=arguments, env=dict(os.environ), cwd=HERE)
    async with AsyncExitStack() as stack:
        nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
        address = stack.enter_context(_http_server(site))
        yield {
            f"{way} {era}": await stack.enter_async_context(
                Client(stdio_client(program, errlog=nowhere) if way == "stdio" else address, mode=era)
            )
            for way in ("stdio", "http")
            for era in ERAS
        }


def _in_process(site: Site) -> Ask:
    async def asked() -> dict[str, Any] | None:
        outcome = await ask(Call(site, Progress()), AskArguments(goal=GOAL))
        return outcome.result.model_dump(mode="json")

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
        site = _project(Path(name))
        runs: dict[str, list[float]] = {}
        listings: dict[str, list[float]] = {}
        async with _clients(site) as clients:
            ways = {"in process": _in_process(site)} | {way: _through(one) for way, one in clients.items()}
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
    quiet_environment()
    print(json.dumps(asyncio.run(run(arguments.rounds)), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
