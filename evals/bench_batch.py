"""What more workers bring to a batch: `python -m evals.bench_batch --json`.

Goals whose time is a model's go to 1, 2 ... workers of each engine, by turns, at a scripted server that
takes 100 ms a call (`evals.model_server`): one goal is one call (`bypass`), or a plan of 4 steps with its
calls and tools (`moderate, 4 steps`). A turn is a `reflect batch` in a process of its own.

`pace` is goals a second between the line that ended the warming up (`WARM` goals for each worker, which
load what stays loaded) and the last one, by the times in the lines; `whole_s` is the command from its start
to its end. `ratio` is the median, over the rounds, of a round's pace to that of one worker in the same
round. The load of the machine stands beside: between its calls a goal computes, on processors that are
shared with whoever else is at work.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from evals.fixture_repository import build_fixture_repository
from evals.graph_workloads import BYPASS, MODERATE, Workload

TARGET = {"engine": "ray", "workers": 2, "ratio": 1.8}
LATENCY = 0.1
WARM = 3
ROLES = ("classifier", "planner", "worker", "verifier")


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


def turn(
    engine: str, workers: int, workload: Workload, place: Path, goals: Sequence[str]
) -> dict[str, float]:
    """One batch: its pace, and its whole time.

    Raises:
        RuntimeError: a goal failed, or has no line.
    """
    root, out = build_fixture_repository(place / "project"), place / "results.jsonl"
    (place / "goals.jsonl").write_text("".join(json.dumps({"goal": text}) + "\n" for text in goals), "utf-8")
    command = [sys.executable, "-m", "cli.main", "batch", str(place / "goals.jsonl"), f"--out={out}"]
    command += [
        f"--engine={engine}",
        f"--workers={workers}",
        f"--root={root}",
        "--model=ollama:worker",
        "--quiet",
    ]
    started = time.perf_counter()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    whole = time.perf_counter() - started
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    if ran.returncode or len(lines) != len(goals):
        raise RuntimeError(f"{workload.name} by {engine}: {ran.stdout}{ran.stderr}")
    ends = [datetime.fromisoformat(line["ended"]).timestamp() for line in lines]
    warm = WARM * workers
    pace = (len(ends) - warm) / (ends[-1] - ends[warm - 1])
    return {"pace": round(pace, 3), "whole_s": round(whole, 2)}


def compared(
    engine: str, workload: Workload, sizes: Sequence[int], goals_per_worker: int, rounds: int
) -> dict[str, Any]:
    """An engine with one worker and with more of them, by turns."""
    rng, turns = random.Random(0), dict[int, list[dict[str, float]]]({size: [] for size in sizes})
    for number in range(rounds):
        # Whoever comes first in a round meets another machine than the last.
        for size in sizes if number % 2 else reversed(sizes):
            goals = [workload.goal(rng) for _ in range((goals_per_worker + WARM) * size)]
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
    measured = {
        row["workload"]: row["ratio"].get(str(TARGET["workers"]))
        for row in rows
        if row["engine"] == TARGET["engine"]
    }
    report = {"rows": rows, "target": TARGET, "measured": measured, "latency_s": LATENCY}
    report |= {"processors": os.cpu_count(), "load": [round(one, 1) for one in os.getloadavg()]}
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
