"""`reflect status [THREAD]`: whether a run goes on, waits for a person, ended or died, and what to do then.

Exit codes: 0 it runs, waits or finished; 1 it failed, was stopped or died; 2 there is no such run. Without a
thread the background runs of the project are listed, and the exit code is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from configs.settings import Settings
    from memory.thread_standing import Standing

GOAL_CHARS = 60
MOST_LISTED = 20
LAST_CHARS = 2000
KEPT = ("--model=", "--profile=", "--strategy=")
WELL = ("running", "waiting", "finished")
TOLD = {
    "running": "running",
    "waiting": "waiting for a person",
    "finished": "finished",
    "failed": "failed",
    "stopped": "stopped before its end",
    "died": "died: its process is gone, and the run is not at its end",
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("status", help="whether a run goes on, waits, ended or died")
    parser.add_argument("thread", nargs="?", metavar="THREAD", help="its name (default: background runs)")
    parser.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show one run, or list all that were begun in the background.

    Raises:
        UsageError: there is no such run.
        MemoryStoreError: checkpoints or records cannot be read.
    """
    from configs.errors import UsageError
    from configs.loading import load_settings
    from configs.root import resolve_root
    from memory.thread_standing import standing_of

    root = resolve_root(arguments.root)
    settings = load_settings(root).settings
    if arguments.thread is None:
        return _list(root, settings, as_json=arguments.json)
    standing = asyncio.run(standing_of(root, settings, arguments.thread))
    if standing is None:
        raise UsageError(
            f"There is no run {arguments.thread!r} below {root}.",
            "`reflect status` lists the background runs, `reflect threads list` all threads.",
        )
    record = record_of(standing, root)
    if arguments.json:
        from cli.ask_command import print_json

        print_json(record)
    else:
        _print(record)
    return 0 if standing.state in WELL else 1


def _list(root: Path, settings: Settings, *, as_json: bool) -> int:
    from cli.ask_command import print_json
    from cli.live import printable

    found = asyncio.run(_standings(root, settings))
    if as_json:
        print_json({"runs": [record_of(one, root) for one in found]})
        return 0
    if not found:
        sys.stdout.write('No run was begun in the background. Begin one: reflect ask --background "..."\n')
    width = max((len(printable(one.thread)) for one in found), default=0)
    for one in found:
        goal = printable(" ".join(one.asked.split()))
        goal = goal if len(goal) <= GOAL_CHARS else f"{goal[: GOAL_CHARS - 1]}…"
        started = one.run.started[:19] if one.run is not None else ""
        sys.stdout.write(f"{printable(one.thread):{width}}  {started}  {one.state:<8}  {goal}\n")
    return 0


async def _standings(root: Path, settings: Settings) -> list[Standing]:
    from memory.background import runs_of
    from memory.thread_standing import standing_of

    names = [run.thread for run in runs_of(root)[:MOST_LISTED]]
    found = [await standing_of(root, settings, name) for name in names]
    return [one for one in found if one is not None]


def record_of(standing: Standing, root: Path) -> dict[str, Any]:
    """What `--json` prints of a run."""
    from memory.background import ERRORS, OUTPUT, directory_of

    run, moment = standing.run, standing.moment
    directory = directory_of(root, standing.thread)
    return {
        "thread_id": standing.thread,
        "state": standing.state,
        "status": standing.status or None,
        "goal": standing.asked,
        "answer": standing.answer or None,
        "step": moment.step if moment is not None and standing.fresh else None,
        "at": moment.at if moment is not None and standing.fresh else None,
        "next": list(moment.next) if moment is not None and standing.fresh else [],
        "background": run is not None,
        "pid": run.pid if run is not None else None,
        "started": run.started if run is not None else None,
        "ended": run.ended if run is not None else None,
        "exit_code": run.code if run is not None else None,
        "output": str(directory / OUTPUT) if run is not None else None,
        "errors": str(directory / ERRORS) if run is not None else None,
        "errors_end": _end_of(directory / ERRORS)
        if standing.state in ("failed", "stopped", "died")
        else None,
        "go_on": _go_on(standing, root),
    }


def _go_on(standing: Standing, root: Path) -> str | None:
    """The command that goes on with a run that is not at its end; None for one that needs none."""
    if standing.state not in ("waiting", "stopped", "died"):
        return None
    run = standing.run
    if run is not None and not standing.fresh:
        # Nothing of it is in a checkpoint, so there is nothing to go on from.
        return shlex.join(["reflect", *run.argv])
    words = ["reflect", "resume", standing.thread]
    words += [] if root == Path.cwd() else ["--root", str(root)]
    return shlex.join([*words, *(_kept(run.argv) if run is not None else [])])


def _kept(argv: list[str]) -> list[str]:
    """The choices a run was begun with and is gone on with; the goal, behind "--", is none."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return [word for word in options if word.startswith(KEPT) or word in ("--yes", "--dry-run")]


def _end_of(path: Path) -> str | None:
    """The end of what a run wrote to its standard error."""
    from cli.live import printable

    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LAST_CHARS))
            text = file.read().decode("utf-8", "replace").strip()
    except FileNotFoundError:
        return None
    return printable(text) or None


def _print(record: dict[str, Any]) -> None:
    from cli.live import printable

    state = TOLD[record["state"]]
    ended = f" ({record['status'].replace('_', ' ')})" if record["status"] else ""
    process = f", process {record['pid']}" if record["state"] == "running" and record["pid"] else ""
    before = (
        f", before {', '.join(record['next']).replace('__start__', 'its first node')}"
        if record["next"]
        else ""
    )
    sys.stdout.write(f"{printable(record['thread_id'])}: {state}{ended}{process}{before}\n")
    sys.stdout.write(f"Goal: {printable(' '.join(record['goal'].split()))}\n")
    if record["answer"]:
        sys.stdout.write(f"\n{printable(record['answer']).rstrip()}\n")
    if record["errors_end"]:
        sys.stdout.write(f"\nIts last words:\n{record['errors_end']}\n")
    if record["go_on"]:
        sys.stdout.write(f"\nGo on with: {printable(record['go_on'])}\n")
