"""The InterCode-ALFA tasks: the bare model and every strategy, judged by execution.

A task is solved if what was printed and what was changed equal the effect of one of the benchmark's two gold
commands, each run in a fresh copy of the task's file system. Its scoring by a language model or by embeddings
is not used. Gold commands are bash and run as such, in bubblewrap, without a network, on a copy; what a model
writes runs through the product's tools only. Nothing of this project may be tuned on these tasks.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import get_args

from configs.errors import UsageError
from configs.settings import Strategy
from evals.report import (
    Report,
    SuiteOptions,
    as_program,
    circumstances,
    isolated_home,
    model_digest,
    nothing_logged,
    publish,
    run_planned,
    suite_options,
    suite_parser,
)
from evals.report.options import BARE
from evals.shell.figures import metrics, plots, tables
from evals.shell.product import SETTINGS
from evals.shell.stage import open_stage
from evals.shell.suite import Choices, Players, planned_cases
from evals.shell.tasks import COUNTED, FILE_SYSTEMS, chosen, installed_assets, read_tasks
from evals.shell.truth import TruthCache

ABOUT = "InterCode-ALFA by execution: solved is the output and the file system of either gold command."


def main(argv: list[str] | None = None) -> int:
    """Run the suite; 0 if every target is met."""
    arguments = _parser().parse_args(argv)
    options = suite_options(arguments)
    # Which sandbox is in force is in the report.
    with isolated_home(), nothing_logged(logging.WARNING):
        report = asyncio.run(_measured(options, arguments, argv))
    return publish(report, options)


def _parser() -> argparse.ArgumentParser:
    parser = suite_parser("shell", __doc__)
    parser.add_argument(
        "--file-system",
        action="append",
        type=int,
        choices=FILE_SYSTEMS,
        help="repeatable (default: 2 to 5, the 147 tasks of the reference figures)",
    )
    place = Path(tempfile.gettempdir()) / f"icalfa-{os.getuid()}"
    parser.add_argument(
        "--place",
        type=Path,
        default=place,
        metavar="DIR",
        help=f"where file systems are built and tasks are played; goals name it (default: {place})",
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="where gold answers are kept (default: PLACE/gold)"
    )
    parser.add_argument(
        "--bare-examples", action="store_true", help="show the bare model three fixed examples first"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of the strategies, e.g. graph.max_plan_retries=0; repeatable",
    )
    return parser


def _choices(arguments: argparse.Namespace) -> Choices:
    """What only this suite can be told.

    Raises:
        UsageError: a setting has no value.
    """
    pairs = [str(text).partition("=") for text in arguments.set]
    for key, sign, _ in pairs:
        if not (key and sign):
            raise UsageError(f"--set {key} sets nothing.", "Write --set KEY=VALUE.")
    return Choices(examples=arguments.bare_examples, settings={key: value for key, _, value in pairs})


async def _measured(options: SuiteOptions, arguments: argparse.Namespace, typed: list[str] | None) -> Report:
    """Play the tasks that were asked for and sum them up."""
    own = _choices(arguments)
    assets = installed_assets()
    everything = read_tasks(
        assets, FILE_SYSTEMS if options.only else sorted(set(arguments.file_system or COUNTED))
    )
    tasks = chosen(everything, options.only, options.limit, options.seed)
    strategies = list(options.strategies) or [BARE, *get_args(Strategy)]
    digests = {model: model_digest(model) for model in options.models}
    with open_stage(arguments.place, assets) as stage:
        truths = await TruthCache(arguments.cache or stage.place / "gold", stage).prepare(tasks)
        players = Players(stage, {task.id: task for task in tasks}, truths, own)
        planned = planned_cases(tasks, options, strategies, stage.root, own)
        try:
            cases = await run_planned(planned, players, options)
        finally:
            await players.aclose()
    return Report(
        **circumstances("shell", typed),
        about=ABOUT,
        model=", ".join(options.models),
        model_digest=digests,
        settings={name.replace("__", "."): value for name, value in SETTINGS.items()} | own.settings,
        seeds={"sample and bootstrap": options.seed},
        cases=cases,
        metrics=metrics(cases, options.seed),
        tables=tables(cases),
        plots=list(plots(cases, options.seed)),
    )


if __name__ == "__main__":
    sys.exit(as_program(main))
