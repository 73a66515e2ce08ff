"""Standard input and output as a client's line: messages only, one a line, whatever libraries print."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server

from cli.beside import beside
from cli.mcp_server.calls import Calls
from cli.mcp_server.signals import EXIT_BY_SIGNAL, awaited_signals
from configs.errors import UsageError

# Bytes of one message. A longer one is no use of the tools, whose texts have limits far below.
LONGEST_MESSAGE = 64_000_000
_CHUNK = 65_536
# Seconds a client has to take the last results once the process is asked to end, and between two looks.
_LAST_RESULTS = 2.0
_LOOK = 0.02


class Wire:
    """A client at two descriptors, in the shape the SDK's transport wants its streams.

    Waiting for the client is done in threads the end of the process does not wait for: one that reads
    standard input cannot be called back.

    Args:
        source: where messages come from.
        sink: where they go.

    Attributes:
        problem: why no more is read, although the client did not close its end; empty if nothing is wrong.
    """

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._unwritten = b""
        self._gone = False
        self.problem = ""

    @property
    def settled(self) -> bool:
        """True if nothing is left to be written."""
        return not self._unwritten or self._gone

    async def __aiter__(self) -> AsyncIterator[str]:
        """Messages, until the client closes its end, or sends what is none."""
        parts: list[bytes] = []
        length = 0
        while not self._gone and (chunk := await self._read()):
            first, *others = chunk.split(b"\n")
            parts.append(first)
            length += len(first)
            for other in others:
                yield b"".join(parts).decode("utf-8", "replace")
                parts, length = [other], len(other)
            if length > LONGEST_MESSAGE:
                self.problem = f"The client sent a message of over {LONGEST_MESSAGE} bytes."
                return

    async def _read(self) -> bytes:
        try:
            return bytes(await beside(os.read, self._source, _CHUNK))
        except OSError as error:
            self._lost(error)
            return b""

    def _lost(self, error: OSError) -> None:
        """The line is no more; that a client went away is nothing to speak of."""
        self._gone = True
        if not isinstance(error, ConnectionError):
            self.problem = f"The client's line broke: {error.strerror}."

    async def write(self, text: str) -> None:
        """Take a message; `flush` sends it."""
        self._unwritten += text.encode()

    async def flush(self) -> None:
        """Send what was taken; a client that went away gets nothing, and sends nothing any more."""
        try:
            if not self._gone:
                await beside(_write_all, self._sink, self._unwritten)
        except OSError as error:
            self._lost(error)
        finally:
            self._unwritten = b""


def _write_all(sink: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(sink, rest) :]


def claimed() -> Wire:
    """The client's line, out of the reach of everybody else for the rest of the process.

    From now on standard input is empty, for us and for every program we start, and what is printed to
    standard output goes to standard error.

    Raises:
        UsageError: one of them is closed.
    """
    try:
        source, sink = (fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3) for number in (0, 1))
        for end in (source, sink):
            # Whoever started us may share its own end, and have it return at once.
            os.set_blocking(end, True)
    except OSError as error:
        raise UsageError(
            "Standard input or output is closed, and a client speaks through both.",
            "Let the client start the server, or serve HTTP by --http.",
        ) from error
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
    os.close(nowhere)
    return Wire(source, sink)


async def serve(server: Server[Any], calls: Calls, wire: Wire) -> int:
    """Serve one client, until it closes its end or the process is asked to end; gives the exit code.

    Raises:
        UsageError: the client sent what nothing can be made of, or its line broke.
    """
    code = 0
    # The SDK takes no more of a stream than a Wire has.
    stream = cast("anyio.AsyncFile[str]", wire)
    with awaited_signals() as asked:
        async with anyio.create_task_group() as group:

            async def end_when_asked() -> None:
                nonlocal code
                name = await asked
                code = EXIT_BY_SIGNAL[name]
                await calls.end(name)
                await _sent(wire)
                group.cancel_scope.cancel()

            group.start_soon(end_when_asked)
            async with stdio_server(stream, stream) as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())
            group.cancel_scope.cancel()
    if wire.problem:
        raise UsageError(wire.problem, "Let the client start the server again.")
    return code


async def _sent(wire: Wire) -> None:
    """Give the last results time to be sent: each is handed over soon after its call has ended."""
    with anyio.move_on_after(_LAST_RESULTS):
        await asyncio.sleep(_LOOK)
        while not wire.settled:
            await asyncio.sleep(_LOOK)
