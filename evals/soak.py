"""Processes killed at random while they change files: `python -m evals.soak --minutes 10 --json`.

Runs of seven changes each (a directory, a file, an edit, a move, a delete, a program, a command; see
`evals.soak_runs`) go on in one project: through a `langgraph dev` server, and in worker processes on one
database of threads. Server and workers are killed with SIGKILL at random moments, started again, and each
run is gone on with, until the time is over; what is left is then resumed to its end. Every run is held
against the files it was to change:

- lost: a change a run says was made and that is not there, and runs that never come to an end;
- repeated: a change that is there twice;
- hidden: a change that is there, and the run says neither that it was made nor that it may have been;
- uncertain: a program or command that was cut short, which is not run again: a person must look; all of
  them are shown in the answer (uncertain_shown);
- exits by themselves: a server or worker that ended before it was killed.

Another server is never killed. Its memory and descriptors after its first runs and at the end show whether
anything leaks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from evals.report import machine_facts
from evals.serving import MEGABYTE, Serving, leave_on_sigterm, used
from evals.soak_driving import Killed, KilledServer, KilledWorker, drive_server, drive_worker
from evals.soak_runs import Work, judged

WORKERS = 2
AT_ONCE = 4
"""Runs at once at each server; a worker takes as many as it likes."""
JOBS = 10
WARM_RUNS = 8
"""Runs of the server that is not killed before its memory is looked at first."""
LIFE = {"server": (4.0, 25.0), "worker": (1.0, 15.0)}
"""Seconds a process lives after it is ready, at least and at most."""
FINISH_SECONDS = 240.0
NO_MODEL = "http://127.0.0.1:9"


@dataclass
class Soak:
    """All that goes on.

    Attributes:
        place: holds the project, its scripts, and what servers and workers keep.
        rng: decides who is killed when.
        until: monotonic seconds when the last run is begun and the last process killed.
        works: the runs of each kind of process; "calm" is the server that is not killed.
    """

    place: Path
    rng: random.Random
    until: float
    works: dict[str, list[Work]] = field(default_factory=lambda: {"server": [], "worker": [], "calm": []})

    def over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.until

    def new(self, kind: str) -> Work | None:
        """Another run for a kind of process; None when the time is over."""
        if self.over():
            return None
        work = Work(1 + sum(map(len, self.works.values())), self.place)
        work.lay_out()
        self.works[kind].append(work)
        return work

    async def killing(self, process: Killed, kind: str) -> None:
        """Kill a process at random moments and start it again, until the time is over."""
        while not self.over():
            await asyncio.to_thread(process.ready)
            await asyncio.sleep(min(self.rng.uniform(*LIFE[kind]), max(0.0, self.until - time.monotonic())))
            if self.over():
                return
            await asyncio.to_thread(process.restart)

    async def begin(self, kind: str, drive: Callable[[Work], Any]) -> None:
        """Begin one run after the other."""
        while (work := self.new(kind)) is not None:
            await drive(work)


async def soak(place: Path, minutes: float, seed: int, url_env: str) -> dict[str, Any]:
    """Everything; gives the figures."""
    shared = (("REFLECT_CHECKPOINTS__URL_ENV", url_env),) if url_env else ()
    with ExitStack() as stack:
        (place / "project").mkdir()
        calm = KilledServer(Serving(place / "calm", NO_MODEL, JOBS, shared))
        server = KilledServer(Serving(place / "server", NO_MODEL, JOBS, shared))
        workers = [KilledWorker(place, number, shared) for number in range(WORKERS)]
        processes: list[Killed] = [calm, server, *workers]
        for process in processes:
            stack.callback(process.stop)
            await asyncio.to_thread(process.start)
        going = Soak(place, random.Random(seed), time.monotonic() + 60 * minutes)
        leaks: list[dict[str, float]] = []
        drives = _drives(going, server, calm, workers)
        killing = [
            going.killing(server, "server"),
            *(going.killing(worker, "worker") for worker in workers),
            _watched(calm, going, leaks),
        ]
        finishing = asyncio.gather(*drives, *killing)
        try:
            async with asyncio.timeout(60 * minutes + FINISH_SECONDS):
                await finishing
        except TimeoutError:
            sys.stderr.write("Some runs did not come to their end; they are counted as unfinished.\n")
        leaks.append(_figures(calm, going))
        kinds = {name: judged(works) for name, works in going.works.items()}
        everything = judged([work for works in going.works.values() for work in works])
        del everything["told"]
        return {
            "kills": {
                "server": server.kills,
                "worker": sum(worker.kills for worker in workers),
            },
            "exits_by_themselves": {
                "server": server.failures,
                "worker": sum(worker.failures for worker in workers),
            },
            **everything,
            "by_process": kinds,
            "leaks": _leaks(leaks),
        }


def _drives(
    going: Soak, server: KilledServer, calm: KilledServer, workers: Sequence[KilledWorker]
) -> list[Any]:
    """What begins runs, some at once for each process."""
    driven = [("server", partial(drive_server, server)), ("calm", partial(drive_server, calm))]
    driven += [("worker", partial(drive_worker, worker)) for worker in workers]
    return [going.begin(kind, drive) for kind, drive in driven for _ in range(AT_ONCE)]


async def _watched(calm: KilledServer, going: Soak, leaks: list[dict[str, float]]) -> None:
    """Note what the server that is not killed uses, once it is warm."""
    while sum(work.ended is not None for work in going.works["calm"]) < WARM_RUNS and not going.over():
        await asyncio.sleep(0.5)
    leaks.append(_figures(calm, going))


def _figures(calm: KilledServer, going: Soak) -> dict[str, float]:
    now = used(calm.pid)
    ended = sum(work.ended is not None for work in going.works["calm"])
    return {
        "runs": ended,
        "rss_mb": round(now.rss / MEGABYTE, 1),
        "descriptors": now.descriptors,
        "threads": now.threads,
    }


def _leaks(figures: Sequence[dict[str, float]]) -> dict[str, Any]:
    """First and last figures, and what a run adds to the memory."""
    first, last = figures[0], figures[-1]
    runs = last["runs"] - first["runs"]
    grown = (last["rss_mb"] - first["rss_mb"]) * 1024 / runs if runs else 0.0
    return {"first": first, "last": last, "rss_kb_a_run": round(grown, 1)}


def verdicts(figures: dict[str, Any]) -> dict[str, Any]:
    """Each target beside what was counted; all of them are none."""
    counted = {
        "lost": figures["lost"] + figures["unfinished"],
        "repeated": figures["repeated"],
        "hidden": figures["hidden"],
        "uncertain_left_unsaid": figures["uncertain"] - figures["uncertain_shown"],
        "exits_by_themselves": sum(figures["exits_by_themselves"].values()),
    }
    return {name: {"most": 0, "measured": count, "met": count == 0} for name, count in counted.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; exit code 0 if each target is met, and something was killed and done."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="until the last kill (default: 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--url-env", default="", metavar="VARIABLE", help="holds a postgres:// URL that all processes share"
    )
    parser.add_argument("--json", action="store_true", help="one line instead of an indented document")
    given = parser.parse_args(argv)
    if given.minutes <= 0:
        parser.error("--minutes takes more than 0")
    leave_on_sigterm()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        figures = asyncio.run(soak(Path(name).resolve(), given.minutes, given.seed, given.url_env))
    targets = verdicts(figures)
    result = {
        "suite": "soak",
        "machine": machine_facts(),
        "minutes": given.minutes,
        "seed": given.seed,
        **figures,
        "load_average": round(os.getloadavg()[0], 1),
        "targets": targets,
    }
    sys.stdout.write(json.dumps(result, indent=None if given.json else 2) + "\n")
    # A soak in which nothing was killed or done has shown nothing.
    shown = sum(figures["kills"].values()) > 0 and figures["effects"] > 0
    return 0 if shown and all(target["met"] for target in targets.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
