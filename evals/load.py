"""Many runs at once against a server: `python -m evals.load --runs 200 --jobs 10 --json`.

A scripted model server takes 100 ms for every call; `langgraph dev` serves the graphs over it, as
`reflect console` does; this process begins all runs at once, each in a thread of its own, and waits for
them. Each run is planned, looks into a file in the sandbox, is worded and judged, and must answer what the
file says. All three processes share the machine.

Two figures bound the throughput, runs a second, and both are given:

    ideal    = min(runs, jobs x servers) / (calls x latency)
    ceiling  = cores / (processor seconds a run)

`ideal` is that of a server that takes no time of its own: `jobs` is how many runs a server works on at once
(`--n-jobs-per-worker`; `reflect console` has 10), `calls` is how many the model server counted, one after the
other in a run. `ceiling` is what the cores can compute if the model took no time, by the processor time that
server, sandbox, model server and this process used in the same measurement. Where the ceiling is below the
ideal, more jobs add nothing but waiting. `cores_others_used` says how much of the machine was not ours;
`share_of_reachable` is against the smaller of the ideal and of a ceiling that counts what others left.

Errors are runs that failed, or answered anything else. Memory and descriptors are the servers'.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from evals.fixture_repository import build_fixture_repository
from evals.load_runs import Ended, goals, run_all, script
from evals.report import machine_facts
from evals.serving import (
    MEGABYTE,
    Server,
    Serving,
    leave_on_sigterm,
    model_calls,
    model_server,
    peak_rss,
    served,
    used,
)

TARGETS = {"share_of_ideal": 0.8, "errors": 0}
RUNS, JOBS, LATENCY = 200, "10", 0.1
WARM = 6
"""Runs before those that are counted: models and indexes are opened by the first ones."""


@dataclass(frozen=True)
class Moment:
    """What everything used up to a moment.

    Attributes:
        clock: seconds.
        servers, model, generator: processor seconds.
        busy: processor seconds of all the machine.
        calls: model calls answered.
    """

    clock: float
    servers: float
    model: float
    generator: float
    busy: float
    calls: int

    @classmethod
    def now(cls, servers: Sequence[Server], model: Server) -> Moment:
        """Read all of it."""
        own, machine = os.times(), psutil.cpu_times()
        return cls(
            time.perf_counter(),
            sum(used(server.pid).cpu for server in servers),
            used(model.pid).cpu,
            own.user + own.system,
            machine.user + machine.system + machine.nice + machine.irq + machine.softirq,
            model_calls(model),
        )


def bounds(
    runs: int, at_once: int, calls: float, latency: float, cores: int, work: float
) -> tuple[float, float]:
    """Runs a second that the model's latency allows, and that the processor does.

    Args:
        runs: begun at once.
        at_once: most that are worked on at once.
        calls: model calls of a run, one after the other.
        latency: seconds of a call.
        cores: of the machine.
        work: processor seconds of a run.
    """
    waits = calls * latency
    return (min(runs, at_once) / waits if waits else math.inf, cores / work if work else math.inf)


def quantile(values: Sequence[float], share: float) -> float:
    """The nearest-rank quantile of values."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _size(place: Path) -> int:
    """Bytes of all files below a directory; those that vanish meanwhile are none."""
    total = 0
    for directory, _, names in os.walk(place):
        for name in names:
            try:
                total += os.lstat(os.path.join(directory, name)).st_size
            except FileNotFoundError:
                continue
    return total


@dataclass(frozen=True)
class Asked:
    """What is measured: so many runs at so many servers with so many jobs each, at a model of a latency."""

    runs: int
    jobs: int
    servers: int
    latency: float
    url_env: str


def measure(asked: Asked) -> dict[str, Any]:
    """One row: servers are started, warmed up, measured and stopped."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="load-")))
        root = build_fixture_repository(place / "project")
        model = stack.enter_context(model_server(place, script(), asked.latency))
        shared = (("REFLECT_CHECKPOINTS__URL_ENV", asked.url_env),) if asked.url_env else ()
        homes = [place / f"server-{number}" for number in range(asked.servers)]
        servers = stack.enter_context(
            served([Serving(home, model.url, asked.jobs, shared) for home in homes])
        )
        words = goals(asked.runs + WARM * asked.servers)
        warm, counted = words[asked.runs :], words[: asked.runs]
        cold = asyncio.run(run_all(servers, warm, root))
        _refuse_broken(cold)
        sizes = [_size(root / ".reflect"), sum(_size(home) for home in homes)]
        start, before = Moment.now(servers, model), [used(server.pid) for server in servers]
        ended = asyncio.run(run_all(servers, counted, root))
        end, after = Moment.now(servers, model), [used(server.pid) for server in servers]
        return {
            "runs": asked.runs,
            "servers": asked.servers,
            "jobs_a_server": asked.jobs,
            **_rates(asked, start, end, ended),
            "memory": {
                "rss_mb_before": [round(one.rss / MEGABYTE) for one in before],
                "rss_mb_after": [round(one.rss / MEGABYTE) for one in after],
                "rss_mb_peak": [round(peak_rss(server.pid) / MEGABYTE) for server in servers],
                "descriptors": [
                    [old.descriptors, new.descriptors] for old, new in zip(before, after, strict=True)
                ],
                "threads": [new.threads for new in after],
            },
            "disk_bytes_a_run": {
                "project": round((_size(root / ".reflect") - sizes[0]) / asked.runs),
                "servers": round((sum(_size(home) for home in homes) - sizes[1]) / asked.runs),
            },
            "load_average": round(os.getloadavg()[0], 1),
        }


def _refuse_broken(ended: Sequence[Ended]) -> None:
    problems = [one.problem for one in ended if one.problem]
    if problems:
        raise SystemExit(f"{len(problems)} of {len(ended)} warm-up runs did not answer: {problems[0]}")


def _rates(asked: Asked, start: Moment, end: Moment, ended: Sequence[Ended]) -> dict[str, Any]:
    """Throughput beside its bounds, latencies, errors."""
    cores = len(os.sched_getaffinity(0))
    wall = end.clock - start.clock
    calls = (end.calls - start.calls) / asked.runs
    parts = {
        "servers": end.servers - start.servers,
        "model_server": end.model - start.model,
        "generator": end.generator - start.generator,
    }
    ours = sum(parts.values())
    ideal, ceiling = bounds(
        asked.runs, asked.jobs * asked.servers, calls, asked.latency, cores, ours / asked.runs
    )
    throughput = asked.runs / wall
    others = max(0.0, end.busy - start.busy - ours) / wall
    left = max(0.01, cores - others) * asked.runs / ours
    seconds = [one.seconds for one in ended]
    problems = Counter(one.problem for one in ended if one.problem)
    return {
        "seconds": round(wall, 2),
        "model_calls_a_run": round(calls, 2),
        "throughput_a_second": round(throughput, 2),
        "ideal_a_second": round(ideal, 2),
        "share_of_ideal": round(throughput / ideal, 3),
        "processor": {
            "ms_a_run": {name: round(1000 * part / asked.runs, 1) for name, part in parts.items()},
            "ceiling_a_second": round(ceiling, 2),
            "share_of_ceiling": round(throughput / ceiling, 3),
            "cores": cores,
            "cores_we_used": round(ours / wall, 2),
            "cores_others_used": round(others, 2),
        },
        "share_of_reachable": round(throughput / min(ideal, left), 3),
        "binds": "model" if ideal <= ceiling else "processor",
        "latency_s": {
            "p50": round(quantile(seconds, 0.5), 2),
            "p95": round(quantile(seconds, 0.95), 2),
            "most": round(max(seconds), 2),
        },
        "errors": sum(problems.values()),
        "problems": dict(problems.most_common(3)),
    }


def verdicts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Each target beside what was measured: the first row's share, the errors of all."""
    share, errors = rows[0]["share_of_ideal"], sum(row["errors"] for row in rows)
    return {
        "share_of_ideal": {
            "least": TARGETS["share_of_ideal"],
            "measured": share,
            "met": share >= TARGETS["share_of_ideal"],
        },
        "errors": {"most": TARGETS["errors"], "measured": errors, "met": errors <= TARGETS["errors"]},
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; exit code 0 if the targets are met."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.load",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"at once (default: {RUNS})")
    parser.add_argument(
        "--jobs", default=JOBS, metavar="N,N", help=f"of a server, a row each (default: {JOBS})"
    )
    parser.add_argument("--servers", type=int, default=1, metavar="N", help="asked by turns (default: 1)")
    parser.add_argument("--latency", type=float, default=LATENCY, metavar="SECONDS", help="of a model call")
    parser.add_argument(
        "--url-env", default="", metavar="VARIABLE", help="holds a postgres:// URL that all servers share"
    )
    parser.add_argument("--json", action="store_true", help="one line instead of an indented document")
    given = parser.parse_args(argv)
    leave_on_sigterm()
    rows = []
    for jobs in given.jobs.split(","):
        rows.append(measure(Asked(given.runs, int(jobs), given.servers, given.latency, given.url_env)))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    result = {
        "suite": "load",
        "machine": machine_facts(),
        "latency_s": given.latency,
        "rows": rows,
        "targets": verdicts(rows),
    }
    sys.stdout.write(json.dumps(result, indent=None if given.json else 2) + "\n")
    return 0 if all(target["met"] for target in result["targets"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
