"""The server behind HTTP: on this machine only unless told otherwise, and then with a token."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecuritySettings
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cli.mcp_server.calls import Calls
from cli.mcp_server.protocol import LEFT
from cli.mcp_server.signals import EXIT_BY_SIGNAL, awaited_signals
from configs.errors import UsageError

PATH = "/mcp"
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_HTTP_PORT = 80
# Seconds connections have to take the last results once the process is asked to end.
_LAST_RESULTS = 2
# Seconds the last results have on their way from their calls to their connections, which are in a few tasks.
_HANDOVER = 0.2


@dataclass(frozen=True)
class Door:
    """Where the server listens, and whom it lets in.

    Attributes:
        host, port: to listen at; port 0 takes any that is free.
        token: a client must show; empty for none.
        names: further names clients may call the server by.
    """

    host: str
    port: int
    token: str = field(default="", repr=False)
    names: tuple[str, ...] = ()


def door_of(host: str, port: int, token_variable: str | None, names: Sequence[str]) -> Door:
    """What the flags say.

    Args:
        host: see `Door`.
        port: see `Door`.
        token_variable: environment variable that holds the token; None for none.
        names: see `Door`.

    Raises:
        UsageError: the variable holds no token, or other machines could come in without one.
    """
    token = os.environ.get(token_variable, "").strip() if token_variable else ""
    if token_variable and not token:
        raise UsageError(
            f"The environment variable {token_variable} that --token-env names holds no token.",
            "Set it to a long random text, and give clients the same.",
        )
    if not token and not _is_loopback(host):
        raise UsageError(
            f"Other machines can reach {host}, and nothing would keep them out.",
            "Name an environment variable that holds a token by --token-env, or leave --host out.",
        )
    return Door(host, port, token, tuple(names))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bound(door: Door) -> socket.socket:
    """A socket that listens there.

    Raises:
        UsageError: the port is taken, or the host is none of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            door.host, door.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _unusable(door, error) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        raise _unusable(door, error) from error
    return listener


def _unusable(door: Door, error: OSError) -> UsageError:
    return UsageError(
        f"The server cannot listen at {door.host} port {door.port}: {error.strerror}.",
        "Choose another port by --port (0 takes any that is free), or another --host.",
    )


def application(server: Server[Any], door: Door, port: int) -> ASGIApp:
    """The server as an ASGI application.

    Args:
        server: it.
        door: whom it lets in.
        port: it listens at.
    """
    app: ASGIApp = server.streamable_http_app(
        streamable_http_path=PATH, host=door.host, transport_security=allowed(door, port)
    )
    guarded = app
    if door.token:
        required = RequireAuthMiddleware(app, [])
        guarded = AuthenticationMiddleware(required, backend=BearerAuthBackend(_OneToken(door.token)))

    async def entry(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        left = asyncio.Event()

        async def watched() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect":
                left.set()
            return message

        await guarded({**scope, LEFT: left}, watched, send)

    return entry


def allowed(door: Door, port: int) -> TransportSecuritySettings:
    """The Host and Origin headers that are let in; a page whose name was made to point here has others."""
    own = {_in_address(door.host), *_LOOPBACK}
    hosts = {f"{name}:{port}" for name in own} | ({*own} if port == _HTTP_PORT else set())
    # Behind a proxy, a further name stands without our port, and may be one of https.
    named = {_in_address(name) for name in door.names}
    hosts |= named | {f"{name}:{port}" for name in named}
    origins = {f"http://{host}" for host in hosts} | {f"https://{name}" for name in named}
    return TransportSecuritySettings(allowed_hosts=sorted(hosts), allowed_origins=sorted(origins))


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host.lower()


class _OneToken:
    """Lets in whoever shows the token.

    Args:
        token: it.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """See `mcp.server.auth.provider.TokenVerifier`."""
        if not hmac.compare_digest(token.encode(), self._token):
            return None
        return AccessToken(token=token, client_id="bearer", scopes=[])


class _Listener(uvicorn.Server):
    """Leaves signals to `serve`, which ends the calls first."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """See `uvicorn.Server`."""
        yield


async def serve(server: Server[Any], calls: Calls, door: Door, listener: socket.socket) -> int:
    """Serve clients until the process is asked to end; gives the exit code."""
    port = listener.getsockname()[1]
    config = uvicorn.Config(
        application(server, door, port),
        log_config=None,
        access_log=False,
        ws="none",
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=_LAST_RESULTS,
    )
    web = _Listener(config)
    with awaited_signals() as asked:
        serving = asyncio.ensure_future(web.serve(sockets=[listener]))
        sys.stderr.write(f"Serving MCP at http://{_in_address(door.host)}:{port}{PATH}\n")
        sys.stderr.flush()
        await _either(serving, asked)
        if asked.done():
            await calls.end(asked.result())
            await asyncio.sleep(_HANDOVER)
            # Unlike a mere `should_exit`, this also ends the streams that clients keep open to listen; that
            # these are cut off in the middle is no error.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            web.handle_exit(signal.Signals[asked.result()], None)
        await serving
        return EXIT_BY_SIGNAL[asked.result()] if asked.done() else 1


async def _either(*awaited: asyncio.Future[Any]) -> None:
    await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
