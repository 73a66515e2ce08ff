"""`reflect trash`: what was deleted, and putting it back."""

from __future__ import annotations

import argparse
import sys


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("trash", help="list what was deleted, or put it back")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="deleted files and directories, by the names to restore them")
    restoring = actions.add_parser("restore", help="put back; what is there by now is not overwritten")
    restoring.add_argument("name", nargs="+", metavar="NAME")
    for action in (listing, restoring):
        action.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List or restore.

    Raises:
        ToolError: an entry does not exist, or its place is taken.
    """
    from cli.live import printable
    from configs.root import resolve_root
    from tools.writing.trash import list_trash, restore

    root = resolve_root(arguments.root)
    if arguments.action == "list":
        for entry in list_trash(root):
            sys.stdout.write(f"{entry.name}  {printable(entry.path)}\n")
        return 0
    for name in arguments.name:
        sys.stdout.write(f"{printable(restore(root, name))}\n")
    return 0
