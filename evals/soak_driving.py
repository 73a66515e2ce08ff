"""Processes of a soak that are killed and started again, and how a run is brought to its end through them."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Protocol

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import LangGraphError

from evals.serving import ROOT, Server, Serving, free_port, stop
from evals.soak_runs import Work
from nodes.reflective.state import ReasoningState

log = logging.getLogger(__name__)
_PAUSE = 0.2
_READY_SECONDS = 180.0
PATIENCE = 120.0
"""Seconds a client waits for a run before it looks again."""


class Killed(Protocol):
    """A process that can be killed and started again."""

    def start(self) -> None:
        """Start it."""

    def ready(self) -> None:
        """Wait until it works."""

    def restart(self) -> None:
        """End it as a crash would (SIGKILL), and start it again."""

    def stop(self) -> None:
        """End it for good."""


class KilledServer:
    """A server that is started again at the same address, in the same directory."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._port = free_port()
        self._server: Server | None = None
        self._turn = threading.RLock()
        self._over = False
        self.kills = self.failures = 0

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._running().pid

    def start(self) -> None:
        """Start it, unless it was ended for good; it answers when this returns."""
        with self._turn:
            if not self._over:
                self._server = self._serving.start(self._port)

    def ready(self) -> None:
        """It was when it was started."""

    def restart(self) -> None:
        """End it as a crash would (SIGKILL), and start it again; one that ended by itself is counted."""
        with self._turn:
            if self._running().process.poll() is None:
                self._running().kill()
                self.kills += 1
            else:
                self.failures += 1
            self.start()

    def stop(self) -> None:
        """End it for good, also when another thread is about to start it."""
        self._over = True
        with self._turn:
            if self._server is not None:
                stop(self._server.process)

    def _running(self) -> Server:
        if self._server is None:
            raise RuntimeError("The server was not started.")
        return self._server


class KilledWorker:
    """A worker process, see `evals.soak_worker`."""

    def __init__(self, place: Path, number: int, variables: tuple[tuple[str, str], ...]) -> None:
        self.place, self.number = place, number
        self._variables = dict(variables)
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.RLock()
        self._over = False
        self.kills = self.failures = 0
        for name in ("jobs", "done"):
            (place / name).mkdir(exist_ok=True)

    def start(self) -> None:
        """Start it, unless it was ended for good."""
        with self._turn:
            if not self._over:
                self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        own = {"HOME": str(self.place / f"worker-{self.number}"), "PYTHONPATH": str(ROOT)}
        (self.place / f"worker-{self.number}").mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REFLECT_")}
        kept.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        with (self.place / f"worker-{self.number}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "evals.soak_worker", str(self.place), str(self.number)],
                cwd=self.place,
                env=kept | own | self._variables,
                stdout=log,
                stderr=log,
            )

    def ready(self) -> None:
        """Wait until it takes jobs; one that ended by itself is started again, and counted."""
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end and not self._mark().exists():
            self.revive()
            time.sleep(_PAUSE)

    def revive(self) -> None:
        """Start it again if it ended by itself."""
        # One that is being killed is dead for a moment; two of a number would both take its jobs.
        with self._turn:
            if not self._over and self._process is not None and self._process.poll() is not None:
                self.failures += 1
                self.start()

    def restart(self) -> None:
        """End it as a crash would (SIGKILL), and start it again; one that ended by itself is counted."""
        with self._turn:
            if self._process is not None and self._process.poll() is None:
                self._process.kill()
                self._process.wait()
                self.kills += 1
            else:
                self.failures += self._process is not None
            self.start()

    def stop(self) -> None:
        """End it for good, also when another thread is about to start it."""
        self._over = True
        with self._turn:
            if self._process is not None:
                self._process.kill()
                self._process.wait()

    def _mark(self) -> Path:
        pid = self._process.pid if self._process is not None else 0
        return self.place / f"ready-{self.number}-{pid}"


async def drive_worker(worker: KilledWorker, work: Work) -> None:
    """Give a run to a worker, and wait until it has ended there."""
    name = f"{worker.number}-{work.number:05}.json"
    job = {"thread": work.thread, "goal": work.goal, "context": work.context()}
    new = worker.place / "jobs" / f"{name}.new"
    new.write_text(json.dumps(job), "utf-8")
    os.replace(new, worker.place / "jobs" / name)
    done = worker.place / "done" / name
    while not done.exists():
        await asyncio.sleep(_PAUSE)
        worker.revive()
    told = json.loads(done.read_text("utf-8"))
    work.resumed += bool(told["resumed"])
    work.ended = ReasoningState.model_validate(told["values"])


async def drive_server(server: KilledServer, work: Work) -> None:
    """Bring a run to its end at a server that may vanish at any moment, as a careful client would."""
    while work.ended is None:
        try:
            async with get_client(url=server.url, timeout=PATIENCE) as client:
                given = await _settled(client, work)
                work.resumed += given is None
                values: Any = await client.runs.wait(
                    work.thread,
                    "reflective",
                    input=given,
                    context=work.context(),
                    durability="sync",
                    raise_error=False,
                )
                if isinstance(values, dict) and values.get("final_answer"):
                    work.ended = ReasoningState.model_validate(values)
        except (httpx.HTTPError, LangGraphError, OSError) as error:
            # The server is gone, or just comes back: the next attempt looks how far the run got.
            log.debug("run %s was cut off: %s", work.number, error)
        await asyncio.sleep(_PAUSE)


async def _settled(client: LangGraphClient, work: Work) -> Any:
    """The input a run needs now: its goal if it never began, None to go on.

    A server that was killed goes on by itself with runs that its list of threads knew of: those end first.
    """
    # Its list is written every ten seconds; a thread that it lost tells no state before it knows the graph.
    await client.threads.create(thread_id=work.thread, graph_id="reflective", if_exists="do_nothing")
    for run in await client.runs.list(work.thread):
        if run["status"] in ("pending", "running"):
            await client.runs.join(work.thread, run["run_id"])
    values = (await client.threads.get_state(work.thread))["values"]
    return None if values else {"goal": work.goal}
