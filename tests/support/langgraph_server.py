"""LangGraph's development server, started as `langgraph dev` starts it, in a directory of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import ROOT, free_port, stop, wait_until

START_SECONDS = 120


@dataclass(frozen=True)
class Served:
    """A running server: its address, the directory it works in, its process."""

    url: str
    home: Path
    process: subprocess.Popen[str]


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/ok", timeout=1) as reply:
            return bool(json.loads(reply.read()).get("ok"))
    except OSError:
        return False


def environment_of(home: Path, **variables: str) -> dict[str, str]:
    """What this machine has set, away from its own settings and its own home."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "LANGSMITH"))
    }
    own = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "HOME": str(home), "PYTHONPATH": str(ROOT)}
    kept.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return kept | own | variables


@contextlib.contextmanager
def served(home: Path, port: int | None = None, **variables: str) -> Iterator[Served]:
    """A server in a directory, with the repository's langgraph.json; killed or not, it is gone afterwards."""
    config = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    (home / "langgraph.json").write_text(json.dumps(config | {"dependencies": [str(ROOT)]}), "utf-8")
    port = port or free_port()
    program = shutil.which("langgraph", path=str(Path(sys.executable).parent)) or "langgraph"
    command = [program, "dev", "--no-browser", "--no-reload", "--n-jobs-per-worker", "10"]
    command += ["--port", str(port), "--host", "127.0.0.1"]
    log = home / "server.log"
    with log.open("a") as written:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=environment_of(home, **variables),
            stdout=written,
            stderr=written,
            text=True,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            ready = wait_until(START_SECONDS, lambda: answers(url) or process.poll() is not None)
            assert ready and process.poll() is None, log.read_text()[-3000:]
            yield Served(url, home, process)
        finally:
            stop(process)
