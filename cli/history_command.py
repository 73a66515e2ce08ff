"""`reflect history THREAD`: the steps of a thread, each of which can be forked."""

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
    from memory.thread_history import Moment

VALUE_CHARS = 40


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("history", help="show the steps of a thread")
    parser.add_argument("thread", metavar="THREAD", help="its name")
    parser.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
    parser.add_argument("--json", action="store_true", help="print a JSON list instead of text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show the steps, oldest first."""
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    history = asyncio.run(read_history(root, load_settings(root).settings, arguments.thread))
    if arguments.json:
        sys.stdout.write(json.dumps([_record(moment) for moment in history], indent=2) + "\n")
        return 0
    write_history(history)
    return 0


async def read_history(root: Path, settings: Settings, thread: str) -> list[Moment]:
    """The steps of a thread, oldest first.

    Raises:
        UsageError: there is no such thread.
    """
    from configs.errors import UsageError
    from memory.checkpoints import open_project_checkpointer
    from memory.thread_history import thread_history

    async with open_project_checkpointer(root, settings) as saver:
        history = await thread_history(saver, thread)
    if not history:
        raise UsageError(
            f"There is no thread {thread!r} below {root}.",
            "`reflect threads list` names those there are.",
        )
    return history


def write_history(history: Sequence[Moment]) -> None:
    """Print two lines for each step: what ran, and what it changed."""
    from cli.live import printable

    for moment in history:
        changed = ", ".join(_short(name, moment.values.get(name)) for name in moment.changed)
        came = moment.node if moment.source == "loop" and moment.node else moment.source
        sys.stdout.write(
            f"{moment.step:>4}  {moment.at[:19]}  {moment.checkpoint_id}  {came} -> {_next(moment)}\n"
            + (f"      {printable(changed)}\n" if changed else "")
        )


def _next(moment: Moment) -> str:
    return moment.standing if moment.waiting or not moment.next else ", ".join(moment.next)


def _record(moment: Moment) -> dict[str, Any]:
    return {
        "step": moment.step,
        "checkpoint_id": moment.checkpoint_id,
        "at": moment.at,
        "source": moment.source,
        "node": moment.node,
        "next": list(moment.next),
        "status": moment.values.get("status"),
        "standing": moment.standing,
        "changed": [_short(name, moment.values.get(name)) for name in moment.changed],
        "forked_from": moment.forked_from,
    }


def _short(name: str, value: Any) -> str:
    """A field in a few characters: plain values as they are, of others how much there is."""
    if isinstance(value, dict) and isinstance(value.get("steps"), list):
        return f"{name} ({len(value['steps'])} steps)"
    if isinstance(value, (list, dict)):
        return f"{name} ({len(value)})"
    text = " ".join(str(value).split())
    return f"{name}={text if len(text) <= VALUE_CHARS else text[: VALUE_CHARS - 1] + '…'}"
