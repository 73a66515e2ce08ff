"""A Chroma server of the tests' own: the program that comes with the package, stopped by process id."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.support.processes import free_port, wait_until

_STARTING_SECONDS = 30.0


def program() -> Path | None:
    """The program `chroma`, or None where it is not installed."""
    beside = Path(sys.executable).with_name("chroma")
    found = str(beside) if beside.exists() else shutil.which("chroma")
    return Path(found) if found else None


@dataclass
class ChromaProcess:
    """A server.

    Attributes:
        place: its directory.
        port: on 127.0.0.1.
        process: the server, or None while it is stopped.
    """

    place: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        found = program()
        assert found is not None, "no chroma is installed"
        command = [str(found), "run", "--path", str(self.place / "data"), "--host", "127.0.0.1"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.place,
            env={**os.environ, "ANONYMIZED_TELEMETRY": "false"},
        )
        assert wait_until(_STARTING_SECONDS, self.answers), "Chroma does not start"

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/v2/heartbeat", timeout=1, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """An end without warning."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)
            self.process = None

    def lose_everything(self) -> None:
        shutil.rmtree(self.place / "data")


@contextlib.contextmanager
def chroma_process() -> Iterator[ChromaProcess]:
    """A running server on a free port."""
    with tempfile.TemporaryDirectory(prefix="chroma-") as place:
        server = ChromaProcess(Path(place), free_port())
        try:
            server.start()
            yield server
        finally:
            server.kill()
