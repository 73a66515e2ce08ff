"""`reflect ensemble`, `reflect hybrid`, `reflect hierarchy`: several engines on one goal.

A graph is a line of TABLE. Exit codes: 0 an answer, also one that is said to be uncertain (`status` in the
JSON tells them apart); 1 no answer, or only part of one; 2 environment or usage error; 3 waiting for a
person.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import shlex
import sys
import uuid
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cli.ask_command import approval_of, ended_at_once_by_ctrl_c
from cli.think_command import decoded, material_of

if TYPE_CHECKING:
    from configs.settings import Settings
    from memory.thread_history import Kind
    from nodes.collective.result import CollectiveResult
    from nodes.reflective.context import RunContext


@dataclass(frozen=True)
class Together:
    """A graph of several engines.

    Attributes:
        name: of the command, of the kind of its threads, and of its `engine` field.
        does: what it does, for `--help`.
        graph: module with `build(checkpointer)`.
        result: module with `result_of(values, thread, waiting)`.
        asked_in: field of its input that holds the goal.
    """

    name: Kind
    does: str
    graph: str
    result: str = "nodes.collective.result"
    asked_in: str = "goal"


TABLE: tuple[Together, ...] = (
    Together("ensemble", "ask several engines the same, and tell where they differ", "graph.ensemble"),
    Together("hybrid", "analyse a goal, then carry out what the analysis recommends", "graph.hybrid"),
    Together(
        "hierarchy",
        "split a goal, have each part looked up, and merge what was found",
        "graph.hierarchy",
        "nodes.collective.tree_result",
        asked_in="question",
    ),
)
BY_NAME = {one.name: one for one in TABLE}
EXIT_BY_STATUS = {"answered": 0, "uncertain": 0, "partial": 1, "could_not": 1}
EXIT_ENVIRONMENT = 2
EXIT_WAITING = 3
# Flags that are settings, and the setting each of them is.
SETTING_BY_NAME = {
    "max_tokens": "collective.max_tokens",
    "max_calls": "collective.max_calls",
    "timeout": "collective.run_timeout_sec",
}
# What a run is gone on with: all that is not in its state, or might not be yet.
KEPT = ("root", "model", "profile", *SETTING_BY_NAME, "yes", "dry_run", "print_events", "json", "quiet")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command of every graph."""
    for one in TABLE:
        parser = subparsers.add_parser(one.name, help=one.does)
        parser.add_argument("goal", nargs="*", help='what you want to know; "-" reads it from standard input')
        add_options(parser)
        parser.set_defaults(run=run, together=one.name)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of every command that runs several engines."""
    parser.add_argument("--root", default=".", metavar="DIR", help="directory the goal is about")
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument("--context", metavar="FILE", help='text the answer may rest on; "-": standard input')
    parser.add_argument("--max-tokens", type=int, metavar="N", help="of all engines' prompts and replies")
    parser.add_argument("--max-calls", type=int, metavar="N", help="of models, by all engines together")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds all engines may work together")
    approval = parser.add_mutually_exclusive_group()
    approval.add_argument("--yes", action="store_true", help="make the changes that are asked for, unasked")
    approval.add_argument(
        "--dry-run", action="store_true", help="show what would be changed, and change nothing"
    )
    parser.add_argument("--thread", metavar="ID", help="name of the run")
    parser.add_argument("--resume", metavar="ID", help="go on with a run that was interrupted, or waits")
    parser.add_argument(
        "--reading", metavar="R", help="with --resume: which reading is meant, by number or words"
    )
    parser.add_argument(
        "--print-events", action="store_true", help="print events as JSON lines, then the result"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def run(arguments: argparse.Namespace) -> int:
    """Run the goal, print the result; the exit codes are those of the module."""
    from configs.loading import load_settings
    from configs.root import resolve_root

    one = BY_NAME[arguments.together]
    check_arguments(arguments)
    root = resolve_root(arguments.root)
    named = {key: getattr(arguments, name) for name, key in SETTING_BY_NAME.items()}
    chosen = {key: value for key, value in named.items() if value is not None}
    short = {name: given for name in ("model", "profile") if (given := getattr(arguments, name))}
    settings = load_settings(root, {**chosen, **short}).settings
    with ended_at_once_by_ctrl_c():
        from nodes.reflective.context import RunContext

        context = RunContext(
            root=str(root),
            model=arguments.model,
            profile=arguments.profile,
            approval=approval_of(arguments),
            settings=chosen,
        )
        start = None if arguments.resume else start_of(arguments, one)
        # What takes long is loaded while nothing is at stake.
        for module in ("cli.collective_running", one.graph):
            import_module(module)
    return _run(arguments, one, context, settings, start)


def _run(
    arguments: argparse.Namespace,
    one: Together,
    context: RunContext,
    settings: Settings,
    start: dict[str, Any] | None,
) -> int:
    from cli.collective_live import view_of
    from cli.collective_output import print_result, tell_notes
    from cli.collective_running import TogetherRun

    thread = arguments.resume or arguments.thread or f"{one.name}-{uuid.uuid4().hex[:12]}"
    go_on = resume_line(thread, arguments)
    if not arguments.quiet:
        sys.stderr.write(f"If this is cut short, go on with: {go_on}\n")
        sys.stderr.flush()
    view = view_of(quiet=arguments.quiet, events=arguments.print_events)
    # Several engines make many objects, each round of which would have Python look through all imports.
    gc.freeze()
    running = TogetherRun(one, context, thread, settings, go_on, view, quiet=arguments.quiet)
    result = asyncio.run(running.to_the_end(start, reading=arguments.reading))
    print_result(result, as_json=arguments.json, as_line=arguments.print_events)
    if result.waiting_for:
        sys.stderr.write(f"Waiting for an answer; go on with: {go_on}{_how(result)}\n")
        return EXIT_WAITING
    if not arguments.quiet:
        tell_notes(result)
    return EXIT_BY_STATUS.get(result.status, EXIT_ENVIRONMENT)


def _how(result: CollectiveResult) -> str:
    """What has to be said with the line that goes on, for whoever sits at no terminal."""
    readings = any("readings" in question for question in result.waiting_for)
    return " --reading=NUMBER" if readings else "   (with --yes to make all changes unasked)"


def start_of(arguments: argparse.Namespace, one: Together) -> dict[str, Any]:
    """The input of a new run.

    Raises:
        UsageError: the goal is empty or far too long, or the material cannot be read.
    """
    from configs.errors import UsageError
    from nodes.collective.begin import check_goal

    words = arguments.goal
    text = decoded(sys.stdin.buffer.read() if sys.stdin else b"") if words == ["-"] else " ".join(words)
    goal = text.encode("utf-8", "replace").decode("utf-8").strip()
    if not goal:
        raise UsageError("There is nothing to do: the goal is empty.", "Say what you want to know.")
    check_goal(goal)
    return {one.asked_in: goal, "engine": one.name, "context": material_of(arguments.context)}


def check_arguments(arguments: argparse.Namespace) -> None:
    """Refuse, before anything runs, what cannot be meant.

    Raises:
        UsageError: no goal, two of them, or options that exclude each other.
    """
    from configs.errors import UsageError

    if refused := _refused(arguments):
        raise UsageError(*refused)


def _refused(arguments: argparse.Namespace) -> tuple[str, str] | None:
    asked, resumed = bool(arguments.goal), arguments.resume is not None
    if asked and resumed:
        return "A goal and --resume are both given.", "Leave out one of them."
    if not (asked or resumed):
        return "There is nothing to do: no goal is given.", "Say what you want to know."
    if resumed and arguments.thread:
        return "--thread and --resume are both given.", "--resume names the thread by itself."
    if resumed and arguments.context:
        return "--context and --resume are both given.", "A run keeps the material it was begun with."
    if arguments.reading is not None and not resumed:
        return "--reading answers a run that waits, which --resume names.", "Add --resume ID."
    if arguments.goal == ["-"] and arguments.context == "-":
        return "Goal and --context are both read from standard input.", "Name a file for one of them."
    return None


def resuming(arguments: argparse.Namespace, name: str) -> argparse.Namespace:
    """What `reflect resume` was given, as if `reflect NAME --resume` had been."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    # No name is read as an option: it stands behind a sign of equality.
    given = parser.parse_args([name, f"--resume={arguments.thread}"])
    for kept in ("root", "model", "profile", "yes", "dry_run", "json", "quiet"):
        setattr(given, kept, getattr(arguments, kept))
    return given


def resume_line(thread: str, arguments: argparse.Namespace) -> str:
    """The command that goes on with a run, with the choices it was begun with."""
    words = ["reflect", arguments.together, f"--resume={thread}"]
    for name in KEPT:
        given = getattr(arguments, name)
        flag = f"--{name.replace('_', '-')}"
        if given is True:
            words.append(flag)
        elif given is not None and given is not False and (name, given) != ("root", "."):
            words.append(f"{flag}={given}")
    return shlex.join(words)
