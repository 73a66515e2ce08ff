"""The figures of a load: throughput beside what latency and processor allow, waiting, errors."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from evals.load_runs import Ended
from evals.serving import Server, model_calls, used


@dataclass(frozen=True)
class Asked:
    """What is measured.

    Attributes:
        runs: begun at once.
        jobs: runs a server works on at once.
        servers: asked by turns.
        latency: seconds of a model call.
        url_env: variable that holds a postgres:// URL all servers share; empty for a file each.
    """

    runs: int
    jobs: int
    servers: int
    latency: float
    url_env: str


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


def rates(asked: Asked, start: Moment, end: Moment, ended: Sequence[Ended]) -> dict[str, Any]:
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
