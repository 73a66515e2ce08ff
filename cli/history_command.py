"""`reflect history THREAD`: the steps of a thread, each of which can be forked."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from cli.live import printable
    from configs.errors import UsageError
    from configs.loading import load_settings
    from configs.root import resolve_root
    from memory.checkpoints import open_project_checkpointer
    from memory.thread_history import thread_history

    root = resolve_root(arguments.root)
    settings = load_settings(root).settings

    async def read() -> list[Moment]:
        async with open_project_checkpointer(root, settings) as saver:
            return await thread_history(saver, arguments.thread)

    history = asyncio.run(read())
    if not history:
        raise UsageError(
            f"There is no thread {arguments.thread!r} below {root}.",
            "`reflect threads list` names those there are.",
        )
    if arguments.json:
        sys.stdout.write(json.dumps([_record(moment) for moment in history], indent=2) + "\n")
        return 0
    for moment in history:
        changed = ", ".join(_short(name, moment.values.get(name)) for name in moment.changed)
        came = moment.node if moment.source == "loop" and moment.node else moment.source
        sys.stdout.write(
            f"{moment.step:>4}  {moment.at[:19]}  {moment.checkpoint_id}  {came} -> {_next(moment)}\n"
            + (f"      {printable(changed)}\n" if changed else "")
        )
    return 0


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
