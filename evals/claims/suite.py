"""`reflect eval claims`: sentences of natural prose beside their sources; what is caught, what objected to.

Without a name the held-out sets are measured. A sentence sent to a judge is not caught, and no false alarm.
A folder of your own with sources.jsonl and claims.jsonl (see evals/claims/sets.py) may be named instead.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from functools import lru_cache

from evals.claims.figures import metrics_of, tables_of
from evals.claims.sets import ClaimSet, Labelled, load, named
from evals.report import (
    Case,
    Planned,
    Report,
    SuiteOptions,
    circumstances,
    evenly,
    publish,
    refuse_unknown,
    run_planned,
    suite_options,
    suite_parser,
)
from nodes.research.check import FAILED
from nodes.research.checking.checker import Checker
from nodes.research.checking.folding import fold

VARIANT = "checker"
BY_CODE = "code"


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("claims", __doc__, default_model=BY_CODE, strategies=(VARIANT,))
    parser.add_argument("sets", nargs="*", metavar="SET", help="sets of claims, by name or folder")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met.

    Raises:
        UsageError: there is no such set, or no such claim in it.
    """
    arguments = arguments_of(argv)
    options = suite_options(arguments)
    return publish(asyncio.run(_measured(options, named(arguments.sets))), options)


async def _measured(options: SuiteOptions, names: list[str]) -> Report:
    every = [
        Planned(id=f"{name}/{one}", variant=VARIANT, model=BY_CODE)
        for name in names
        for one in load(name).claims
    ]
    refuse_unknown(options, (one.id for one in every))
    wanted = [one for one in every if not options.only or one.id in options.only]
    planned = evenly(wanted, _kind, options.limit, options.seed)
    cases = await run_planned(planned, _run_one, options)
    return Report(
        **circumstances("claims"),
        about="Sentences of natural prose, correct and with one error, held against the sources they cite.",
        model=BY_CODE,
        settings={"sets": names, "limit": options.limit},
        seeds={"intervals": options.seed},
        cases=cases,
        metrics=metrics_of(cases, options.seed),
        tables=tables_of(cases, options.seed),
    )


def _found(planned: Planned) -> tuple[ClaimSet, Labelled]:
    name, _, claim = planned.id.rpartition("/")
    found = load(name)
    return found, found.claims[claim]


def _kind(planned: Planned) -> str:
    _, claim = _found(planned)
    return f"{claim.label}/{claim.kind}"


@lru_cache
def _checker(name: str) -> Checker:
    found = load(name)
    return Checker(found.items, [fold(one.claim) for one in found.claims.values()])


async def _run_one(planned: Planned) -> Case:
    found, claim = _found(planned)
    checker = await asyncio.to_thread(_checker, planned.id.rpartition("/")[0])
    started = time.perf_counter()
    check = await asyncio.to_thread(checker.claim, claim.claim, claim.citations)
    flagged = check.verdict in FAILED
    wrong = claim.label == "wrong"
    return Case(
        id=planned.id,
        group=f"{claim.label}: {claim.kind}",
        variant=VARIANT,
        model=BY_CODE,
        goal=claim.claim,
        passed=flagged == wrong,
        false_success=wrong and check.verdict == "supported",
        status=check.verdict,
        detail="" if flagged == wrong else f"{check.verdict}: {claim.claim} ({check.reason})",
        seconds=round(time.perf_counter() - started, 4),
        extra={"label": claim.label, "kind": claim.kind, "language": found.language, "set": found.name},
    )
