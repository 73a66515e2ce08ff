"""`reflect threads`: which threads a project has, deleting some, and pruning what is no longer needed."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from configs.settings import Settings
    from memory.threads import ThreadSummary

GOAL_CHARS = 60


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("threads", help="list a project's threads, delete or prune some")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="where they stand, the one worked on last first")
    listing.add_argument("--json", action="store_true", help="print a JSON list instead of text")
    deleting = actions.add_parser("delete", help="delete threads with outputs, journal, trace and logs")
    deleting.add_argument("thread", nargs="+", metavar="THREAD")
    pruning = actions.add_parser("prune", help="delete old checkpoints; every thread can still be resumed")
    pruning.add_argument("--keep", type=int, default=1, metavar="N", help="newest ones to keep (default: 1)")
    pruning.add_argument("--older-than", type=float, metavar="DAYS", help="only those of at least that age")
    pruning.add_argument("--dry-run", action="store_true", help="delete nothing, and count")
    for action in (listing, deleting, pruning):
        action.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List, delete or prune; the exit code is 1 if a thread to delete does not exist."""
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    settings = load_settings(root).settings
    action = {"list": _list, "delete": _delete, "prune": _prune}[arguments.action]
    return action(arguments, root, settings)


def _list(arguments: argparse.Namespace, root: Path, settings: Settings) -> int:
    from memory.threads import describe_threads

    found = asyncio.run(describe_threads(root, settings))
    if arguments.json:
        sys.stdout.write(json.dumps([_record(summary) for summary in found], indent=2) + "\n")
        return 0
    write_list(found)
    return 0


def write_list(found: Sequence[ThreadSummary]) -> None:
    """Print a line for each thread."""
    from cli.live import printable

    width = max((len(printable(summary.thread)) for summary in found), default=0)
    for summary in found:
        record = _record(summary)
        goal = printable(" ".join(record["goal"].split()))
        goal = goal if record["kind"] == "ask" else f"{record['kind']}: {goal}"
        goal = goal if len(goal) <= GOAL_CHARS else goal[: GOAL_CHARS - 1] + "…"
        line = (
            f"{printable(summary.thread):{width}}  {record['at'][:19]}  step {record['step']:>3}  "
            f"{record['standing']:<24}  {goal}"
        )
        sys.stdout.write(f"{line.rstrip()}\n")


def _record(summary: ThreadSummary) -> dict[str, Any]:
    newest = summary.newest
    return {
        "thread": summary.thread,
        "step": newest.step,
        "checkpoints": summary.checkpoints,
        "at": newest.at,
        "standing": newest.standing,
        "kind": newest.kind,
        "goal": newest.asked,
    }


def _delete(arguments: argparse.Namespace, root: Path, settings: Settings) -> int:
    from cli.live import printable
    from configs.redaction import path_text
    from memory.thread_deletion import delete_thread

    code = 0
    for thread in arguments.thread:
        deleted = asyncio.run(delete_thread(root, settings, thread))
        if not deleted.anything:
            sys.stderr.write(f"reflect: there is no thread {thread!r} below {root}\n")
            code = 1
            continue
        calls = f", {deleted.calls} journals of model calls" if deleted.calls else ""
        sys.stdout.write(
            f"{printable(thread)}: {deleted.checkpoints} checkpoints, {deleted.effects} journal entries, "
            f"{deleted.artifacts} stored outputs{calls}{', its trace' if deleted.trace else ''}"
            f"{f', {deleted.logs} research logs' if deleted.logs else ''}\n"
        )
        if deleted.logs_left is not None:
            left = path_text(deleted.logs_left)
            sys.stderr.write(f"reflect: its research logs stay, outside of {root}: remove {left} yourself\n")
    return code


def _prune(arguments: argparse.Namespace, root: Path, settings: Settings) -> int:
    from datetime import timedelta

    from configs.errors import UsageError
    from memory.threads import prune_checkpoints

    try:
        age = None if arguments.older_than is None else timedelta(days=arguments.older_than)
    except (OverflowError, ValueError) as error:
        raise UsageError(f"{arguments.older_than} is no number of days.", "Give 0 or more.") from error
    pruned = asyncio.run(
        prune_checkpoints(root, settings, keep=arguments.keep, older_than=age, dry_run=arguments.dry_run)
    )
    done = "would go" if arguments.dry_run else "deleted"
    sys.stdout.write(f"{pruned.rows.checkpoints} checkpoints of {pruned.threads} threads {done}\n")
    if pruned.remark:
        sys.stderr.write(f"reflect: {pruned.remark}\n")
    return 0
