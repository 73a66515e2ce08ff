"""Processes of one pipeline segment: connected by pipes, bounded in time, memory and output, never left."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO

from tools.errors import SandboxUnavailable
from tools.sandbox.bwrap import HOME, wrapped
from tools.sandbox.probe import Sandbox

TRUSTED = "/usr/bin:/bin"
CHUNK = 65_536
STDERR_BYTES = 16_384
# Diagnostics go to a file nothing else can reach; a flood of them ends the process.
ERROR_FILE_BYTES = 64 * 2**20
# 128 + SIGPIPE: the reader of a pipe had enough, as `head` does.
BROKEN_PIPE = (-signal.SIGPIPE, 128 + signal.SIGPIPE)


@dataclass
class Segment:
    """What a chain of processes did.

    Attributes:
        stdout: output of the last process, up to the cap.
        stderr: diagnostics of all, up to STDERR_BYTES.
        returncodes: exit code of each process.
        capped: True if the output reached the cap and the processes were killed.
    """

    stdout: bytes = b""
    stderr: bytes = b""
    returncodes: list[int] = field(default_factory=list)
    capped: bool = False


@dataclass(frozen=True)
class Confinement:
    """Limits of every process: where it runs, how much memory it may map, how long it may compute.

    Attributes:
        root: working directory, and all of the user's files that it sees.
        sandbox: isolation in force.
        memory_bytes: address space.
        seconds: processor time.
        writable: it may change files below the root, except in `.git` and `.reflect`.
        readable: more directories that it may read.
    """

    root: Path
    sandbox: Sandbox
    memory_bytes: int
    seconds: float
    writable: bool = False
    readable: tuple[Path, ...] = ()


@cache
def program(name: str) -> str:
    """Absolute path of a tool; only the system's own directories are trusted.

    Raises:
        SandboxUnavailable: the tool is not installed.
    """
    found = shutil.which(name, path=TRUSTED)
    if found is None:
        raise SandboxUnavailable(
            f"The tool {name!r} is not installed.", f"Install it, e.g. `apt-get install {name}`."
        )
    return found


def environment(root: Path) -> dict[str, str]:
    """The whole environment of a tool: no secret of the caller's gets in."""
    return {
        "PATH": TRUSTED,
        "LC_ALL": "C.UTF-8",
        "HOME": HOME,
        "TZ": os.environ.get("TZ", ""),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_ATTR_NOSYSTEM": "1",
    }


async def run_segment(
    commands: Sequence[Sequence[str]], stdin: IO[bytes] | None, limits: Confinement, cap: int
) -> Segment:
    """Run a chain of commands and collect the last one's output.

    Args:
        commands: program name and arguments of each process, already checked by the policy.
        stdin: file the first process reads, or None for an empty input.
        limits: confinement of every process.
        cap: bytes of output after which everything is killed.
    """
    processes: list[asyncio.subprocess.Process] = []
    errors = await opened(tempfile.TemporaryFile)
    try:
        try:
            output = await _start(commands, stdin, errors, limits, processes)
            stdout, capped = await _collect(output, cap)
            if capped:
                _kill(processes)
            returncodes = [await process.wait() for process in processes]
        finally:
            _kill(processes)
            await asyncio.gather(*(process.wait() for process in processes))
        return Segment(stdout, await asyncio.to_thread(_beginning, errors), returncodes, capped)
    finally:
        await asyncio.to_thread(errors.close)


async def opened(make: Callable[[], IO[bytes]]) -> IO[bytes]:
    """A file made in a thread; closed when the task is cancelled meanwhile."""
    making = asyncio.ensure_future(asyncio.to_thread(make))
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        (await making).close()
        raise


def _beginning(errors: IO[bytes]) -> bytes:
    errors.seek(0)
    return errors.read(STDERR_BYTES)


async def _start(
    commands: Sequence[Sequence[str]],
    stdin: IO[bytes] | None,
    errors: IO[bytes],
    limits: Confinement,
    processes: list[asyncio.subprocess.Process],
) -> int:
    """Start the chain; gives the descriptor the last output is read from."""
    previous: int | None = None
    try:
        for command in commands:
            read_end, write_end = os.pipe()
            source: int | IO[bytes] = (
                previous if previous is not None else stdin or asyncio.subprocess.DEVNULL
            )
            try:
                await _spawn(command, source, write_end, errors, limits, processes)
            finally:
                if previous is not None:
                    os.close(previous)
                os.close(write_end)
                previous = read_end
        output, previous = read_end, None
        return output
    finally:
        if previous is not None:
            os.close(previous)


async def _spawn(
    command: Sequence[str],
    source: int | IO[bytes],
    target: int,
    errors: IO[bytes],
    limits: Confinement,
    processes: list[asyncio.subprocess.Process],
) -> None:
    words, inside = await asyncio.to_thread(_line, command, limits)
    # No pipe is asyncio's own: its `wait` waits for the end of those too, which one that is full never sees.
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *(word.encode("utf-8", "surrogateescape") for word in words),
            stdin=source,
            stdout=target,
            stderr=errors,
            cwd=limits.root,
            env=inside,
            start_new_session=True,
        )
    )
    try:
        processes.append(await asyncio.shield(starting))
    except asyncio.CancelledError:
        # Cancelled on its way, it would be killed without its group.
        with suppress(OSError):
            processes.append(await starting)
        raise


def _line(command: Sequence[str], limits: Confinement) -> tuple[list[str], dict[str, str]]:
    """The whole command line and its environment; looks programs up, so it runs in a thread."""
    words = [command[0] if "/" in command[0] else program(command[0]), *command[1:]]
    inside = environment(limits.root)
    if limits.sandbox.binary is not None:
        words = wrapped(
            limits.sandbox.binary,
            limits.root,
            words,
            inside,
            writable=limits.writable,
            readable=limits.readable,
        )
    return _bounded(words, limits), inside


def _bounded(words: list[str], limits: Confinement) -> list[str]:
    """The command under util-linux's prlimit, so that the bounds hold from its first instruction."""
    bounds = {
        "as": limits.memory_bytes,
        "cpu": int(limits.seconds) + 1,
        "core": 0,
        "fsize": ERROR_FILE_BYTES,
    }
    options = [f"--{name}={value}:{value}" for name, value in bounds.items()]
    return [program("prlimit"), *options, "--", *words]


async def _collect(output: int, cap: int) -> tuple[bytes, bool]:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(output, "rb", buffering=0)
    )
    collected = bytearray()
    try:
        while chunk := await reader.read(CHUNK):
            collected += chunk
            if len(collected) > cap:
                return bytes(collected[:cap]), True
    finally:
        transport.close()
    return bytes(collected), False


def _kill(processes: Sequence[asyncio.subprocess.Process]) -> None:
    """Kill every process group that still lives."""
    for process in processes:
        if process.returncode is None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue  # it ended between the look and the signal
