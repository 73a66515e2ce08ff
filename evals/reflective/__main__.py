"""Scenarios about a generated project, judged by code: `reflect eval reflective`.

The project is written from a seed; every answer is computed from its files, by code that knows nothing of
the graph. A case has passed when the answer is right, was looked up with the tools the scenario names, and
took no more steps than it allows. A run that says it answered and is wrong is a false success; one that says
it could not is not. The bare model (S0) gets each goal in one prompt, and its one command runs in the same
sandbox.

--model scripted:oracle is somebody who knows the plan of every scenario, and first falls into the trap where
there is one: what it does not pass is the fault of the graph. Repetitions have projects of their own.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evals.reflective import measures
from evals.reflective.running import Suite
from evals.reflective.scenario import Scenario
from evals.report import (
    Case,
    Planned,
    Report,
    SuiteOptions,
    as_program,
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

DEFAULT = "graph_v30"
MOST_JOBS = 4


def plan_cases(suite: Suite, options: SuiteOptions) -> list[Planned]:
    """Every run that was asked for.

    Raises:
        UsageError: an id is none of the suite's.
    """
    variants = list(options.strategies or [DEFAULT])
    # What counts is the lift, so the bare model runs along, unless single cases are looked at.
    variants += [BARE] if BARE not in variants and not options.only else []
    planned = []
    for repeat in range(options.repeat):
        seed = options.seed + repeat
        chosen = _chosen(suite.scenarios(seed), options)
        planned += [
            Planned(
                id=scenario.id,
                variant=variant,
                repeat=repeat,
                model=model,
                seed=seed,
                settings=settings_digest(scenario.model_dump(mode="json")),
            )
            for model in options.models
            for variant in variants
            for scenario in chosen
        ]
    return planned


def _chosen(scenarios: dict[str, Scenario], options: SuiteOptions) -> list[Scenario]:
    refuse_unknown(options, scenarios, "scenario")
    chosen = [scenario for name, scenario in scenarios.items() if not options.only or name in options.only]
    return evenly(chosen, lambda scenario: scenario.family, options.limit, options.seed)


async def measure(options: SuiteOptions) -> Report:
    """Run the suite."""
    with isolated_home(), tempfile.TemporaryDirectory(prefix="reflect-scenarios-") as name:
        suite = Suite(Path(name))
        planned = plan_cases(suite, options)
        digests = {model: model_digest(model) for model in options.models}
        cases = await run_planned(planned, suite.run_one, options)
    return report(cases, options, digests)


def report(cases: list[Case], options: SuiteOptions, digests: dict[str, str]) -> Report:
    """What was measured."""
    graphs = [name for name in options.strategies if name != BARE]
    judged = DEFAULT if not graphs or DEFAULT in graphs else graphs[0]
    scenarios = len({case.id for case in cases})
    return Report(
        **circumstances("reflective"),
        about=f"{scenarios} scenarios about a generated project; answers are confirmed by code.",
        model=", ".join(options.models),
        model_digest=digests,
        settings={
            "jobs": options.jobs,
            "repeat": options.repeat,
            "limit": options.limit,
            "targets for": judged,
        },
        seeds={"project": options.seed, "intervals": options.seed},
        cases=cases,
        metrics=measures.metrics(cases, judged, options.seed),
        tables=measures.tables(cases),
        plots=measures.plots(cases, options.seed),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met."""
    parser = suite_parser("reflective", __doc__)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parser.set_defaults(jobs=min(MOST_JOBS, cores))
    options = suite_options(parser.parse_args(argv))
    return publish(asyncio.run(measure(options)), options)


if __name__ == "__main__":
    sys.exit(as_program(main))
