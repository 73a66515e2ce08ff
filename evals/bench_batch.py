"""What more workers bring to a batch: `python -m evals.bench_batch --json`.

Goals whose time is a model's go to 1, 2 ... workers of each engine, by turns, at a scripted server that
takes 100 ms a call (`evals.model_server`): one goal is one call (`bypass`), or a plan of 4 steps with its
calls and tools (`moderate, 4 steps`). Crew, driver, results file and checkpoints are those of `reflect
batch`; a turn is a batch.

A pace is goals a second between the answer that ended the warming up (`WARM` goals for each worker, which
load what stays loaded) and the last one; `whole_s` is the batch from its first worker to its last line.
`ratio` is the median, over the rounds, of a round's pace to that of one worker in the same round. Beside it
stand the seconds of processor a goal took, and the load of the machine: workers that compute share its
processors with whoever else is at work.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli.batch.answer import Outcome
from cli.batch.crew import Crew
from cli.batch.driving import Driving
from cli.batch.goal import Goal
from cli.batch.meeting import met
from cli.batch.orders import Orders
from cli.batch.processes import Processes
from cli.batch.ray_actors import ray_crew
from cli.batch.results import open_results
from cli.batch.stopping import Stopping
from configs.loading import load_settings
from evals.fixture_repository import build_fixture_repository
from evals.graph_workloads import BYPASS, MODERATE, Workload

TARGET = {"engine": "ray", "workers": 2, "ratio": 1.8}
LATENCY = 0.1
WARM = 3
ROLES = ("classifier", "planner", "worker", "verifier")


@dataclass
class Watch:
    """Notes when each goal was answered, and whether one failed."""

    ends: list[float] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def moved(self, under_way: int, workers: int) -> None:
        """See `cli.batch.driving.Watcher`."""

    def ended(self, goal: Goal, outcome: Outcome) -> None:
        """See `cli.batch.driving.Watcher`."""
        self.ends.append(time.perf_counter())
        self.outcomes.append(outcome)

    def note(self, text: str) -> None:
        """See `cli.batch.driving.Watcher`."""
        print(text, file=sys.stderr)

    def pace(self, workers: int) -> float:
        """Goals a second after the warming up."""
        warm = WARM * workers
        return (len(self.ends) - warm) / (self.ends[-1] - self.ends[warm - 1])


@contextlib.contextmanager
def model_server(workload: Workload, place: Path) -> Iterator[None]:
    """A server that knows the workload; processes that are begun meanwhile use it."""
    script = place / "script.yaml"
    script.write_text(workload.script().model_dump_json(), "utf-8")
    command = [sys.executable, "-m", "evals.model_server", "--script", str(script), "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        os.environ["OLLAMA_HOST"] = f"127.0.0.1:{json.loads(server.stdout.readline())['port']}"
        try:
            yield
        finally:
            server.terminate()


def crew_of(engine: str, orders: Orders, workers: int) -> AbstractContextManager[Crew]:
    """Workers of an engine, on this machine."""
    return ray_crew(orders, workers, None) if engine == "ray" else contextlib.closing(Processes(orders))


def turn(
    engine: str, workers: int, workload: Workload, place: Path, goals: Sequence[Goal]
) -> dict[str, float]:
    """One batch: its pace, its whole time, and the processor's seconds a goal.

    Raises:
        RuntimeError: a goal failed.
    """
    root = build_fixture_repository(place / "project")
    settings = load_settings(root).settings
    watch, started, worked = Watch(), time.perf_counter(), _processor()
    with (
        open_results(place / "results.jsonl", goals, resume=False) as results,
        met(root, settings, results.batch) as meeting,
    ):
        orders = Orders(results.batch, str(root), ("reflective",), model="ollama:worker")
        with crew_of(engine, orders, workers) as crew:
            Driving(crew, results, meeting, workers, 1, None, watch, Stopping()).run(goals)
    whole = time.perf_counter() - started
    if set(watch.outcomes) != {"succeeded"}:
        raise RuntimeError(f"{workload.name}: {watch.outcomes}; look at {place}")
    return {
        "pace": round(watch.pace(workers), 3),
        "whole_s": round(whole, 2),
        "processor_s_per_goal": round((_processor() - worked) / len(goals), 3),
    }


def _processor() -> float:
    """Seconds of processor that this process and those it waited for have taken."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def compared(
    engine: str, workload: Workload, sizes: Sequence[int], goals_per_worker: int, rounds: int
) -> dict[str, Any]:
    """An engine with one worker and with more of them, by turns."""
    rng, turns = random.Random(0), dict[int, list[dict[str, float]]]({size: [] for size in sizes})
    for number in range(rounds):
        # Whoever comes first in a round meets another machine than the last.
        for size in sizes if number % 2 else reversed(sizes):
            texts = [workload.goal(rng) for _ in range((goals_per_worker + WARM) * size)]
            goals = [Goal(str(place), text, "reflective") for place, text in enumerate(texts)]
            with tempfile.TemporaryDirectory() as name, model_server(workload, Path(name)):
                turns[size].append(turn(engine, size, workload, Path(name), goals))
            told = {"engine": engine, "workload": workload.name, "workers": size, **turns[size][-1]}
            print(json.dumps(told), file=sys.stderr, flush=True)
    return {
        "engine": engine,
        "workload": workload.name,
        "rounds": rounds,
        "workers": {str(size): _medians(turns[size]) for size in sizes},
        "ratio": {
            str(size): round(
                statistics.median(
                    more["pace"] / one["pace"] for more, one in zip(turns[size], turns[1], strict=True)
                ),
                3,
            )
            for size in sizes
        },
    }


def _medians(turns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(one[name] for one in turns), 3) for name in turns[0]}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; exit 0 whether or not the target is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="batches of each size")
    parser.add_argument("--goals", type=int, default=30, help="timed goals for each worker")
    parser.add_argument(
        "--workers", type=int, nargs="+", default=[1, 2], help="sizes; 1 is always among them"
    )
    parser.add_argument("--engine", choices=("ray", "local"), action="append", help="default: both")
    parser.add_argument("--json", action="store_true", help="print JSON (the default)")
    asked = parser.parse_args(argv)
    sizes = sorted({1, *asked.workers})
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "REFLECT_EXPERIENCE__ENABLED": "false"}
        # The script knows a model by the role it plays.
        os.environ |= {f"REFLECT_MODELS__{role.upper()}__NAME": f"ollama:{role}" for role in ROLES}
        rows = [
            compared(engine, workload, sizes, asked.goals, asked.rounds)
            for engine in asked.engine or ("ray", "local")
            for workload in (BYPASS, MODERATE)
        ]
    met_by = {
        row["workload"]: row["ratio"].get(str(TARGET["workers"]))
        for row in rows
        if row["engine"] == TARGET["engine"]
    }
    report = {"rows": rows, "target": TARGET, "measured": met_by, "latency_s": LATENCY}
    report |= {"processors": os.cpu_count(), "load": [round(one, 1) for one in os.getloadavg()]}
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
