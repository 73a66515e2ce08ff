"""`reflect resume THREAD`: go on with a run that was interrupted, killed, or waits for an answer."""

from __future__ import annotations

import argparse
import asyncio
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
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    kind = asyncio.run(kind_of(root, load_settings(root).settings, arguments.thread))
    if kind is None and own_game_place(arguments.thread) is not None:
        kind = "play"
    if kind not in ("research", "think", "play"):
        return run_thread(arguments, arguments.thread, lambda: None)
    from cli import play_command, research_command, think_command

    _check_options(arguments, kind)
    if kind == "play":
        return play_command.run(play_command.resuming(arguments))
    if kind == "think":
        return think_command.run(think_command.resuming(arguments))
    return research_command.run(research_command.resuming(arguments))


def _check_options(arguments: argparse.Namespace, kind: Kind) -> None:
    from configs.errors import UsageError

    options = {"--yes": arguments.yes, "--dry-run": arguments.dry_run, "--strategy": arguments.strategy}
    given = ", ".join(name for name, value in options.items() if value)
    if given:
        raise UsageError(
            f"The thread {arguments.thread!r} is a {kind} run, which {given} means nothing to.",
            "Leave that out.",
        )
