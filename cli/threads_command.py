"""`reflect threads`: which threads a project has, and deleting one with all it left behind."""

from __future__ import annotations

import argparse
import asyncio
import sys


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("threads", help="list a project's threads, or delete some")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="names, the one worked on last first")
    deleting = actions.add_parser("delete", help="delete threads with their outputs, journal and trace")
    deleting.add_argument("thread", nargs="+", metavar="THREAD")
    for action in (listing, deleting):
        action.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List or delete; the exit code is 1 if a thread to delete does not exist."""
    from cli.live import printable
    from configs.loading import load_settings
    from configs.root import resolve_root
    from memory.threads import delete_thread, list_threads

    root = resolve_root(arguments.root)
    settings = load_settings(root).settings
    if arguments.action == "list":
        for thread in asyncio.run(list_threads(root, settings)):
            sys.stdout.write(f"{printable(thread)}\n")
        return 0
    code = 0
    for thread in arguments.thread:
        deleted = asyncio.run(delete_thread(root, settings, thread))
        if not deleted.anything:
            sys.stderr.write(f"reflect: there is no thread {thread!r} below {root}\n")
            code = 1
            continue
        sys.stdout.write(
            f"{printable(thread)}: {deleted.checkpoints} checkpoints, {deleted.effects} journal entries, "
            f"{deleted.artifacts} stored outputs{', its trace' if deleted.trace else ''}\n"
        )
    return code
