"""Model servers that tests start, kill, stop and count the calls of."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import ROOT


@dataclass
class ModelHost:
    """A model server in a process of its own; `address` is without a path."""

    process: subprocess.Popen[str]
    address: str

    def calls(self) -> int:
        """Chat calls it answered, where it is one of `evals.model_server`."""
        with urllib.request.urlopen(f"{self.address}/stats", timeout=20) as reply:
            return sum(json.load(reply)["calls"].values())

    def kill(self) -> None:
        """Kill it, as a machine that loses its power."""
        self.process.kill()
        self.process.wait(10)

    def hang(self) -> None:
        """Stop its process: the system still takes connections for it, and nobody answers them."""
        os.kill(self.process.pid, signal.SIGSTOP)


@contextlib.contextmanager
def started(module: str, *arguments: str) -> Iterator[ModelHost]:
    """A server that tells its port in a line of JSON."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield ModelHost(process, f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}")
    finally:
        # A stopped process does not see a request to end.
        process.kill()
        process.wait(10)
        process.stdout.close()


@contextlib.contextmanager
def paced(script: Path, *, latency: float = 0.1, slots: int = 8, port: int = 0) -> Iterator[ModelHost]:
    """A server of `evals.model_server`."""
    pace = ("--latency", str(latency), "--slots", str(slots), "--port", str(port))
    with started("evals.model_server", "--script", str(script), *pace) as host:
        yield host
