"""Threads two hosts run at once over one Postgres, both killed: `python -m evals.crash_hosts --kills 100`.

Each trial lays out a project both hosts have, and lets two of them run the same thread, which changes files
as in `effects`. At random moments a host or the server is killed (the server one time in four), and started
again, until the thread's answer is there. The files are then held against what the run says:

- lost, repeated, hidden, uncertain: as in `effects`;
- together: changes two hosts were at in the same thread at the same time;
- failed: hosts that ended with an error, while no server was killed that would explain it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from configs.settings import Settings
from evals import crash
from evals.hosts import Host, can_be_hosts, start_host
from evals.postgres_server import Server, postgres_server
from graph.reflective import build
from memory.checkpoints import open_project_checkpointer
from memory.threads import alone_on
from models.scripted import register_script
from nodes.reflective.context import RunContext
from nodes.reflective.state import ReasoningState
from tools.toolbox import Toolbox

HOSTS = 2
OF_SERVER = 0.25
AGAIN = 0.6
"""How likely another kill follows in the same trial."""
EXPLAINED = 15.0
"""Seconds after a kill of the server in which a host may end with an error because of it."""
LONGEST = 180.0
"""Seconds a trial may take."""

BAD = ("lost", "repeated", "hidden", "together", "failed", "unfinished")


@dataclass
class Trial:
    """One project, which hosts come and go at.

    Attributes:
        place: its directory, and those of reports.
        server: keeps the thread.
        database: of this trial.
        apart: hosts cannot look at one another's processes.
        kills: what was killed, how often.
        hosts: those that are running.
        failed: hosts that ended with an error nothing explains.
        explained: when the errors that come of the last kill of the server are over.
    """

    place: Path
    server: Server
    database: str
    apart: bool
    kills: Counter[str] = field(default_factory=Counter)
    hosts: list[Host] = field(default_factory=list)
    failed: int = 0
    explained: float = 0.0

    @property
    def root(self) -> Path:
        """The project."""
        return self.place / "project"

    @property
    def report(self) -> Path:
        """The last state of the thread, once a host has come to its end."""
        return self.place / "report.json"

    def tend(self) -> None:
        """Have as many hosts at work as there are to be."""
        if time.monotonic() > self.explained:
            self.failed += sum(host.ended() and (host.code or 0) > 0 for host in self.hosts)
        self.hosts = [host for host in self.hosts if not host.ended()]
        while len(self.hosts) < HOSTS and not self.report.exists():
            self.hosts.append(start_host(self._work, apart=self.apart))

    def kill(self, rng: random.Random) -> None:
        """Kill a host or the server, which comes back a moment later."""
        if rng.random() < OF_SERVER:
            self.kills["server"] += 1
            self.server.stop()
            time.sleep(rng.uniform(0, 0.5))
            self.server.start()
            self.explained = time.monotonic() + EXPLAINED
        elif self.hosts:
            self.kills["hosts"] += 1
            rng.choice(self.hosts).kill()

    def _work(self) -> None:
        log = os.open(self.place / "host.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(log, 2)
        note_changes(self.place / "changes.log")
        state = asyncio.run(run_thread(self.root, self.server.url(self.database)))
        written = self.place / f"report-{os.urandom(4).hex()}"
        written.write_text(state.model_dump_json())
        written.rename(self.report)


def note_changes(log: Path) -> None:
    """Write down when this process begins a change, and when it is through with it, one line each."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    run = Toolbox.run
    name = os.urandom(4).hex()

    async def noted(self: Toolbox, *args: Any, **kwargs: Any) -> Any:
        os.write(descriptor, f"{name} begins\n".encode())
        try:
            return await run(self, *args, **kwargs)
        finally:
            os.write(descriptor, f"{name} ends\n".encode())

    Toolbox.run = noted  # type: ignore[method-assign]  # notes, then does what it did


def together(log: Path) -> int:
    """How often a host began a change after another did, and before that other was through with a later one.

    One that was killed never ends its change; only a host that is heard of again afterwards was at work.
    """
    lines = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
    found = 0
    for index, (host, what) in enumerate(lines):
        if what != "begins":
            continue
        mine = next((at for at in range(index + 1, len(lines)) if lines[at][0] == host), None)
        if mine is not None:
            found += any(other != host and word == "begins" for other, word in lines[index:mine])
    return found


async def run_thread(root: Path, url: str) -> ReasoningState:
    """Begin the thread or go on with it, as the only one."""
    register_script("crash", crash.script())
    settings = Settings.model_validate({"checkpoints": {"path": url}})
    context = RunContext(
        root=str(root),
        model="scripted:crash",
        approval="yes",
        settings={"experience.enabled": False, "traces.enabled": False, "checkpoints.path": url},
    )
    config: RunnableConfig = {"configurable": {"thread_id": crash.THREAD}}
    async with alone_on(root, crash.THREAD, settings), open_project_checkpointer(root, settings) as saver:
        graph = build(saver)
        begun = bool((await graph.aget_state(config)).values)
        given: Any = None if begun else {"goal": crash.GOAL}
        values = await graph.ainvoke(given, config, context=context, durability="sync")
        values = values or dict((await graph.aget_state(config)).values)
    return ReasoningState.model_validate(values)


def trial(place: Path, server: Server, rng: random.Random, duration: float, apart: bool) -> Counter[str]:
    """Run the thread at two hosts, killing, until it has come to its end; gives the verdict."""
    place.mkdir()
    database = f"trial_{place.name.replace('-', '_')}"
    server.execute(f"CREATE DATABASE {database}")
    one = Trial(place, server, database, apart)
    crash.lay_out(one.root)
    started = time.monotonic()
    next_kill: float | None = started + rng.uniform(0, duration)
    try:
        while not one.report.exists() or one.hosts:
            one.tend()
            if not one.report.exists() and next_kill is not None and time.monotonic() >= next_kill:
                one.kill(rng)
                next_kill = time.monotonic() + rng.uniform(0, duration) if rng.random() < AGAIN else None
            if time.monotonic() - started > LONGEST:
                return one.kills + Counter(unfinished=1)
            time.sleep(0.005)
    finally:
        for host in one.hosts:
            host.kill()
        with contextlib.suppress(Exception):  # a database nobody needs any more
            server.execute(f"DROP DATABASE {database} WITH (FORCE)")
    state = ReasoningState.model_validate_json(one.report.read_text())
    verdict = crash.judge(crash.Trial(0, crash.found(one.root), state))
    found = Counter(together=together(place / "changes.log"), failed=one.failed)
    return one.kills + verdict + found


def hosts(kills: int, seed: int) -> dict[str, Any]:
    """Run trials until that many hosts and servers were killed."""
    rng = random.Random(seed)
    total: Counter[str] = Counter()
    trials, apart = 0, can_be_hosts()
    with postgres_server() as server, tempfile.TemporaryDirectory() as name:
        started = time.monotonic()
        calm = trial(Path(name) / "calm", server, _Calm(), float("inf"), apart)
        duration = time.monotonic() - started
        if calm["effects"] != len(crash.PLANNED) or any(calm[bad] for bad in BAD):
            raise RuntimeError(f"the plan does not come to its end even when nobody is killed: {calm}")
        while total["hosts"] + total["server"] < kills:
            total += trial(Path(name) / f"t-{trials}", server, rng, duration, apart)
            trials += 1
            sys.stderr.write(f"{trials} trials: {dict(total)}\n")
    names = ("effects", *BAD, "uncertain", "uncertain_shown")
    return {
        "seed": seed,
        "trials": trials,
        "kills": total["hosts"] + total["server"],
        "killed_hosts": total["hosts"],
        "killed_servers": total["server"],
        "hosts_apart": apart,
        "seconds_undisturbed": round(duration, 3),
        **{name: total[name] for name in names},
    }


class _Calm(random.Random):
    """Never comes to a kill."""

    def uniform(self, a: float, b: float) -> float:
        return float("inf")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the counts; exit code 0 if nothing was lost, repeated, hidden or left unsaid."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100, help="hosts and servers to kill (default: 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    counts = hosts(arguments.kills, arguments.seed)
    if arguments.json:
        sys.stdout.write(json.dumps(counts, indent=2) + "\n")
    else:
        for name, value in counts.items():
            sys.stdout.write(f"{name:>20}  {value}\n")
    return int(any(counts[name] for name in BAD) or counts["uncertain"] != counts["uncertain_shown"])


if __name__ == "__main__":
    sys.exit(main())
