"""Processes that benchmarks of a server start and stop, and what they use: processor, memory, descriptors.

A model server with a known pace (`evals.model_server`), LangGraph's development server with the repository's
langgraph.json, and their figures as psutil reads them. Everything listens on loopback, works in a directory
of its own and is stopped by its process id.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import yaml

from configs.errors import UsageError
from models.scripted import Script

ROOT = Path(__file__).resolve().parent.parent
_START_SECONDS = 180.0
_STOP_SECONDS = 15.0
_PAUSE = 0.1
MEGABYTE = 2**20


@dataclass(frozen=True)
class Used:
    """What a process and those it started used so far.

    Attributes:
        cpu: seconds of the processor, in user and system mode, of the process, of the processes it waited
            for, and of those that live.
        rss: bytes in memory, of the process alone.
        descriptors: open ones of the process.
        threads: of the process.
    """

    cpu: float
    rss: int
    descriptors: int
    threads: int


def used(pid: int) -> Used:
    """What a process uses now.

    Raises:
        psutil.NoSuchProcess: it has ended.
    """
    process = psutil.Process(pid)
    times = process.cpu_times()
    cpu = times.user + times.system + times.children_user + times.children_system
    for child in process.children(recursive=True):
        # One that ends meanwhile is counted with its parent from then on.
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            own = child.cpu_times()
            cpu += own.user + own.system
    return Used(cpu, process.memory_info().rss, process.num_fds(), process.num_threads())


def peak_rss(pid: int) -> int:
    """Most bytes a process ever had in memory (VmHWM of proc(5))."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii", "replace").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


@dataclass(frozen=True)
class Server:
    """A running process that answers at an address."""

    url: str
    process: subprocess.Popen[str]

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    def kill(self) -> None:
        """End it as a crash would (SIGKILL), and wait until it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(_STOP_SECONDS)


@contextlib.contextmanager
def model_server(place: Path, script: Script, latency: float) -> Iterator[Server]:
    """A scripted model server in a process of its own.

    Args:
        place: the script's file is written there.
        script: what is said, by role.
        latency: seconds of a call.
    """
    written = place / "script.yaml"
    written.write_text(yaml.safe_dump(script.model_dump(mode="json", exclude_defaults=True)), "utf-8")
    command = [
        sys.executable,
        "-m",
        "evals.model_server",
        "--script",
        str(written),
        "--latency",
        str(latency),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}", process)
        finally:
            stop(process)


def model_calls(server: Server) -> int:
    """Calls a model server answered since its start."""
    return sum(read_json(f"{server.url}/stats")["calls"].values())


@dataclass(frozen=True)
class Serving:
    """How LangGraph's development server is started.

    Attributes:
        home: the directory it works in and its home; made when missing.
        model_url: of the server that Ollama models are asked at.
        jobs: runs it works on at once.
        variables: further ones of its environment.
    """

    home: Path
    model_url: str
    jobs: int
    variables: tuple[tuple[str, str], ...] = ()

    def start(self, port: int) -> Server:
        """Start it; it answers when this returns.

        Raises:
            UsageError: LangGraph's server is not installed, or did not start.
        """
        self.home.mkdir(parents=True, exist_ok=True)
        given = json.loads((ROOT / "langgraph.json").read_text("utf-8")) | {"dependencies": [str(ROOT)]}
        (self.home / "langgraph.json").write_text(json.dumps(given), "utf-8")
        log = self.home / "server.log"
        with log.open("a") as written:
            process = subprocess.Popen(
                [*_program(), "--n-jobs-per-worker", str(self.jobs), "--port", str(port)],
                cwd=self.home,
                env=self._environment(),
                stdout=written,
                stderr=written,
                text=True,
            )
        server = Server(f"http://127.0.0.1:{port}", process)
        try:
            _wait_for(server, log)
        except BaseException:
            stop(process)
            raise
        return server

    def _environment(self) -> dict[str, str]:
        """What this machine has set, away from its own settings and its own home."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("REFLECT_", "LANGSMITH", "OLLAMA_"))
        }
        # Vectors of fixed texts are computed once per machine, not once per measurement.
        kept.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        own = {
            "LANGGRAPH_CLI_NO_ANALYTICS": "1",
            "LOG_LEVEL": "WARNING",
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "OLLAMA_HOST": self.model_url,
        }
        return kept | own | dict(self.variables)


@contextlib.contextmanager
def served(servings: Sequence[Serving]) -> Iterator[list[Server]]:
    """Servers that run until the block ends."""
    with contextlib.ExitStack() as stack:
        servers = []
        for serving in servings:
            server = serving.start(free_port())
            stack.callback(stop, server.process)
            servers.append(server)
        yield servers


def leave_on_sigterm() -> None:
    """Have SIGTERM end this process as an exception does, so that the processes it started are stopped."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, leave)


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def read_json(url: str) -> Any:
    """What a server of this machine answers."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=10) as reply:
        return json.loads(reply.read())


def _program() -> list[str]:
    found = shutil.which("langgraph", path=str(Path(sys.executable).parent)) or shutil.which("langgraph")
    if found is None:
        raise UsageError(
            "LangGraph's server is not installed.", "Install it: pip install 'reflective-graph[server]'."
        )
    return [found, "dev", "--no-browser", "--no-reload", "--allow-blocking", "--host", "127.0.0.1"]


def _wait_for(server: Server, log: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and server.process.poll() is None:
        with contextlib.suppress(OSError, ValueError):
            if read_json(f"{server.url}/ok").get("ok"):
                return
        time.sleep(_PAUSE)
    raise UsageError(
        f"LangGraph's server did not start within {_START_SECONDS:g} s: {log.read_text()[-1000:]}",
        f"Read {log.name} in its directory, or start `langgraph dev` by hand.",
    )


def stop(process: subprocess.Popen[str]) -> None:
    """End a process by SIGTERM, and by SIGKILL if it takes too long."""
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(_STOP_SECONDS)
