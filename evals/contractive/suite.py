"""`reflect eval contractive`: thirty tasks with exact answers, by the bare model and in six scenarios.

S0 one direct call of the bare model   S1 fast: one level, one pass, nobody reviews
S2 self-consistency: samples only      S3 light peer: the model itself says approved or not
S4 peer of another family              S5 larger peer of the same family
S6 light peer, and a person is asked what an ambiguous question means

--model scripted:noisy-thinker knows the answers and errs at random: what the machinery makes of a model whose
errors are known. Where no peer of S4 or S5 is named or installed, the model reviews itself, and the report
says so.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from configs.errors import UsageError
from configs.loading import load_settings
from evals.contractive.checks import Task
from evals.contractive.figures import metrics_of
from evals.contractive.noisy import NOISY, register
from evals.contractive.peers import Peer, peer_for
from evals.contractive.running import run_case, settings_of
from evals.contractive.tables import plots_of, tables_of
from evals.contractive.task_files import tasks
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
    refuse_silence,
    refuse_unknown,
    run_planned,
    settings_digest,
    suite_options,
    suite_parser,
)
from evals.report.options import BARE, listed
from models.identifiers import ModelId
from models.ollama_health import can_chat, ollama_address, ollama_status

SCENARIOS = (BARE, "S1", "S2", "S3", "S4", "S5", "S6")
PROBE_SECONDS = 2.0


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("contractive", __doc__, strategies=SCENARIOS)
    parser.add_argument("--scenarios", metavar="S0,S1,...", help="which to run (default: all); as --strategy")
    parser.add_argument("--peer-model", metavar="P:M", help="reviews in S4: a model of another family")
    parser.add_argument("--strong-model", metavar="P:M", help="reviews in S5: a larger one of the family")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met.

    Raises:
        UsageError: options that mean nothing here.
    """
    arguments = arguments_of(argv)
    options = suite_options(arguments)
    scenarios = scenarios_of(arguments.scenarios, options)
    for named in (*options.models, arguments.peer_model, arguments.strong_model):
        if named is not None:
            ModelId.parse(named)
    register()
    with isolated_home():
        peers = {
            (scenario, model): peer_for(
                scenario,
                model,
                other=arguments.peer_model,
                strong=arguments.strong_model,
                installed=installed_models,
            )
            for scenario in scenarios
            for model in options.models
        }
        report = asyncio.run(_measured(options, scenarios, peers))
    return publish(report, options)


def scenarios_of(names: str | None, options: SuiteOptions) -> list[str]:
    """The scenarios asked for, each once.

    Raises:
        UsageError: one is none of the suite's, or both ways to name them are used.
    """
    upper = names.upper() if names is not None else None
    named = listed("--scenarios", upper, "--strategy", options.strategies) or SCENARIOS
    if unknown := set(named) - set(SCENARIOS):
        what = ", ".join(sorted(unknown))
        raise UsageError(f"There is no scenario {what}.", f"Choose from {', '.join(SCENARIOS)}.")
    return list(named)


@cache
def installed_models() -> tuple[str, ...]:
    """Models the Ollama server has that can chat; none if it does not answer."""
    address = ollama_address(load_settings(Path.cwd()).settings, "critic")
    status = ollama_status(address, PROBE_SECONDS)
    return tuple(name for name in status.models if can_chat(address, name, PROBE_SECONDS))


async def _measured(
    options: SuiteOptions, scenarios: Sequence[str], peers: dict[tuple[str, str], Peer]
) -> Report:
    chosen = _chosen(options)
    planned = planned_cases(chosen, options, scenarios, peers)
    known = {*options.models, *(peer.model for peer in peers.values() if peer.model)}
    digests = {model: model_digest(model) for model in sorted(known) if model != NOISY}
    by_id = {task.id: task for task in chosen}
    if set(scenarios) != {BARE}:
        # Loaded here, for it takes seconds, which are not the first run's.
        await asyncio.to_thread(import_module, "graph.contractive")

    async def run_one(one: Planned) -> Case:
        return await run_case(one, by_id[one.id], peers[one.variant, one.model])

    cases = await run_planned(planned, run_one, options)
    refuse_silence(cases)
    return Report(
        **circumstances("contractive"),
        about="Tasks with exact answers: the tree of questions, held against one call of the bare model.",
        model=", ".join(options.models),
        model_digest=digests,
        settings={"limit": options.limit, "repeat": options.repeat, "jobs": options.jobs},
        seeds={"samples": options.seed, "intervals": options.seed},
        cases=cases,
        metrics=metrics_of(cases, options.seed),
        tables=tables_of(cases),
        plots=plots_of(cases),
    )


def _chosen(options: SuiteOptions) -> list[Task]:
    """The tasks asked for, drawn evenly from the domains.

    Raises:
        UsageError: a task that is asked for is none of the suite's.
    """
    refuse_unknown(options, tasks(), "task")
    wanted = [task for task in tasks().values() if not options.only or task.id in options.only]
    return evenly(wanted, lambda task: task.domain, options.limit, options.seed)


def planned_cases(
    chosen: Sequence[Task],
    options: SuiteOptions,
    scenarios: Sequence[str],
    peers: dict[tuple[str, str], Peer],
) -> list[Planned]:
    """Every task for every model and scenario, task by task, so that a part shows all scenarios."""

    def digest(task: Task, scenario: str, model: str) -> str:
        settings = settings_of(scenario, peers[scenario, model]) if scenario != BARE else {}  # type: ignore[arg-type]
        return settings_digest({"task": task.model_dump(mode="json"), **settings})

    return [
        Planned(
            id=task.id,
            variant=scenario,
            repeat=repeat,
            model=model,
            seed=options.seed,
            settings=digest(task, scenario, model),
        )
        for model in options.models
        for repeat in range(options.repeat)
        for task in chosen
        for scenario in scenarios
    ]
