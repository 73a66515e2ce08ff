"""`reflect specialists GOAL`: facts of the audit kernels that bear on a goal, each with its file and line.

Exit codes: 0 answered; 1 no fact bears on the goal, or on a part of it, or a specialist failed; 2 environment
or usage error.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import shlex
import sys
import uuid
from typing import TYPE_CHECKING, Any

from cli.ask_command import ended_at_once_by_ctrl_c, print_json
from cli.think_command import decoded

if TYPE_CHECKING:
    from configs.settings import Settings
    from nodes.reflective.context import RunContext
    from nodes.specialists.result import SpecialistsResult

NAMES = ("security", "analysis", "documentation")
EXIT_BY_STATUS = {"answered": 0, "partial": 1, "could_not": 1}
EXIT_ENVIRONMENT = 2
# What a run is gone on with: all that is not in its state, or might not be yet.
KEPT = ("root", "model", "profile", "json", "quiet")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "specialists", help="answer from what audit kernels measure: security, code, documentation"
    )
    parser.add_argument("goal", nargs="*", help='what you want to know; "-" reads it from standard input')
    parser.add_argument("--root", default=".", metavar="DIR", help="directory the goal is about")
    parser.add_argument(
        "--only", metavar="NAMES", help=f"who answers, separated by commas: {', '.join(NAMES)}"
    )
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument("--thread", metavar="ID", help="name of the run")
    parser.add_argument("--resume", metavar="ID", help="go on with a run that was interrupted")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask the specialists, print the result; the exit codes are those of the module."""
    from configs.loading import load_settings
    from configs.root import resolve_root

    only = only_of(arguments)
    root = resolve_root(arguments.root)
    short = {name: given for name in ("model", "profile") if (given := getattr(arguments, name))}
    settings = load_settings(root, short).settings
    with ended_at_once_by_ctrl_c():
        from nodes.reflective.context import RunContext

        context = RunContext(root=str(root), model=arguments.model, profile=arguments.profile)
        start = None if arguments.resume else start_of(arguments, only)
        import graph.specialists  # noqa: F401  # what takes long is loaded while nothing is at stake
    thread = arguments.resume or arguments.thread or f"specialists-{uuid.uuid4().hex[:12]}"
    if not arguments.quiet:
        sys.stderr.write(f"If this is cut short, go on with: {resume_line(thread, arguments)}\n")
        sys.stderr.flush()
    gc.freeze()
    result = asyncio.run(_answered(arguments, context, settings, thread, start))
    if arguments.json:
        print_json(result.model_dump(mode="json"))
    else:
        from cli.specialists_output import print_result

        print_result(result, quiet=arguments.quiet)
    return EXIT_BY_STATUS.get(result.status, EXIT_ENVIRONMENT)


async def _answered(
    arguments: argparse.Namespace,
    context: RunContext,
    settings: Settings,
    thread: str,
    start: dict[str, Any] | None,
) -> SpecialistsResult:
    """Run the thread to its end.

    Raises:
        UsageError: there is no such thread to go on with, or it is another command's.
        RunEnded: somebody asked the process to end; the run can be resumed.
    """
    from cli.collective_live import view_of
    from cli.thread_running import ThreadRun
    from graph.specialists import build
    from nodes.specialists.result import result_of

    view = view_of(quiet=arguments.quiet, events=False)
    go_on = resume_line(thread, arguments)
    running = ThreadRun(context, thread, settings, go_on, "specialists", quiet=arguments.quiet)
    async with running.opened(anew=start is not None) as (saver, _, control):
        values, _ = await running.stretch(build(saver), start, control, view.show)
    return result_of(values, thread)


def only_of(arguments: argparse.Namespace) -> list[str]:
    """The specialists of --only, after what cannot be meant was refused.

    Raises:
        UsageError: no goal, two of them, or a name that is no specialist's.
    """
    from configs.errors import UsageError

    asked, resumed = bool(arguments.goal), arguments.resume is not None
    if asked and resumed:
        raise UsageError("A goal and --resume are both given.", "Leave out one of them.")
    if not (asked or resumed):
        raise UsageError("There is nothing to do: no goal is given.", "Say what you want to know.")
    if resumed and (arguments.thread or arguments.only):
        raise UsageError("--resume goes on with a run as it was begun.", "Leave out --thread and --only.")
    if arguments.only is None:
        return []
    named = [one.strip() for one in arguments.only.split(",") if one.strip()]
    unknown = [one for one in named if one not in NAMES]
    if unknown or not named:
        what = f"{', '.join(map(repr, unknown))} is no specialist." if unknown else "--only names nobody."
        raise UsageError(what, f"Choose among {', '.join(NAMES)}.")
    return [one for one in NAMES if one in named]


def start_of(arguments: argparse.Namespace, only: list[str]) -> dict[str, Any]:
    """The input of a new run.

    Raises:
        GoalError: the goal is empty or far too long.
    """
    from nodes.collective.begin import check_goal

    words = arguments.goal
    text = decoded(sys.stdin.buffer.read() if sys.stdin else b"") if words == ["-"] else " ".join(words)
    goal = text.encode("utf-8", "replace").decode("utf-8").strip()
    check_goal(goal)
    return {"goal": goal, "only": only, "engine": "specialists"}


def resuming(arguments: argparse.Namespace) -> argparse.Namespace:
    """What `reflect resume` was given, as if `reflect specialists --resume` had been."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    # No name is read as an option: it stands behind a sign of equality.
    given = parser.parse_args(["specialists", f"--resume={arguments.thread}"])
    for kept in KEPT:
        setattr(given, kept, getattr(arguments, kept))
    return given


def resume_line(thread: str, arguments: argparse.Namespace) -> str:
    """The command that goes on with a run, with the choices it was begun with."""
    words = ["reflect", "specialists", f"--resume={thread}"]
    for name in KEPT:
        given = getattr(arguments, name)
        if given is True:
            words.append(f"--{name}")
        elif given and (name, given) != ("root", "."):
            words.append(f"--{name}={given}")
    return shlex.join(words)
