"""`reflect eval parts`: labelled questions, and what the gate says of their parts and of their repeats.

By embeddings (the model of embeddings.goals) and by words alone; no chat model is asked. Half of the
questions is held back: weights were fitted without them, and figures are shown for each half, and for
questions that were written later; a table's note says what the first looks found.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from configs.errors import UsageError
from configs.loading import load_settings
from evals.parts.figures import metrics_of, plots_of, tables_of
from evals.parts.labelled import labelled_questions
from evals.parts.measuring import BY_EMBEDDING, BY_WORDS, measured
from evals.report import (
    Case,
    Planned,
    Report,
    SuiteOptions,
    circumstances,
    evenly,
    isolated_home,
    publish,
    refuse_unknown,
    run_planned,
    settings_digest,
    suite_options,
    suite_parser,
)
from models.multilingual_embeddings import open_goal_embedder
from nodes.contractive.meanings import Meanings, meanings_of

BY_CODE = "code"
WAYS = (BY_EMBEDDING, BY_WORDS)


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("parts", __doc__, default_model=BY_CODE, strategies=WAYS)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met.

    Raises:
        UsageError: options that mean nothing here.
    """
    options = suite_options(arguments_of(argv))
    if list(options.models) != [BY_CODE]:
        raise UsageError("No model answers in this suite.", "Leave --model out.")
    with isolated_home():
        report = asyncio.run(_measured(options))
    return publish(report, options)


async def _measured(options: SuiteOptions) -> Report:
    planned = _planned(options)
    meanings: Meanings | None = None
    if any(one.variant == BY_EMBEDDING for one in planned):
        meanings = await asyncio.to_thread(_embedded, {one.id for one in planned})

    async def run_one(one: Planned) -> Case:
        of = meanings if one.variant == BY_EMBEDDING else None
        return measured(one, labelled_questions()[one.id], of)

    cases = await run_planned(planned, run_one, options)
    return Report(
        **circumstances("parts"),
        about="Proposed parts of labelled questions: on topic or off, new or asked before.",
        model=meanings.model if meanings else BY_WORDS,
        settings={"limit": options.limit},
        seeds={"intervals": options.seed},
        cases=cases,
        metrics=metrics_of(cases, options.seed),
        tables=tables_of(cases),
        plots=list(plots_of(cases)),
    )


def _embedded(ids: set[str]) -> Meanings:
    texts = [text for name in sorted(ids) for text in labelled_questions()[name].texts()]
    return meanings_of(texts, open_goal_embedder(load_settings(Path.cwd()).settings))


def _planned(options: SuiteOptions) -> list[Planned]:
    """Every question, each way.

    Raises:
        UsageError: a question that is asked for is none of the suite's.
    """
    refuse_unknown(options, labelled_questions(), "question")
    wanted = [one for one in labelled_questions().values() if not options.only or one.id in options.only]
    chosen = evenly(wanted, lambda one: one.field, options.limit, options.seed)
    return [
        Planned(
            id=one.id,
            variant=way,
            model=BY_CODE,
            settings=settings_digest({"question": one.model_dump()}),
        )
        for way in WAYS
        if not options.strategies or way in options.strategies
        for one in chosen
    ]
