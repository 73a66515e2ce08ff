"""`reflect mcp`: the engines as tools of a server of the Model Context Protocol."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import sys
from pathlib import Path

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8765


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "mcp", help="serve ask, research, think and past runs as tools of an MCP server"
    )
    parser.add_argument(
        "--root", default=".", metavar="DIR", help="directory all calls are about (default: here)"
    )
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument(
        "--http", action="store_true", help="serve streamable HTTP instead of standard input and output"
    )
    parser.add_argument(
        "--host",
        metavar="H",
        help="address to listen at (default: 127.0.0.1); any but this machine's needs --token-env",
    )
    parser.add_argument(
        "--port", type=_port, metavar="N", help=f"0 takes a free one (default: {DEFAULT_PORT})"
    )
    parser.add_argument(
        "--token-env", metavar="NAME", help="environment variable that holds the token clients must show"
    )
    parser.add_argument(
        "--allow-host", action="append", metavar="NAME", help="a further name clients may call the server by"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client has gone (0), or SIGTERM (143) or Ctrl-C (130) comes.

    Raises:
        ReflectError: it cannot be served; the message says why.
    """
    import logging

    from configs.errors import UsageError
    from configs.loading import load_settings
    from configs.root import resolve_root

    _check(arguments)
    root = resolve_root(arguments.root)
    # A mistake in the settings is told now, to whoever starts the server, and not in the first result.
    load_settings(root, {"model": arguments.model, "profile": arguments.profile})
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("The package mcp is not installed.", "pip install 'reflective-graph[mcp]'.")
    logging.basicConfig(format="%(levelname)s %(message)s", level=logging.WARNING)
    return _over_http(arguments, root) if arguments.http else _over_stdio(arguments, root)


def _over_stdio(arguments: argparse.Namespace, root: Path) -> int:
    from cli.ask_command import ended_at_once_by_ctrl_c

    with ended_at_once_by_ctrl_c():
        from cli.mcp_server.stdio import claimed, serve

        if sys.stdin is not None and sys.stdin.isatty():
            sys.stderr.write("Waiting for a client's messages on standard input; Ctrl-C ends it.\n")
        # Before the engines are loaded: what a library of theirs prints is no message.
        wire = claimed()
        from cli.mcp_server.calls import Calls
        from cli.mcp_server.engine_tool import Site
        from cli.mcp_server.protocol import server_of

    async def serving() -> int:
        calls = Calls()
        site = Site(root, arguments.model, arguments.profile)
        return await serve(server_of(site, calls), calls, wire)

    return asyncio.run(serving())


def _over_http(arguments: argparse.Namespace, root: Path) -> int:
    from cli.ask_command import ended_at_once_by_ctrl_c

    with ended_at_once_by_ctrl_c():
        from cli.mcp_server.calls import Calls
        from cli.mcp_server.engine_tool import Site
        from cli.mcp_server.protocol import server_of
        from cli.mcp_server.streamable_http import bound, door_of, serve

        port = DEFAULT_PORT if arguments.port is None else arguments.port
        door = door_of(arguments.host or DEFAULT_HOST, port, arguments.token_env, arguments.allow_host or ())
        listener = bound(door)

    async def serving() -> int:
        calls = Calls()
        site = Site(root, arguments.model, arguments.profile)
        return await serve(server_of(site, calls), calls, door, listener)

    with listener:
        return asyncio.run(serving())


def _check(arguments: argparse.Namespace) -> None:
    """Refuse what means nothing without --http.

    Raises:
        UsageError: it is given without.
    """
    from configs.errors import UsageError

    given = [
        f"--{name.replace('_', '-')}"
        for name in ("host", "port", "token_env", "allow_host")
        if getattr(arguments, name) is not None
    ]
    if given and not arguments.http:
        raise UsageError(f"{', '.join(given)} given without --http.", "Add --http, or leave that out.")


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a number between 0 and 65535")
    return number
