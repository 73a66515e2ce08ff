"""`reflect eval entropy`: labelled samples of answers, clustered by code and by a model as judge.

Code alone decides by default and needs no model. With --model P:M a model settles what code cannot tell, in
the same run; --prefilter COSINE keeps pairs from it whose embeddings are further apart. A third of the sets
is held back: weights were fitted without them, and figures are shown for both parts.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from configs.errors import UsageError
from configs.loading import load_settings
from evals.entropy.figures import metrics_of, plots_of, tables_of
from evals.entropy.measuring import BY_CODE, BY_JUDGE, measured
from evals.entropy.sample_set import SampleSet, sample_sets
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
from models.embeddings import Embedder
from models.identifiers import ModelId
from models.multilingual_embeddings import open_goal_embedder
from models.roles import RoleModels
from models.selection import ModelChoice
from nodes.contractive.entailment import Judge, model_judge

MEASURED = 0.0
"""Stands for the cosine `configs.entailment` has of the embedder in use."""


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("entropy", __doc__, default_model=BY_CODE, strategies=(BY_CODE, BY_JUDGE))
    parser.add_argument(
        "--prefilter",
        type=float,
        nargs="?",
        const=MEASURED,
        metavar="COSINE",
        help="pairs below it are different, the judge unasked; without a number as it was measured",
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met.

    Raises:
        UsageError: options that mean nothing here.
    """
    arguments = arguments_of(argv)
    options = suite_options(arguments)
    judges = [model for model in options.models if model != BY_CODE]
    if BY_JUDGE in options.strategies and not judges:
        raise UsageError("A judge is a model.", "Name one after --model.")
    if arguments.prefilter is not None and (not judges or not MEASURED <= arguments.prefilter < 1):
        raise UsageError(
            "--prefilter is a cosine between 0 and 1, before a judge.", "Name a judge after --model."
        )
    with isolated_home():
        report = asyncio.run(_measured(options, judges, arguments.prefilter))
    return publish(report, options)


async def _measured(options: SuiteOptions, judges: list[str], prefilter: float | None) -> Report:
    planned = _planned(options, judges, prefilter)
    settings = load_settings(Path.cwd()).settings
    opened = {name: RoleModels(settings, ModelChoice(ModelId.parse(name), "as asked")) for name in judges}
    embedder = await asyncio.to_thread(open_goal_embedder, settings) if prefilter is not None else None

    async def run_one(one: Planned) -> Case:
        judge: Judge | None = None
        near: Embedder | None = None
        if one.variant == BY_JUDGE:
            judge, near = model_judge(opened[one.model]), embedder
        return await measured(one, sample_sets()[one.id], judge, near, prefilter or None)

    digests = {name: model_digest(name) for name in judges}
    try:
        cases = await run_planned(planned, run_one, options)
    finally:
        for models in opened.values():
            await models.aclose()
    return _report(cases, options, digests, prefilter)


def _report(
    cases: list[Case], options: SuiteOptions, digests: dict[str, str], prefilter: float | None
) -> Report:
    return Report(
        **circumstances("entropy"),
        about="Labelled samples of answers: the clusters found, held against those that are true.",
        model=", ".join(options.models),
        model_digest=digests,
        settings={"limit": options.limit, "prefilter": prefilter},
        seeds={"intervals": options.seed},
        cases=cases,
        metrics=metrics_of(cases, options.seed),
        tables=tables_of(cases),
        plots=list(plots_of(cases)),
    )


def _planned(options: SuiteOptions, judges: list[str], prefilter: float | None) -> list[Planned]:
    """Every set, by code and by each judge.

    Raises:
        UsageError: a set that is asked for is none of the suite's.
    """
    refuse_unknown(options, sample_sets(), "set")
    wanted = [one for one in sample_sets().values() if not options.only or one.id in options.only]
    chosen: list[SampleSet] = evenly(wanted, lambda one: one.kind, options.limit, options.seed)
    ways = [(BY_CODE, BY_CODE), *((BY_JUDGE, model) for model in judges)]
    return [
        Planned(
            id=one.id,
            variant=variant,
            repeat=repeat,
            model=model,
            settings=settings_digest(
                {"set": one.model_dump(), "prefilter": prefilter if variant == BY_JUDGE else None}
            ),
        )
        for variant, model in ways
        if not options.strategies or variant in options.strategies
        for one in chosen
        for repeat in range(options.repeat if variant == BY_JUDGE else 1)
    ]
