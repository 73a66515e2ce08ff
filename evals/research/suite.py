"""`reflect eval research`: the whole suite, from options to report."""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from configs.errors import UsageError
from evals.report import (
    Planned,
    Report,
    SuiteOptions,
    add_suite_options,
    evenly,
    isolated_home,
    machine_facts,
    publish,
    run_cases,
    settings_digest,
    suite_options,
    terminal_progress,
)
from evals.research import checker_figures
from evals.research.checker import VARIANT, Bench

MOST_JOBS = 2
BY_CODE = "code"


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = argparse.ArgumentParser(
        prog="reflect eval research",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_suite_options(parser)
    parser.add_argument("--worlds", type=int, default=1, metavar="N", help="worlds, from --seed on")
    parser.add_argument(
        "--checker-only", action="store_true", help="only the check of sentences, which needs no model"
    )
    parser.set_defaults(jobs=min(MOST_JOBS, len(os.sched_getaffinity(0))))
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met.

    Raises:
        UsageError: options that mean nothing here.
    """
    arguments = arguments_of(argv)
    options = suite_options(arguments)
    if arguments.worlds < 1:
        raise UsageError("--worlds is a number of worlds, 1 or more.", "See --help.")
    with isolated_home():
        report = asyncio.run(_checked(options, arguments.worlds))
    return publish(report, options)


async def _checked(options: SuiteOptions, worlds: int) -> Report:
    """The check of sentences by itself."""
    bench = Bench()
    planned = _plan(bench, options, worlds)
    with terminal_progress(sys.stderr) as told:
        cases = await run_cases(
            planned, bench.run_one, resume=options.resume, progress=told, jobs=options.jobs
        )
    return Report(
        suite="research",
        about="Sentences about invented worlds, correct and made wrong, checked against their sources by code.",
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        command=shlex.join(["reflect", "eval", "research", *sys.argv[1:]]),
        machine=machine_facts(),
        model=BY_CODE,
        settings={"worlds": worlds, "limit": options.limit, "checker only": True},
        seeds={"first world": options.seed, "intervals": options.seed},
        cases=cases,
        metrics=checker_figures.metrics_of(cases, options.seed),
        tables=checker_figures.tables_of(cases, options.seed),
        plots=[checker_figures.plot_of(cases, options.seed)],
    )


def _plan(bench: Bench, options: SuiteOptions, worlds: int) -> list[Planned]:
    """Every sentence of every world.

    Raises:
        UsageError: a case that is asked for is none of the suite's.
    """
    digest = settings_digest({"reports": bench.reports})
    planned = [
        Planned(id=name, variant=VARIANT, model=BY_CODE, seed=seed, settings=digest)
        for seed in range(options.seed, options.seed + worlds)
        for name in bench.ids(seed)
    ]
    unknown = set(options.only) - {one.id for one in planned}
    if unknown:
        raise UsageError(f"There is no case {', '.join(sorted(unknown))}.", "A report lists the ids.")
    wanted = [one for one in planned if not options.only or one.id in options.only]
    return evenly(wanted, lambda one: one.id.split("/")[2], options.limit, options.seed)
