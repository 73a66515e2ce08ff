"""`reflect eval faults`: the whole suite, from options to report."""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from typing import get_args

from configs.errors import UsageError
from configs.settings import Strategy
from evals.faults.goals import goals_of
from evals.faults.project import facts_of
from evals.faults.summary import metrics_of, plot_of, tables_of
from evals.faults.table import BARE, Plan, faultless, open_table, run_in_table
from evals.report import (
    Case,
    Planned,
    Report,
    SuiteOptions,
    circumstances,
    isolated_home,
    nothing_logged,
    publish,
    refuse_unknown,
    run_planned,
    settings_digest,
    suite_options,
    suite_parser,
)

SCRIPTED = "scripted"
STRATEGIES: tuple[Strategy, ...] = ("graph_v30", "graph_v2", "loop_v1")
# The other strategies share every node with the default one, so a part of the cases shows their wiring.
EVERY = {"graph_v30": 1, "graph_v2": 4, "loop_v1": 4}


def arguments_of(argv: list[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("faults", __doc__, default_model=SCRIPTED)
    parser.add_argument(
        "--right", type=float, default=0.5, metavar="P", help="how often a noisy oracle is right"
    )
    parser.add_argument("--noisy", type=int, default=80, metavar="N", help="noisy oracles of each strategy")
    parser.add_argument("--full", action="store_true", help="every single fault with every strategy")
    parser.set_defaults(jobs=min(4, len(os.sched_getaffinity(0))))
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Run the suite.

    Returns:
        0 if every target is met, 1 otherwise.

    Raises:
        UsageError: options that mean nothing here.
    """
    arguments = arguments_of(argv)
    options = suite_options(arguments)
    if options.models != (SCRIPTED,):
        raise UsageError("The fault suite brings a model of its own.", "Leave out --model.")
    if not 0 <= arguments.right <= 1 or arguments.noisy < 0:
        raise UsageError("--right is a probability, --noisy a number of runs.", "See --help.")
    with isolated_home(), nothing_logged(logging.CRITICAL):
        report = asyncio.run(_measured(options, arguments.right, arguments.noisy, arguments.full))
    return publish(report, options)


async def _measured(options: SuiteOptions, right: float, noisy: int, full: bool) -> Report:
    chosen = [name for name in get_args(Strategy) if name in options.strategies] or list(STRATEGIES)
    bare = BARE in options.strategies or not options.strategies
    asked = {strategy: await asyncio.to_thread(faultless, options.seed, strategy) for strategy in chosen}
    plan = Plan(options.seed, right, noisy, asked)
    planned = _planned(plan, options, full, bare)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.jobs, context, open_table, (plan,)) as pool:
        loop = asyncio.get_running_loop()

        async def run_one(one: Planned) -> Case:
            case = await loop.run_in_executor(pool, run_in_table, one.id, one.variant)
            return case.model_copy(update={"repeat": one.repeat})

        cases = await run_planned(planned, run_one, options)
    return _report(cases, plan, options)


def _planned(plan: Plan, options: SuiteOptions, full: bool, bare: bool) -> list[Planned]:
    """The runs to be made.

    Raises:
        UsageError: a case that is asked for is none of the suite's.
    """
    digest = settings_digest({"right": plan.right, "noisy": plan.noisy})
    wanted: list[tuple[str, str]] = []
    for strategy in plan.asked:
        cases = plan.cases(strategy)
        if options.only:
            wanted += [(case.id, strategy) for case in cases if case.id in options.only]
            continue
        step = 1 if full or options.limit else EVERY[strategy]
        single = [case.id for case in cases if case.position != "noisy"][::step]
        drawn = [*single, *(case.id for case in cases if case.position == "noisy")]
        wanted += [(id_, strategy) for id_ in _even(drawn, options.limit)]
        if bare:
            ids = [id_ for id_ in drawn if id_.startswith("noisy/")]
            wanted += [(id_, BARE) for id_ in _even(ids, options.limit)]
    refuse_unknown(options, (id_ for id_, _ in wanted))
    return [
        Planned(id=id_, variant=variant, repeat=repeat, model=SCRIPTED, seed=plan.seed, settings=digest)
        for id_, variant in dict.fromkeys(wanted)
        for repeat in range(options.repeat)
    ]


def _even(ids: list[str], limit: int | None) -> list[str]:
    """At most so many, drawn evenly."""
    if limit is None or limit >= len(ids):
        return ids
    return [ids[number * len(ids) // limit] for number in range(limit)]


def _report(cases: list[Case], plan: Plan, options: SuiteOptions) -> Report:
    every = set(goals_of(facts_of(plan.seed)))
    unusable = {strategy: sorted(every - set(asked)) for strategy, asked in plan.asked.items()}
    return Report(
        **circumstances("faults"),
        about="A scripted model that answers badly in every known way: no false success may come of it.",
        model=SCRIPTED,
        settings={
            "right": plan.right,
            "noisy": plan.noisy,
            **{f"goals left out, {name}": ", ".join(keys) for name, keys in unusable.items() if keys},
        },
        seeds={"project, tapes, replies": options.seed},
        cases=cases,
        metrics=metrics_of(cases, plan.right),
        tables=tables_of(cases),
        plots=[plot_of(cases)],
    )
