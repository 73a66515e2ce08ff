"""What each of the console's own routes costs on a real server: `python -m evals.bench_console --json`.

A server is started on a free port of this machine, in a project with many threads and a large corpus. Each
route is asked once cold, right after the start, and then in turns with all others, so that a busy machine
slows all of them alike. `ratio_to_ok` compares its median with that of LangGraph's `/ok`, asked in the same
turns. `checks` starts and measures real things, and is asked cold only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6

from configs.settings import Settings
from memory.checkpoints import open_project_checkpointer
from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from memory.trace.session_trace import SessionTrace
from models.embeddings import open_embedder
from nodes.reflective.state import Evidence, Plan, PlanStep, ReasoningState
from tools.protocol import ToolResult

HERE = Path(__file__).resolve().parent.parent
APP = """from starlette.applications import Starlette
from console.api.routes import ROUTES
app = Starlette(routes=ROUTES)
"""
START_SECONDS = 120
OUTPUT = "49 src/harbour/cli.py\n" * 40
COLD_ONLY = ("checks",)
ABOUT = ("python files", "yaml files", "log lines", "open ports", "failing tests", "large images")


def fill(root: Path, records: int, threads: int) -> str:
    """Write a corpus and threads as runs leave them; gives the newest thread's name."""
    settings = Settings()
    corpus = HybridExperience(settings.experience, root, lambda: open_embedder(settings))
    now = datetime.now(UTC)
    corpus.project.file.extend([_event(number, now).model_dump(mode="json") for number in range(records)])
    names = [str(uuid6(clock_seq=-2)) for _ in range(threads)]
    asyncio.run(_keep(root, settings, names))
    trace = SessionTrace(root / settings.traces.path, names[-1])
    trace.extend([_event(number, now).model_dump(mode="json") for number in range(40)])
    return names[-1]


def _event(number: int, now: datetime) -> ReasoningEvent:
    goal = f"How many {ABOUT[number % len(ABOUT)]} are there in part {number} of the project?"
    return ReasoningEvent.model_validate(
        {
            "event_id": f"event-{number}",
            "timestamp": (now - timedelta(minutes=number)).isoformat(),
            "session_id": f"session-{number}",
            "event_type": "episode" if number % 3 else "respond",
            "goal": goal,
            "outcome_status": "success" if number % 5 else "no_plan",
            "error": "" if number % 5 else "no plan fits",
            "meta": {"lesson": f"count {number} with wc", "answer": "49", "status": "answered"},
        }
    )


async def _keep(root: Path, settings: Settings, names: list[str]) -> None:
    result = ToolResult(tool="wc", returncode=0, stdout=OUTPUT, command="wc -l src/harbour/cli.py")
    steps = [PlanStep(num=number, description=f"Count part {number}", result=result) for number in (1, 2, 3)]
    evidence = [Evidence(source="tool", step=1, command="wc -l", text=OUTPUT) for _ in range(3)]
    state = ReasoningState(
        goal="How many lines?",
        final_answer="49.",
        status="answered",
        evidence=evidence,
        plan=Plan(objective="o", steps=steps),
    )
    values = state.model_dump(mode="json", exclude={"remaining_steps"})
    versions: Any = dict.fromkeys(values, 1)
    async with open_project_checkpointer(root, settings) as saver:
        for name in names:
            config: RunnableConfig = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
            checkpoint = {
                **empty_checkpoint(),
                "id": str(uuid6(clock_seq=-2)),
                "channel_values": values,
                "channel_versions": versions,
            }
            metadata = {"source": "loop", "step": 5, "root": str(root)}
            await saver.aput(
                config, cast(Checkpoint, checkpoint), cast(CheckpointMetadata, metadata), versions
            )


@contextmanager
def served(root: Path) -> Iterator[str]:
    """A server that serves a directory; gives its address.

    Raises:
        RuntimeError: it did not start.
    """
    config = json.loads((HERE / "langgraph.json").read_text("utf-8")) | {"dependencies": [str(HERE)]}
    config.setdefault("http", {"app": "routes_alone:app"})
    (root / "langgraph.json").write_text(json.dumps(config), "utf-8")
    (root / "routes_alone.py").write_text(APP, "utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    environment = os.environ | {"PYTHONPATH": f"{HERE}{os.pathsep}{root}", "LANGGRAPH_CLI_NO_ANALYTICS": "1"}
    program = shutil.which("langgraph", path=str(Path(sys.executable).parent)) or "langgraph"
    words = [program, "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with (root / "server.log").open("w") as log:
        process = subprocess.Popen(words, cwd=root, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(address, process)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(f"{address}/ok", timeout=1).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise RuntimeError(f"The server did not start in {START_SECONDS} s.")


def routes(thread: str) -> Mapping[str, str]:
    """What is asked for, by the name it has in the figures."""
    return {
        "ok": "/ok",
        "about": "/console/api/about",
        "models": "/console/api/models",
        "settings": "/console/api/settings",
        "checks": "/console/api/checks",
        "experience newest": "/console/api/experience?limit=50",
        "experience query": "/console/api/experience?query=how+many+open+ports+are+there",
        "threads": "/console/api/threads?limit=200",
        "thread": f"/console/api/threads/{thread}",
        "trace": f"/console/api/threads/{thread}/trace",
        "report": f"/console/api/threads/{thread}/report",
    }


def _seconds(client: httpx.Client, path: str) -> float:
    """Wall-clock seconds of one request.

    Raises:
        RuntimeError: it was not answered as it should be; a wrong answer has no speed.
    """
    start = time.perf_counter()
    answer = client.get(path)
    seconds = time.perf_counter() - start
    if answer.status_code != 200:
        raise RuntimeError(f"{path} answers {answer.status_code}: {answer.text[:200]}")
    return seconds


def run(rounds: int, records: int, threads: int) -> dict[str, Any]:
    """Cold times, and median and 95th percentile of the warm ones, by route; milliseconds."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve() / "project"
        root.mkdir()
        os.environ.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        # Its own corpora and settings: those of whoever measures would count as well.
        os.environ["HOME"] = str(root.parent)
        asked = routes(fill(root, records, threads))
        warm: dict[str, list[float]] = {route: [] for route in asked if route not in COLD_ONLY}
        with served(root) as address, httpx.Client(base_url=address, timeout=120) as client:
            cold = {route: _seconds(client, path) for route, path in asked.items()}
            for _ in range(rounds):
                for route in warm:
                    warm[route].append(_seconds(client, asked[route]))
    p50 = {route: statistics.median(times) for route, times in warm.items()}
    p95 = {route: statistics.quantiles(times, n=20)[-1] for route, times in warm.items()}
    return {
        "rounds": rounds,
        "records": records,
        "threads": threads,
        "milliseconds": {
            route: {"cold": round(1000 * cold[route], 1), **_warm(route, p50, p95)} for route in asked
        },
    }


def _warm(route: str, p50: Mapping[str, float], p95: Mapping[str, float]) -> dict[str, float]:
    if route not in p50:
        return {}
    return {
        "p50": round(1000 * p50[route], 1),
        "p95": round(1000 * p95[route], 1),
        "ratio_to_ok": round(p50[route] / p50["ok"], 1),
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--records", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.rounds, arguments.records, arguments.threads), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
