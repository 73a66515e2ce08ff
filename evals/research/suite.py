"""`reflect eval research`: deep research over invented worlds, held against what is true in them.

The check of sentences is measured by itself (--checker-only): correct sentences, copied and retold, and the
same made wrong in one way. The whole suite also puts questions to the research graph, to the bare model (S0)
and, with --ablations, to the graph without one of its parts, and has runs replayed, and killed and resumed.

--model scripted:noisy is an analyst who makes every second sentence wrong and a critic who passes everything:
what is wrong in its reports, the check of citations let through.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from configs.errors import UsageError
from evals.report import (
    Case,
    Planned,
    Report,
    SuiteOptions,
    circumstances,
    evenly,
    isolated_home,
    model_digest,
    publish,
    refuse_unknown,
    run_planned,
    settings_digest,
    suite_options,
    suite_parser,
)
from evals.report.options import BARE
from evals.research import checker_figures, graph_figures
from evals.research.checker import VARIANT as CHECKER
from evals.research.checker import Bench
from evals.research.noisy import NOISY
from evals.research.product import ABLATIONS
from evals.research.runs import DEFAULT, EQUAL, EQUAL_KINDS, VARIANTS, Runs

BY_CODE = "code"


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("research", __doc__, strategies=(*VARIANTS, CHECKER))
    parser.add_argument("--worlds", type=int, default=1, metavar="N", help="worlds, from --seed on")
    parser.add_argument(
        "--checker-only", action="store_true", help="only the check of sentences, which needs no model"
    )
    parser.add_argument("--ablations", action="store_true", help="the graph without one of its parts, too")
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
    if arguments.checker_only and (arguments.model or arguments.ablations):
        raise UsageError("The check of sentences needs no model.", "Leave out --model and --ablations.")
    variants = _variants(options, arguments)
    with isolated_home():
        report = asyncio.run(_measured(options, arguments.worlds, variants))
    return publish(report, options)


def _variants(options: SuiteOptions, arguments: argparse.Namespace) -> list[str]:
    """What is run: the check of sentences, and variants of the graph."""
    if arguments.checker_only:
        return [CHECKER]
    if options.strategies:
        return list(options.strategies)
    # The noisy analyst answers the roles of the graph; it is nobody to compare with.
    wanted = [name for name in DEFAULT if name != BARE or set(options.models) != {NOISY}]
    return [CHECKER, *wanted, *(name for name in ABLATIONS if arguments.ablations and name not in DEFAULT)]


async def _measured(options: SuiteOptions, worlds: int, variants: list[str]) -> Report:
    with tempfile.TemporaryDirectory(prefix="reflect-research-") as name:
        bench, runs = Bench(), Runs(Path(name))
        seeds = range(options.seed, options.seed + worlds)
        planned = _checks(bench, options, seeds) if CHECKER in variants else []
        planned += _reports(runs, options, seeds, [name for name in variants if name != CHECKER])
        refuse_unknown(options, (one.id for one in planned))

        async def run_one(one: Planned) -> Case:
            return await (bench.run_one(one) if one.variant == CHECKER else runs.run_one(one))

        models = options.models if set(variants) != {CHECKER} else (BY_CODE,)
        digests = {model: model_digest(model) for model in models if model not in (BY_CODE, NOISY)}
        cases = await run_planned(planned, run_one, options)
    return _report(cases, options, worlds, models, digests)


def _report(
    cases: list[Case], options: SuiteOptions, worlds: int, models: Sequence[str], digests: dict[str, str]
) -> Report:
    checks = [case for case in cases if case.variant == CHECKER]
    reports = [case for case in cases if case.variant != CHECKER]
    return Report(
        **circumstances("research"),
        about="Reports and sentences about invented worlds, held by code against what is true in them.",
        model=", ".join(models),
        model_digest=digests,
        settings={"worlds": worlds, "limit": options.limit, "repeat": options.repeat, "jobs": options.jobs},
        seeds={"first world": options.seed, "intervals": options.seed},
        cases=cases,
        metrics=[
            *graph_figures.metrics_of(reports, options.seed),
            *checker_figures.metrics_of(checks, options.seed),
        ],
        tables=[
            *graph_figures.tables_of(reports, options.seed),
            *checker_figures.tables_of(checks, options.seed),
        ],
        plots=[checker_figures.plot_of(checks, options.seed)] if checks else [],
    )


def _checks(bench: Bench, options: SuiteOptions, seeds: Sequence[int]) -> list[Planned]:
    """Every sentence of every world."""
    digest = settings_digest({"reports": bench.reports})
    planned = [
        Planned(id=name, variant=CHECKER, model=BY_CODE, seed=seed, settings=digest)
        for seed in seeds
        for name in bench.ids(seed)
    ]
    wanted = [one for one in planned if not options.only or one.id in options.only]
    return evenly(wanted, lambda one: one.id.split("/")[2], options.limit, options.seed)


def _reports(runs: Runs, options: SuiteOptions, seeds: Sequence[int], variants: list[str]) -> list[Planned]:
    """Every question of every world, in every variant."""
    planned: list[Planned] = []
    for variant in variants:
        for model in options.models:
            wanted = [
                Planned(id=question.id, variant=variant, repeat=repeat, model=model, seed=seed)
                for seed in seeds
                for question in runs.questions(seed).values()
                for repeat in range(options.repeat)
                if not options.only or question.id in options.only
                if variant not in EQUAL or question.kind in EQUAL_KINDS
            ]
            planned += evenly(wanted, lambda one: one.id.split("/")[1], options.limit, options.seed)
    return planned
