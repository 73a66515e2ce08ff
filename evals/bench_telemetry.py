"""What it costs to be recorded: `python -m evals.bench_telemetry --json`.

Runs of the reflective graph with a scripted model, by turns in one process: `bare` has no instrumentation at
all (the graph is compiled without its callback, and the blocks around nodes, calls and counts are replaced by
empty ones), `off` is the product as it is without settings, `file` and `endpoint` record to a file of OTLP
JSON and to an OTLP/HTTP server in another process. `content` is `file` with texts. Each turn is a few runs
and, where they are recorded, the delivery of all they left, so that no work of the exporter's thread is
charged to the next turn; a process delivers once a second, so that its share is smaller.

Figures are medians over the rounds: milliseconds a run, of the clock and of the processor in all threads of
the process, and the ratio to `bare` of the same round. The processor's ratio is the one to go by: the clock's
also tells who else used the machine. With a model that takes 100 ms a call, the clock is given only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import models.asking
import models.embeddings
import models.multilingual_embeddings
import models.roles
import nodes.draining
import nodes.reflective.services
import tools.toolbox
from evals.bench_graph import MODEL_SECONDS, Bench
from evals.fixture_repository import build_fixture_repository
from evals.graph_workloads import BYPASS, MODERATE, Workload
from graph.reflective import build, workflow_builder
from memory.telemetry.opening import close_recorders, deliver_now
from models.telemetry.chat_calls import ModelCall
from models.telemetry.tool_calls import ToolRun

TARGETS = {"off": 1.02, "file": 1.10, "endpoint": 1.10}
MODES = ("bare", "off", "file", "content", "endpoint")
RUNS_A_TURN = {BYPASS.name: 8, MODERATE.name: 2}
SLOW_RUNS_A_TURN = {BYPASS.name: 4, MODERATE.name: 1}


@contextlib.contextmanager
def _empty(*args: object, **kwargs: object) -> Iterator[None]:
    yield


@contextlib.contextmanager
def _no_model_call(*args: object, **kwargs: object) -> Iterator[ModelCall]:
    yield ModelCall()


@contextlib.contextmanager
def _no_tool_call(*args: object, **kwargs: object) -> Iterator[ToolRun]:
    yield ToolRun()


def _nothing(*args: object, **kwargs: object) -> None:
    """In the place of what counts."""


_BLOCKS: tuple[tuple[Any, str, Any], ...] = (
    (nodes.draining, "visited", _empty),
    (nodes.reflective.services, "attach", _nothing),
    (models.asking, "model_call", _no_model_call),
    (models.roles, "recovered", _nothing),
    (models.embeddings, "embedding_call", _empty),
    (models.multilingual_embeddings, "embedding_call", _empty),
    (tools.toolbox, "tool_call", _no_tool_call),
)


@contextlib.contextmanager
def uninstrumented() -> Iterator[None]:
    """The blocks around nodes and calls are empty ones."""
    before = [(module, name, getattr(module, name)) for module, name, _ in _BLOCKS]
    for module, name, empty in _BLOCKS:
        setattr(module, name, empty)
    try:
        yield
    finally:
        for module, name, known in before:
            setattr(module, name, known)


class TelemetryBench:
    """One project whose runs are recorded in one way or another.

    Args:
        root: the project.
        place: where files are written.
        endpoint: of a server.
    """

    def __init__(self, root: Path, place: Path, endpoint: str) -> None:
        self._bench = Bench(root)
        self._instrumented = build()
        self._bare = workflow_builder().compile(name="reflective").with_config(recursion_limit=1200)
        self._asked: dict[str, dict[str, Any]] = {
            "bare": {},
            "off": {},
            "file": {"telemetry.file": str(place / "telemetry.jsonl")},
            "content": {"telemetry.file": str(place / "content.jsonl"), "telemetry.content": True},
            "endpoint": {"telemetry.endpoint": endpoint},
        }

    async def turn(self, mode: str, workload: Workload, delay: float, runs: int) -> tuple[float, float]:
        """Milliseconds a run: of the clock, and of the processor."""
        graph = self._bare if mode == "bare" else self._instrumented
        asked = Workload(
            workload.name, workload.visits, workload.roles, workload.settings | self._asked[mode]
        )
        started, worked = time.perf_counter(), time.process_time()
        with uninstrumented() if mode == "bare" else contextlib.nullcontext():
            for _ in range(runs):
                await self._bench.timed(graph, asked, delay)
        if self._asked[mode]:
            await asyncio.to_thread(deliver_now)
        clock, processor = time.perf_counter() - started, time.process_time() - worked
        return clock * 1000 / runs, processor * 1000 / runs

    async def compared(self, workload: Workload, delay: float, rounds: int) -> dict[str, Any]:
        """All modes by turns; the first round loads what stays loaded and is left out."""
        times: dict[str, list[tuple[float, float]]] = {mode: [] for mode in MODES}
        runs = (SLOW_RUNS_A_TURN if delay else RUNS_A_TURN)[workload.name]
        for number in range(rounds + 1):
            # Whoever comes first in a round pays for what the one before left: each does so as often.
            for mode in (*MODES[number % len(MODES) :], *MODES[: number % len(MODES)]):
                spent = await self.turn(mode, workload, delay, runs)
                if number:
                    times[mode].append(spent)
        row: dict[str, Any] = {
            "workload": workload.name,
            "model_ms": round(delay * 1000),
            "rounds": rounds,
            "clock_ms": _medians(times, 0),
            "clock_ratio": _ratios(times, 0),
        }
        if not delay:
            row |= {"processor_ms": _medians(times, 1), "processor_ratio": _ratios(times, 1)}
        return row


def _medians(times: Mapping[str, Sequence[tuple[float, float]]], which: int) -> dict[str, float]:
    return {mode: round(statistics.median(one[which] for one in times[mode]), 2) for mode in MODES}


def _ratios(times: Mapping[str, Sequence[tuple[float, float]]], which: int) -> dict[str, float]:
    """The median of the rounds' ratios, in which a slow stretch of the machine weighs on both."""
    return {
        mode: round(
            statistics.median(
                one[which] / bare[which] for one, bare in zip(times[mode], times["bare"], strict=True)
            ),
            3,
        )
        for mode in MODES
    }


async def measure(place: Path, endpoint: str, rounds: int) -> dict[str, Any]:
    """All figures."""
    bench = TelemetryBench(build_fixture_repository(place / "project"), place, endpoint)
    rows = []
    for workload, delay in (
        (BYPASS, 0.0),
        (MODERATE, 0.0),
        (BYPASS, MODEL_SECONDS),
        (MODERATE, MODEL_SECONDS),
    ):
        rows.append(await bench.compared(workload, delay, rounds))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    close_recorders()
    worked = [row["processor_ratio"] for row in rows if "processor_ratio" in row]
    worst = {mode: max(ratio[mode] for ratio in worked) for mode in TARGETS}
    return {
        "rows": rows,
        "worst_processor_ratio": worst,
        "targets": TARGETS,
        "met": {mode: worst[mode] <= limit for mode, limit in TARGETS.items()},
        "load": [round(one, 1) for one in os.getloadavg()],
    }


class _Taking(BaseHTTPRequestHandler):
    """Takes whatever it is sent."""

    def do_POST(self) -> None:
        """Read it and say that it was taken."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Nothing."""


def serve() -> None:
    """Be the server of the mode `endpoint`; the first line of output is its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Taking) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; exit 0 whether or not a target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, help="timed rounds of each kind")
    parser.add_argument("--serve", action="store_true", help="be the server that is sent to")
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    arguments = parser.parse_args(argv)
    if arguments.serve:
        serve()
        return 0
    server = subprocess.Popen(
        [sys.executable, "-m", "evals.bench_telemetry", "--serve"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        endpoint = f"http://127.0.0.1:{int(server.stdout.readline())}"
        with tempfile.TemporaryDirectory() as name:
            os.environ["HOME"] = name
            figures = asyncio.run(measure(Path(name), endpoint, arguments.rounds))
    finally:
        server.terminate()
        server.wait(10)
    print(json.dumps(figures, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
