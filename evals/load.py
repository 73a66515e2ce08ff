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
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from evals.fixture_repository import build_fixture_repository
from evals.load_figures import Asked, Moment, rates
from evals.load_runs import Ended, goals, run_all, script
from evals.report import machine_facts
from evals.serving import (
    MEGABYTE,
    Serving,
    leave_on_sigterm,
    model_server,
    peak_rss,
    served,
    used,
)

TARGETS = {"share_of_ideal": 0.8, "errors": 0}
RUNS, JOBS, LATENCY = 200, "10", 0.1
MOST_RUNS = 10_000
WARM = 6
"""Runs before those that are counted: models and indexes are opened by the first ones."""


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
            **rates(asked, start, end, ended),
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
    if not all(one.isdecimal() and int(one) for one in given.jobs.split(",")):
        parser.error(f"--jobs takes numbers from 1, separated by commas, not {given.jobs!r}")
    if not 1 <= given.runs <= MOST_RUNS or given.servers < 1 or given.latency <= 0:
        parser.error(f"--runs takes 1 to {MOST_RUNS}, --servers at least 1, --latency more than 0")
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
