"""`reflect ask GOAL`: one run of the reflective graph, shown live, answered on stdout."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from configs.settings import Settings


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("ask", help="answer a question about the files below a directory")
    parser.add_argument("goal", nargs="+", help='what you want to know; "-" reads it from standard input')
    parser.add_argument(
        "--thread", metavar="ID", help="name of the thread; runs of one thread share checkpoints"
    )
    parser.add_argument(
        "--background", action="store_true", help="run in a process of its own; `reflect status` shows it"
    )
    add_run_options(parser)
    parser.set_defaults(run=run)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Options of every command that runs a thread."""
    parser.add_argument(
        "--root", default=".", metavar="DIR", help="directory the goal is about (default: here)"
    )
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--strategy", metavar="S", help="wiring of the nodes: loop_v1, graph_v2 or graph_v30")
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    approval = parser.add_mutually_exclusive_group()
    approval.add_argument("--yes", action="store_true", help="make the changes that are asked for, unasked")
    approval.add_argument(
        "--dry-run", action="store_true", help="show what would be changed, and change nothing"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def approval_of(arguments: argparse.Namespace) -> Literal["yes", "dry_run"] | None:
    """What the flags say about changes; None leaves it to the settings."""
    return "yes" if arguments.yes else "dry_run" if arguments.dry_run else None


def run(arguments: argparse.Namespace) -> int:
    """Run the goal and print the answer; returns the exit code."""
    thread = arguments.thread or f"ask-{uuid.uuid4().hex[:12]}"
    if arguments.background:
        return _run_in_background(arguments, thread)
    return run_thread(arguments, thread, lambda: {"goal": goal_of(arguments.goal)})


def _run_in_background(arguments: argparse.Namespace, thread: str) -> int:
    """Begin the run elsewhere; what can be refused is refused here, where somebody sees it."""
    from cli.background_launch import launch
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    load_settings(root, _choices(arguments))
    goal = goal_of(arguments.goal)
    options = ("model", "strategy", "profile", "yes", "dry_run")
    argv = [
        "ask",
        f"--thread={thread}",
        f"--root={root}",
        "--quiet",
        *words_of(arguments, options),
        "--",
        goal,
    ]
    return launch(root, thread, goal, argv, as_json=arguments.json)


def words_of(arguments: argparse.Namespace, names: Sequence[str]) -> list[str]:
    """Options as words of a command line; those that were not given are left out."""
    words = []
    for name in names:
        given, flag = getattr(arguments, name), f"--{name.replace('_', '-')}"
        if given is True:
            words.append(flag)
        elif given is not None and given is not False:
            words.append(f"{flag}={given}")
    return words


def _choices(arguments: argparse.Namespace) -> dict[str, object]:
    """The flags that are settings, by dotted key."""
    choices = {
        "model": arguments.model,
        "profile": arguments.profile,
        "reasoning.strategy": arguments.strategy,
        "tools.approval": approval_of(arguments),
    }
    return {key: value for key, value in choices.items() if value is not None}


def run_thread(arguments: argparse.Namespace, thread: str, start: Callable[[], dict[str, Any] | None]) -> int:
    """Run a thread to its end, or to a question nobody is there to answer.

    Args:
        arguments: those of `add_run_options`.
        thread: its name.
        start: makes the input of a new run, or None to go on with one that was interrupted.

    Returns:
        The exit code.
    """
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    approval = approval_of(arguments)
    settings = load_settings(root, _choices(arguments)).settings
    with ended_at_once_by_ctrl_c():
        open_ahead(settings)
        from nodes.reflective.context import RunContext

        context = RunContext(
            root=str(root),
            model=arguments.model,
            profile=arguments.profile,
            strategy=arguments.strategy,
            approval=approval,
        )
        given = start()
        from cli.running import run_to_the_end
    live = None if arguments.quiet else _live_view()
    report, code = asyncio.run(run_to_the_end(given, context, thread, settings, live))
    if arguments.json:
        print_json(report)
    else:
        _print_text(report)
    return code


@contextlib.contextmanager
def ended_at_once_by_ctrl_c() -> Iterator[None]:
    """Nothing is at stake while modules load, and an exception amid imports can leave their locks held."""

    def end(*_: object) -> None:
        os.write(2, b"reflect: interrupted\n")
        os._exit(130)

    before = signal.getsignal(signal.SIGINT)
    # A caller that ignores the signal, as a shell does for jobs in the background, keeps ignoring it.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def open_ahead(settings: Settings) -> None:
    """Load what CLASSIFY compares goals by beside the graph's imports: that needs the other core only.

    An error is left to the node that needs the model; it meets the same one and can name it in the answer.
    """

    def open_quietly() -> None:
        from memory.recipes.ballot import electorate_of
        from models.errors import ModelError
        from models.multilingual_embeddings import open_goal_embedder

        with contextlib.suppress(ModelError):
            electorate_of(open_goal_embedder(settings))

    # No daemon: a process that ends in the middle of native code is aborted, so its end waits for this.
    threading.Thread(target=open_quietly, name="open-embedder").start()


def goal_of(words: list[str]) -> str:
    """The goal on a command line, or on standard input.

    Raises:
        GoalError: it is empty or too long.
    """
    from nodes.reflective.classify import check_goal

    text = _piped() if words == ["-"] else " ".join(words)
    return check_goal(text.encode("utf-8", "replace").decode("utf-8"))


def _piped() -> str:
    """Standard input, whatever encoding the locale claims for it; empty when it is closed."""
    return sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin else ""


def _live_view() -> Any:
    from cli.live import LiveView

    return LiveView(sys.stderr)


def print_json(report: dict[str, Any], *, indent: int | None = 2) -> None:
    """Print a report as JSON; without an indent, on one line."""
    # Where the encoding cannot hold a character, JSON's own escape can.
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(report, ensure_ascii=not is_utf8, indent=indent) + "\n")
    sys.stdout.flush()


def _print_text(report: dict[str, Any]) -> None:
    from cli.live import print_report

    print_report(report, sys.stdout)
