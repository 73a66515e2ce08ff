"""`reflect resume THREAD`: go on with a run that was interrupted, killed, or waits for an answer."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.ask_command import add_run_options, run_thread

if TYPE_CHECKING:
    from memory.thread_history import Kind


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("resume", help="go on with a thread that was interrupted or waits")
    parser.add_argument("thread", metavar="THREAD", help="its name, as the run printed it")
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Go on, as the command would that the thread was begun by; one at its end is only shown again."""
    from cli.play_place import own_game_place
    from cli.thread_kind import kind_of
    from configs.errors import UsageError
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    kind = asyncio.run(kind_of(root, load_settings(root).settings, arguments.thread))
    if kind is None and own_game_place(arguments.thread) is not None:
        kind = "play"
    if kind is None or kind == "ask":
        return run_thread(arguments, arguments.thread, lambda: None)
    from cli import (
        collective_command,
        play_command,
        research_command,
        specialists_command,
        think_command,
    )

    if kind in collective_command.BY_NAME:
        _check_options(arguments, kind, ("--strategy",))
        return collective_command.run(collective_command.resuming(arguments, kind))
    _check_options(arguments, kind)
    if kind == "play":
        return play_command.run(play_command.resuming(arguments))
    if kind == "think":
        return think_command.run(think_command.resuming(arguments))
    if kind == "specialists":
        return specialists_command.run(specialists_command.resuming(arguments))
    if kind == "research":
        return research_command.run(research_command.resuming(arguments))
    if kind == "auto":
        raise UsageError(
            f"The thread {arguments.thread!r} was begun by the graph auto in the server.",
            "Go on with it there; `reflect auto` begins threads of the engine's own command.",
        )
    raise UsageError(
        f"The thread {arguments.thread!r} was begun by reflect {kind}.",
        f"Go on with: reflect {kind} --resume={shlex.quote(arguments.thread)}",
    )


def _check_options(
    arguments: argparse.Namespace,
    kind: Kind,
    foreign: Sequence[str] = ("--yes", "--dry-run", "--strategy"),
) -> None:
    from configs.errors import UsageError

    options = {"--yes": arguments.yes, "--dry-run": arguments.dry_run, "--strategy": arguments.strategy}
    given = ", ".join(name for name, value in options.items() if value and name in foreign)
    if given:
        raise UsageError(
            f"The thread {arguments.thread!r} is a {kind} run, which {given} means nothing to.",
            "Leave that out.",
        )
