"""`reflect mcp` as a real process, and the protocol's own client at it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from mcp import Client, StdioServerParameters, stdio_client

from tests.support.processes import ROOT, stop

Era = Literal["auto", "legacy"]
"""Protocol 2026-07-28, without a handshake, or the last one with."""
LONG = 300


@dataclass
class Told:
    """What a client was told of the progress of a call."""

    lines: list[tuple[float, str]] = field(default_factory=list)

    async def __call__(self, number: float, total: float | None, message: str | None) -> None:
        self.lines.append((number, message or ""))

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)

    @property
    def go_on(self) -> list[str]:
        """The words behind `reflect` that go on with the run."""
        return self.text.split("go on with: reflect ", 1)[1].split("\n")[0].split()


def script(folder: Path, **roles: Any) -> str:
    """Replies by role in a file, the last one repeated; gives the model's name."""
    path = folder / f"script-{len(list(folder.glob('script-*')))}.yaml"
    replies = {role: given if isinstance(given, list) else [given] for role, given in roles.items()}
    path.write_text(json.dumps({"roles": replies, "repeat_last": True}))
    return f"scripted:{path}"


def environment(home: Path, **variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "OLLAMA_"))}
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return kept | {"HOME": str(home), "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache} | variables


def command(root: Path, model: str, *flags: str) -> list[str]:
    return [sys.executable, "-m", "cli.main", "mcp", "--root", str(root), "--model", model, *flags]


@asynccontextmanager
async def stdio(
    root: Path, model: str, *flags: str, era: Era = "auto", log: Path | None = None, **variables: str
) -> AsyncIterator[Client]:
    """A client that starts the server itself, and ends it."""
    words = command(root, model, *flags)
    program = StdioServerParameters(
        command=words[0], args=words[1:], env=environment(root.parent, **variables), cwd=ROOT
    )
    with (log or Path(os.devnull)).open("w", encoding="utf-8") as errors:
        async with Client(stdio_client(program, errlog=errors), mode=era) as client:
            yield client


@contextlib.contextmanager
def http_server(
    root: Path, model: str, *flags: str, **variables: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server at a free port; gives its process and its address."""
    words = command(root, model, "--http", "--port", "0", *flags)
    process = subprocess.Popen(
        words, cwd=ROOT, env=environment(root.parent, **variables), stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        address = re.search(r"http://\S+", said)
        assert address is not None, said
        yield process, address[0]
    finally:
        stop(process)
        process.stderr.close()


@contextlib.contextmanager
def raw(root: Path, model: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A server whose standard input and output are the test's own."""
    process = subprocess.Popen(
        command(root, model),
        cwd=ROOT,
        env=environment(root.parent, **variables),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        stop(process)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def send(process: subprocess.Popen[str], method: str, number: int | None = None, **params: Any) -> None:
    """Write one message."""
    assert process.stdin is not None
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def shake_hands(process: subprocess.Popen[str]) -> None:
    """Open a connection of the era with a handshake."""
    client = {"name": "test", "version": "1"}
    send(process, "initialize", 1, protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
    assert received(process)["result"]["serverInfo"]["name"] == "reflective-graph"
    send(process, "notifications/initialized")


def received(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next message; every line has to be one."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(process.stdout.readline())
    return message
