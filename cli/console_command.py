"""`reflect console`: the graphs behind LangGraph's server, with a page of our own, for one directory."""

from __future__ import annotations

import argparse
import importlib.util
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.console_serving import Place

DEFAULT_HOST = "127.0.0.1"


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("console", help="open a local page on all graphs, served on this machine")
    parser.add_argument(
        "--root", default=".", metavar="DIR", help="directory runs are about that name none (default: here)"
    )
    parser.add_argument(
        "--port",
        type=_port,
        metavar="N",
        help="0 takes a free one (default: 2024, or a free one)",
    )
    parser.add_argument(
        "--host",
        default=DEFAULT_HOST,
        metavar="H",
        help="address to listen at (127.0.0.1); any but this machine's needs a token in REFLECT_API_TOKEN",
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser, only say the address")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C (130) comes, or SIGTERM, of which the process dies.

    Raises:
        ReflectError: it cannot be served; the message says why.
    """
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    # A mistake in the settings is told now, to whoever starts the server, and not in the first run.
    load_settings(root)
    from cli.console_serving import serve

    return serve(root, _place(arguments), browser=not arguments.no_browser)


def _place(arguments: argparse.Namespace) -> Place:
    """Where the server listens, if it may, and can.

    Raises:
        UsageError: it must not, or cannot.
    """
    from cli.console_serving import Place, chosen_port
    from configs.admission import TOKEN_VARIABLE, hosts_of, is_this_machine, token_of
    from configs.errors import UsageError

    hosts_of(os.environ)
    token = token_of(os.environ)
    host = arguments.host
    if token is None and not is_this_machine(host):
        raise UsageError(
            f"Other machines can reach {host}, and nothing would keep them out.",
            f"Put a long random text into {TOKEN_VARIABLE}, or leave --host out.",
        )
    if importlib.util.find_spec("langgraph_api") is None:
        raise UsageError("LangGraph's server is not installed.", "pip install 'reflective-graph[server]'.")
    return Place(host, chosen_port(host, arguments.port), asks=token is not None)


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a number between 0 and 65535")
    return number
