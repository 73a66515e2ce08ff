"""`reflect batch GOALS --out FILE`: many goals by many workers; one line of results for each, exactly once.

Exit codes: 0 all goals succeeded; 1 one failed; 2 environment or usage error, the batch can be gone on with;
3 none failed, and one was refused because it waits for a person; 130 stopped before all had their line.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

from cli.ask_command import add_run_options, approval_of, ended_at_once_by_ctrl_c, words_of

ENGINES = ("local", "ray")
WORKERS = 2
MOST_DEATHS = 3
# What a batch is gone on with.
KEPT = (
    "engine", "address", "graph", "out", "workers", "limit", "timeout", "deaths", "root", "model", "profile",
    "strategy", "yes", "dry_run", "json", "quiet",
)  # fmt: skip


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("batch", help="answer a file of goals by many workers, one line for each")
    parser.add_argument("goals", metavar="GOALS", help='JSON lines: {"id", "goal", "graph", "context"}')
    parser.add_argument("--out", required=True, metavar="FILE", help="results: one JSON line for each goal")
    parser.add_argument("--resume", action="store_true", help="go on with the batch the results are of")
    parser.add_argument(
        "--engine", choices=ENGINES, default=ENGINES[0], help="processes of this machine, or a Ray cluster"
    )
    parser.add_argument(
        "--address", metavar="HOST:PORT", help="of a Ray cluster (default: one of its own, ended with it)"
    )
    parser.add_argument(
        "--graph", default="reflective", metavar="G", help="who answers, if a goal does not say"
    )
    parser.add_argument(
        "--workers",
        type=int,
        default=WORKERS,
        metavar="N",
        help=f"goals answered at once (default: {WORKERS})",
    )
    parser.add_argument("--limit", type=int, metavar="N", help="only the first goals of the file")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds a goal may take")
    parser.add_argument(
        "--deaths", type=int, default=MOST_DEATHS, metavar="N",
        help=f"a goal that so many workers died of has failed (default: {MOST_DEATHS})",
    )  # fmt: skip
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer the goals and print the report; the exit codes are those of the module.

    Raises:
        ReflectError: nothing was run, or the batch stopped and can be gone on with.
    """
    check_arguments(arguments)
    with ended_at_once_by_ctrl_c():
        from cli.batch.goals import read_goals
        from cli.batch.results import open_results
        from cli.batch.running import Batch
        from configs.loading import load_settings
        from configs.root import resolve_root

        root = resolve_root(arguments.root)
        settings = load_settings(root, _flags(arguments)).settings
        every = read_goals(Path(arguments.goals), arguments.graph)
    with open_results(Path(arguments.out), every, resume=arguments.resume) as results:
        batch = Batch(arguments, root, settings, every[: arguments.limit], results)
        report = batch.run(go_on_line(arguments))
    return report.exit_code


def check_arguments(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be meant.

    Raises:
        UsageError: a number is not positive, an option is another engine's, or the graph takes no goal.
    """
    from cli.batch.graphs import ELSEWHERE, GRAPHS
    from configs.errors import UsageError

    for name in ("workers", "limit", "timeout", "deaths"):
        given = getattr(arguments, name)
        if given is not None and not 0 < given < float("inf"):
            raise UsageError(f"--{name} {given:g} cannot be meant.", "Give a number above 0.")
    if arguments.address is not None and arguments.engine != "ray":
        raise UsageError("--address names a Ray cluster.", "Add --engine ray, or leave it out.")
    if arguments.graph not in GRAPHS:
        why = ELSEWHERE.get(arguments.graph, "is no graph")
        raise UsageError(f"--graph {arguments.graph!r} {why}.", f"Choose among {', '.join(GRAPHS)}.")


def _flags(arguments: argparse.Namespace) -> dict[str, Any]:
    """The flags that are settings, by dotted key."""
    flags = {
        "model": arguments.model,
        "profile": arguments.profile,
        "reasoning.strategy": arguments.strategy,
        "tools.approval": approval_of(arguments),
    }
    return {key: value for key, value in flags.items() if value is not None}


def go_on_line(arguments: argparse.Namespace) -> str:
    """The command that goes on with a batch, with the choices it was begun with."""
    return shlex.join(["reflect", "batch", arguments.goals, "--resume", *words_of(arguments, KEPT)])
