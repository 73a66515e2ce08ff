"""Processes that tests start, and stop by process id."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


@contextlib.contextmanager
def ollama_server() -> Iterator[str]:
    """A running Ollama-protocol server; gives its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.ollama_server"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{json.loads(process.stdout.readline())['port']}"
    finally:
        stop(process)
        if process.stdout is not None:
            process.stdout.close()


def reflect(
    *arguments: str, home: Path, timeout: float = 120, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command in its own home, away from whatever this machine has set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "OLLAMA_"))}
    environment = kept | {"HOME": str(home), "PYTHONPATH": str(ROOT), **variables}
    # Weights are assembled once per machine, not once per test.
    environment.setdefault("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        timeout=timeout,
        check=False,
    )


def wait_until(seconds: float, ready: object) -> bool:
    """Poll a callable until it is true or the time is over."""
    assert callable(ready)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return True
        time.sleep(0.1)
    return False
