"""A connection to a server of the Model Context Protocol, for as long as one piece of work takes.

Each piece of work connects anew: no session is left to guard between the steps of a run, which may be hours
and processes apart, and a program lives no longer than what it was started for.
"""

from __future__ import annotations

import asyncio
import errno
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from configs.mcp import McpConnection
from configs.redaction import escaped, without_secrets
from tools.errors import ToolError
from tools.sandbox.command import supervised

if TYPE_CHECKING:
    from mcp import Client

PACKAGE = "mcp"
INSTALL = "pip install 'reflective-graph[mcp]'."

_MOST_REASON = 200
_T = TypeVar("_T")


def is_installed() -> bool:
    """True if the package that speaks the protocol is there."""
    return importlib.util.find_spec(PACKAGE) is not None


async def to_its_end(work: Callable[[], Awaitable[_T]], seconds: float) -> _T:
    """Do work that holds connections; they are closed and their programs gone when this returns or raises.

    Args:
        work: what to do.
        seconds: after which it is cancelled. Ending a program that does not end by itself takes some more.

    Raises:
        TimeoutError: the time is up.
        CancelledError: the caller was cancelled.
        Exception: whatever the work raises; of a group of errors, the one it is about.
    """
    import anyio

    scope = anyio.CancelScope()

    async def working() -> _T:
        try:
            with scope, anyio.fail_after(seconds):
                return await work()
        except ExceptionGroup as group:
            # What is raised while a connection is open comes wrapped, once for each part of it.
            raise _first(group) from group
        raise asyncio.CancelledError

    # A task cancelled from outside anyio, or cancelled twice, would leave the server's process behind.
    task = asyncio.create_task(working())
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        scope.cancel()
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        if not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it as forgotten
        raise


def _first(group: ExceptionGroup[Exception]) -> Exception:
    """The error a group is about: one of our own if there is one, else its first."""
    own, _ = group.split(ToolError)
    error: Exception = own or group
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


@asynccontextmanager
async def connected(server: McpConnection) -> AsyncIterator[Client]:
    """A client of a server; use it inside `to_its_end`.

    A program starts in an empty directory of its own, so that it picks up no file of a project, with the
    variables that its settings name besides PATH, HOME and the like. What it writes to its standard error is
    thrown away. On Linux it dies with this process, with all it started.

    Raises:
        FileNotFoundError: the program is not on the PATH.
        Exception: it cannot be started or reached, or does not speak the protocol.
    """
    from mcp import Client

    # Its log repeats whatever a server writes, and a terminal would obey it.
    logging.getLogger(PACKAGE).setLevel(logging.CRITICAL)
    if server.url is not None:
        async with Client(server.url) as client:
            yield client
        return
    async with _started(server) as client:
        yield client


@asynccontextmanager
async def _started(server: McpConnection) -> AsyncIterator[Client]:
    import anyio
    from mcp import Client, StdioServerParameters, stdio_client

    program, *arguments = await asyncio.to_thread(_words, server.command)
    given = {name: os.environ[name] for name in server.env if name in os.environ}
    place = await asyncio.to_thread(tempfile.mkdtemp, prefix="reflect-mcp-")
    try:
        described = StdioServerParameters(
            command=program, args=arguments, env=given, cwd=place, encoding_error_handler="replace"
        )
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            async with Client(stdio_client(described, errlog=nowhere)) as client:
                yield client
    finally:
        with anyio.CancelScope(shield=True):
            # What a server left there is nobody's; what cannot be removed stays below the system's /tmp.
            await anyio.to_thread.run_sync(partial(shutil.rmtree, place, ignore_errors=True))


def _words(command: tuple[str, ...]) -> list[str]:
    """The program by its full path and its arguments, under a process that ends it with this one."""
    name, *arguments = command
    # A directory of the PATH that is not written in full would be one of whatever project this runs in.
    places = [place for place in os.get_exec_path() if place.startswith("/")]
    found = shutil.which(name, path=os.pathsep.join(places))
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    words = [str(Path(found)), *arguments]
    return supervised(words) if sys.platform == "linux" else words


def reason(error: BaseException) -> str:
    """An error by its kind and words, bounded and escaped."""
    said = error.what if isinstance(error, ToolError) else str(error)
    return escaped(f"{type(error).__name__}: {said}"[:_MOST_REASON])


def address(server: McpConnection) -> str:
    """How a server is reached, for a person: its address or its command, without secrets."""
    if server.url is not None:
        return str(without_secrets("url", server.url))
    return str(without_secrets("command", escaped(" ".join(server.command))))[:_MOST_REASON]
