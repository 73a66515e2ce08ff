"""Figures of the contractive suite: by scenario, against the bare model, and over all runs of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np

from evals.calibration.reliability import expected_error
from evals.contractive.checking import judged
from evals.contractive.echoes import echoes
from evals.contractive.ranking import auroc
from evals.contractive.task_files import tasks
from evals.report import Case, Metric, average, lift, share
from evals.report.bootstrap import TAIL, meets
from evals.report.options import BARE

Statistic = Callable[[Sequence[Case]], float | None]
RESAMPLES = 500
NOT_BELOW = ("S2", "S3", "S4", "S5", "S6")
AUROC_TARGET = "> 0.6"
LEAST_SETS = 20
"""Resampled sets with a figure below which no interval is told."""


def metrics_of(cases: Sequence[Case], seed: int) -> list[Metric]:
    """All figures; tasks are resampled with all their repetitions."""
    found: list[Metric] = []
    for label, own in by_label(cases).items():
        found += _of_scenario(label, own, cases, seed)
    for model in dict.fromkeys(case.model for case in cases):
        found += _of_model(model, [case for case in cases if case.model == model], cases, seed)
    failed = share("runs that ended in an error", [case.status == "error" for case in cases], target="= 0")
    return [*[one for one in found if one.n], failed, echoed(cases)]


def by_label(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Cases by scenario; with its model, if there are several."""
    several = len({case.model for case in cases}) > 1
    found: dict[str, list[Case]] = {}
    for case in sorted(cases, key=lambda one: one.variant):
        label = f"{case.variant} {case.model}" if several else case.variant
        found.setdefault(label, []).append(case)
    return found


def _of_scenario(label: str, own: Sequence[Case], cases: Sequence[Case], seed: int) -> list[Metric]:
    ids = [case.id for case in own]

    def mean(name: str, values: Sequence[float], unit: str) -> Metric:
        return average(f"{label}: {name}", values, unit=unit, seed=seed, clusters=ids)

    def hits(name: str, values: Sequence[bool]) -> Metric:
        return share(f"{label}: {name}", values, seed=seed, clusters=ids)

    found = [
        hits("accuracy", [case.passed for case in own]),
        _lift(label, own, cases, seed),
        hits("coverage", [bool(case.extra["answered"]) for case in own]),
        hits("says it is sure, and is wrong", [case.false_success for case in own]),
        resampled(f"{label}: keyword coverage", own, keyword_coverage, seed),
        resampled(f"{label}: right answers per 1000 tokens", own, efficiency, seed, unit="answers"),
        mean("tokens", [case.tokens for case in own], "tokens"),
        mean("model calls", [case.model_calls for case in own], "calls"),
        mean("seconds", [case.seconds for case in own], "seconds"),
    ]
    if own[0].variant == BARE:
        return found
    return [
        *found,
        resampled(f"{label}: decomposition rate", own, quotient("split", "questions"), seed),
        resampled(f"{label}: peer agreement", own, quotient("approved", "reviewed"), seed),
        mean("passes", [case.steps for case in own], "passes"),
    ]


def _lift(label: str, own: Sequence[Case], cases: Sequence[Case], seed: int) -> Metric:
    """Accuracy less that of the bare model on the same tasks."""
    bare = {
        (case.id, case.repeat, case.seed, case.model): case.passed for case in cases if case.variant == BARE
    }
    paired = [
        (case.id, (case.passed, bare[key]))
        for case in own
        if case.variant != BARE and (key := (case.id, case.repeat, case.seed, case.model)) in bare
    ]
    target = ">= 0" if own[0].variant in NOT_BELOW else None
    pairs, ids = [pair for _, pair in paired], [name for name, _ in paired]
    return lift(f"{label}: accuracy less that of S0", pairs, target=target, seed=seed, clusters=ids)


def _of_model(model: str, own: Sequence[Case], cases: Sequence[Case], seed: int) -> list[Metric]:
    """Calibration and contraction over all scenarios of the graph."""
    told = f" ({model})" if len({case.model for case in cases}) > 1 else ""
    graph = [case for case in own if case.variant != BARE]
    auroc_of, error_of = "graph: AUROC of uncertainty against error", "graph: calibration error of confidence"
    answers, steps = len(answered(graph)), len(ratios(graph))
    return [
        resampled(f"{auroc_of}{told}", graph, error_auroc, seed, target=AUROC_TARGET, unit="", n=answers),
        resampled(f"{error_of}{told}", graph, calibration_error, seed, unit="", n=answers),
        resampled(f"graph: measured q, median{told}", graph, q_median, seed, unit="", n=steps),
        resampled(f"graph: measured q below 1{told}", graph, q_below_one, seed, n=steps),
    ]


def echoed(cases: Sequence[Case]) -> Metric:
    """Of replies that only say these tasks again, or nothing, how many the judge passes."""
    known = [tasks()[name] for name in dict.fromkeys(case.id for case in cases) if name in tasks()]
    passed = [judged(task, reply).right for task in known for reply in echoes(task)]
    return share("echoes and empty replies that pass", passed, target="= 0")


def answered(cases: Sequence[Case]) -> list[Case]:
    """Cases that give an answer: only for those does confidence mean anything."""
    return [case for case in cases if case.extra["answered"]]


def shown(cases: Sequence[Case]) -> list[tuple[float, bool]]:
    """Confidence and whether it was right, of cases that give both."""
    return [(case.confidence, case.passed) for case in answered(cases) if case.confidence is not None]


def error_auroc(cases: Sequence[Case]) -> float | None:
    """AUROC of the root's uncertainty as a predictor of error; None without both right and wrong answers."""
    return auroc(
        [
            (case.extra["uncertainty"], not case.passed)
            for case in answered(cases)
            if "uncertainty" in case.extra
        ]
    )


def calibration_error(cases: Sequence[Case]) -> float | None:
    """Expected calibration error in ten bins; None without answers."""
    pairs = shown(cases)
    return expected_error(pairs) if pairs else None


def keyword_coverage(cases: Sequence[Case]) -> float | None:
    """Keywords found of those a complete answer has."""
    return _over(cases, "keywords_found", "keywords")


def efficiency(cases: Sequence[Case]) -> float | None:
    """Right answers for every 1000 tokens spent, those of wrong ones included."""
    tokens = sum(case.tokens for case in cases)
    return 1000 * sum(case.passed for case in cases) / tokens if tokens else None


def quotient(over: str, under: str) -> Statistic:
    """One count of all cases divided by another."""
    return lambda cases: _over(cases, over, under)


def _over(cases: Sequence[Case], over: str, under: str) -> float | None:
    total = sum(_count(case.extra, under) for case in cases)
    return sum(_count(case.extra, over) for case in cases) / total if total else None


def _count(extra: dict[str, Any], name: str) -> float:
    return float(extra.get(name, 0))


def q_median(cases: Sequence[Case]) -> float | None:
    """Median of the measured ratios of steps; None where no run made three passes."""
    measured = ratios(cases)
    return float(median(measured)) if measured else None


def q_below_one(cases: Sequence[Case]) -> float | None:
    """Share of the measured ratios that contract."""
    measured = ratios(cases)
    return sum(ratio < 1 for ratio in measured) / len(measured) if measured else None


def ratios(cases: Sequence[Case]) -> list[float]:
    """Measured q of all passes that have one."""
    return [ratio for case in cases for ratio in case.extra.get("ratios", [])]


def resampled(
    name: str,
    cases: Sequence[Case],
    statistic: Statistic,
    seed: int,
    *,
    target: str | None = None,
    unit: str = "share",
    n: int | None = None,
) -> Metric:
    """Any figure of cases with the 95% percentile interval of tasks resampled whole.

    Sets of tasks for which the figure does not exist are left out; of few others no interval is told.

    Args:
        name: of the metric.
        cases: it is a figure of.
        statistic: of any cases.
        seed: of the resampling.
        target: as people write it.
        unit: as `Metric` has it.
        n: what it rests on, if that is not cases.
    """
    value = statistic(cases)
    if value is None:
        return Metric(name=name, value=None, target=target, unit=unit)
    of: dict[str, list[Case]] = {}
    for case in cases:
        of.setdefault(case.id, []).append(case)
    groups = list(of.values())
    rng = np.random.default_rng(seed)
    drawn = (
        statistic([case for place in rng.integers(0, len(groups), len(groups)) for case in groups[place]])
        for _ in range(RESAMPLES)
    )
    values = [one for one in drawn if one is not None]
    low = high = None
    if len(values) >= LEAST_SETS:
        low, high = (float(end) for end in np.percentile(values, [TAIL, 100 - TAIL]))
    met = meets(value, target) if target else None
    count = len(cases) if n is None else n
    return Metric(name=name, value=value, low=low, high=high, n=count, target=target, met=met, unit=unit)
