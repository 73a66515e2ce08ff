"""`reflect fork THREAD --at STEP`: go on from an earlier step of a thread, in a thread of its own."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.ask_command import add_run_options, run_thread

if TYPE_CHECKING:
    from configs.settings import Settings
    from memory.thread_history import Moment

LONGEST_SOURCE = 100


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("fork", help="go on from an earlier step of a thread, in a new thread")
    parser.add_argument("thread", metavar="THREAD", help="the thread to copy from; it stays as it is")
    parser.add_argument("--at", required=True, metavar="STEP", help="a step of `reflect history`, or its id")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change the copied state: goal=..., complexity=complex, limits.iterations=80, plan=JSON ...",
    )
    parser.add_argument("--as", dest="target", metavar="NEW", help="name of the new thread")
    parser.add_argument(
        "--keep-plan", action="store_true", help="go on with the plan although the goal is new"
    )
    parser.add_argument("--no-run", action="store_true", help="only copy; `reflect resume NEW` goes on")
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fork, then go on as `reflect resume` does."""
    from cli.live import printable
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    settings = load_settings(root).settings
    source = arguments.thread
    target = arguments.target or fork_name(source)
    moment = asyncio.run(_fork(arguments, root, settings, target))
    if not arguments.no_run:
        if not arguments.quiet:
            sys.stderr.write(
                f"thread       {printable(target)} (step {moment.step} of {printable(source)})\n"
            )
        return run_thread(arguments, target, lambda: None)
    if arguments.json:
        origin = {"thread": source, "step": moment.step, "checkpoint_id": moment.checkpoint_id}
        sys.stdout.write(json.dumps({"thread_id": target, "forked_from": origin}, indent=2) + "\n")
    else:
        sys.stdout.write(f"{printable(target)}\n")
    return 0


def fork_name(source: str) -> str:
    """A name for a fork of a thread, which no other has."""
    stem = source if len(source) <= LONGEST_SOURCE else "thread"
    return f"{stem}-fork-{uuid.uuid4().hex[:6]}"


async def _fork(arguments: argparse.Namespace, root: Path, settings: Settings, target: str) -> Moment:
    from graph.forking import parse_changes

    changes = parse_changes(arguments.set)
    return await fork_into(
        root, settings, arguments.thread, arguments.at, target, changes, keep_plan=arguments.keep_plan
    )


async def fork_into(
    root: Path,
    settings: Settings,
    source: str,
    at: str,
    target: str,
    changes: Mapping[str, Any],
    *,
    keep_plan: bool = False,
) -> Moment:
    """Copy a step of a thread into a new one; raises as `graph.forking.fork_thread` does."""
    from graph.forking import fork_thread
    from memory.checkpoints import open_project_checkpointer
    from memory.threads import alone_on

    async with alone_on(root, target, settings), open_project_checkpointer(root, settings) as saver:
        return await fork_thread(saver, root, source, at, target, changes, keep_plan=keep_plan)
