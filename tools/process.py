"""Processes of one pipeline segment: connected by pipes, bounded in time, memory and output, never left."""

from __future__ import annotations

import asyncio
import contextvars
import fcntl
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import IO, Any, Protocol, TypeVar

from tools import child
from tools.child import Child, Stream
from tools.programs import environment, executable, program
from tools.sandbox.command import Start, confined
from tools.sandbox.confinement import Confinement
from tools.sandbox.protected import Ground, prepared, stands_on_ground

__all__ = [
    "BROKEN_PIPE",
    "STDERR_BYTES",
    "Confinement",
    "Segment",
    "environment",
    "opened",
    "program",
    "run_segment",
]

CHUNK = 65_536
STDERR_BYTES = 16_384
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


async def run_segment(
    commands: Sequence[Sequence[str]],
    stdin: IO[bytes] | None,
    limits: Confinement,
    cap: int,
    *,
    into: IO[bytes] | None = None,
) -> Segment:
    """Run a chain of commands and collect the last one's output.

    Args:
        commands: program and arguments of each process, already checked by the policy. A program with a slash
            is relative to the root.
        stdin: file the first process reads, or None for an empty input.
        limits: confinement of every process.
        cap: bytes of output after which everything is killed.
        into: file the output is written to instead of Segment.stdout.

    Raises:
        SandboxUnavailable: a program is not there, the sandbox cannot confine what is asked, or this
            process ignores SIGCHLD.
        OSError: a process cannot be started.
    """
    if not stands_on_ground(limits):
        return await _run(commands, stdin, limits, cap, into, Ground())
    ground = await opened(lambda: prepared(limits))
    try:
        return await _run(commands, stdin, limits, cap, into, ground)
    finally:
        closing = asyncio.get_running_loop().run_in_executor(None, ground.close)
        cancelled = await _done(closing)
        closing.result()
        if cancelled:
            raise asyncio.CancelledError


async def _run(
    commands: Sequence[Sequence[str]],
    stdin: IO[bytes] | None,
    limits: Confinement,
    cap: int,
    into: IO[bytes] | None,
    ground: Ground,
) -> Segment:
    """Run a chain on its ground."""
    processes: list[Child] = []
    errors = _diagnostics()
    try:
        try:
            chain = await opened(lambda: _confined(commands, limits, ground))
            try:
                output = await _start(chain, stdin, errors, limits, processes)
            finally:
                chain.close()
            stdout, capped = await _collect(output, cap, into)
            if capped:
                _kill(processes)
            returncodes = [await process.wait() for process in processes]
        finally:
            _kill(processes)
            await _ended(processes)
        return Segment(stdout, os.pread(errors, STDERR_BYTES, 0), returncodes, capped)
    finally:
        os.close(errors)


def _diagnostics() -> int:
    """A file in memory; two that write at once to one that does not append overwrite each other."""
    errors = os.memfd_create("diagnostics")
    fcntl.fcntl(errors, fcntl.F_SETFL, os.O_APPEND)
    return errors


async def _ended(processes: Sequence[Child]) -> None:
    """Wait for killed processes; a second cancellation does not make it leave before."""
    cancelled = [await _done(process.ended) for process in processes]
    if any(cancelled):
        raise asyncio.CancelledError


async def _done(future: asyncio.Future[Any]) -> bool:
    """Wait for what cannot be called off, however often the task is cancelled; gives whether it was.

    It takes no task: the end of `asyncio.run` cancels those at once, a shield around them or not.
    """
    cancelled = False
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            cancelled = True
    return cancelled


class Closing(Protocol):
    """Anything that is closed."""

    def close(self) -> None:
        """Give back what it holds."""


Opened = TypeVar("Opened", bound=Closing)


async def opened(make: Callable[[], Opened]) -> Opened:
    """Something made in a thread; closed when the task is cancelled meanwhile."""
    making = asyncio.get_running_loop().run_in_executor(None, contextvars.copy_context().run, make)
    if await _done(making):
        if making.exception() is None:
            making.result().close()
        raise asyncio.CancelledError
    return making.result()


@dataclass(frozen=True)
class _Chain:
    """Command lines of confined processes, their environment, and what they need open to start."""

    starts: list[Start]
    environment: dict[str, str]
    held: ExitStack

    def close(self) -> None:
        self.held.close()


def _confined(commands: Sequence[Sequence[str]], limits: Confinement, ground: Ground) -> _Chain:
    """Look programs up and write the command lines; it looks at files, so it runs in a thread."""
    inside = environment(limits.root)
    if ground.temporary is not None:
        inside["TMPDIR"] = ground.temporary.name
    with ExitStack() as held:
        starts = [
            held.enter_context(confined([executable(name, limits), *rest], name, limits, inside, ground))
            for name, *rest in commands
        ]
        return _Chain(starts, inside, held.pop_all())


async def _start(
    chain: _Chain,
    stdin: IO[bytes] | None,
    errors: int,
    limits: Confinement,
    processes: list[Child],
) -> int:
    """Start the chain; gives the descriptor the last output is read from."""
    previous: int | None = None
    try:
        for start in chain.starts:
            read_end, write_end = os.pipe()
            source: Stream = previous if previous is not None else stdin or subprocess.DEVNULL
            try:
                await _spawn(start, chain.environment, (source, write_end, errors), limits, processes)
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
    start: Start,
    inside: dict[str, str],
    streams: tuple[Stream, Stream, Stream],
    limits: Confinement,
    children: list[Child],
) -> None:
    """Start one program of the chain."""
    starting = child.begin(start.words, streams, limits.root, inside, start.descriptors)
    # Left before, it would run on unknown, and write to whatever has the numbers of its streams by then.
    cancelled = await _done(starting)
    try:
        children.append(child.watched(starting.result()))
    finally:
        if cancelled:
            raise asyncio.CancelledError


async def _collect(output: int, cap: int, into: IO[bytes] | None) -> tuple[bytes, bool]:
    """Read to the end or to the cap, and close the descriptor.

    It is closed here, and by nobody else: `connect_read_pipe` of uvloop, on which LangGraph's server runs,
    closes it twice, and the second time the number may be that of a file of another thread.
    """
    collected, total = bytearray(), 0
    os.set_blocking(output, False)
    try:
        while chunk := await _chunk(output):
            kept = chunk[: cap - total]
            total += len(chunk)
            if into is not None:
                await asyncio.to_thread(into.write, kept)
            else:
                collected += kept
            if total > cap:
                return bytes(collected), True
    finally:
        os.close(output)
    return bytes(collected), False


async def _chunk(output: int) -> bytes:
    """The next bytes of a descriptor that does not block; none at its end."""
    # A program that writes without a pause must not keep the loop to itself.
    await asyncio.sleep(0)
    while True:
        try:
            return os.read(output, CHUNK)
        except BlockingIOError:
            await _readable(output)


async def _readable(output: int) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(output, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(output)


def _kill(processes: Sequence[Child]) -> None:
    """Kill every process group that still lives."""
    for process in processes:
        if process.returncode is None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue  # it ended between the look and the signal
