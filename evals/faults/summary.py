"""Figures, tables and a plot from the cases of the fault suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from evals.faults.table import BARE
from evals.report import BarChart, Bars, Case, Metric, Table, share

Recovered = list[bool]


def metrics_of(cases: list[Case], right: float) -> list[Metric]:
    """The suite's figures."""
    ours = [case for case in cases if case.variant != BARE]
    noisy = [case for case in ours if case.extra["position"] == "noisy"]
    single = [case for case in ours if case.extra["position"] != "noisy"]
    recoverable = [case for case in noisy if case.recovered is not None]
    bare = [case.false_success for case in cases if case.variant == BARE]
    figures = [
        share("false success", [case.false_success for case in ours], target="= 0"),
        share(
            "a rule broken: no answer, no reason, beyond a budget",
            [bool(c.extra["broken"]) for c in ours],
            target="= 0",
        ),
        share("fault never met", [case.extra["invalid"] for case in single], target="= 0"),
        share("one fault, recovered", _recovered(single), target=">= 95%"),
        share(f"noisy oracle at {right:g}, recovered", _recovered(noisy), target=">= 95%"),
        share(
            f"noisy oracle at {right:g}, budget spent though it sufficed",
            [c.budget_exhausted for c in recoverable],
            target="< 10%",
        ),
        share(
            f"noisy oracle at {right:g}, budget spent, all runs", [case.budget_exhausted for case in noisy]
        ),
        share(
            f"noisy oracle at {right:g}, budgets cannot suffice",
            [c.extra["possible"] != "right" for c in noisy],
        ),
        share("bare model, false success", bare),
    ]
    return [figure for figure in figures if figure.n]


def _recovered(cases: Iterable[Case]) -> Recovered:
    return [case.recovered for case in cases if case.recovered is not None]


def tables_of(cases: list[Case]) -> list[Table]:
    """Details: by class and role, by strategy, how hopeless runs ended, pairs that deceive."""
    ours = [case for case in cases if case.variant != BARE]
    noisy = [case for case in ours if case.extra["position"] == "noisy"]
    single = [case for case in ours if case.extra["position"] != "noisy"]
    return [
        _by("One fault at a time, by role and class", single, lambda case: [case.group]),
        _by("Noisy oracle, by role and class met", noisy, lambda case: case.extra["met"]),
        _by("By strategy", ours, _strategy),
        _endings(ours),
    ]


def _strategy(case: Case) -> list[str]:
    noisy = case.extra["position"] == "noisy"
    return [f"{case.variant}, {'noisy oracle' if noisy else 'one fault'}"]


def _by(title: str, cases: list[Case], groups: Callable[[Case], list[str]]) -> Table:
    found: dict[str, list[Case]] = {}
    for case in cases:
        for group in groups(case):
            found.setdefault(group, []).append(case)
    rows: list[list[str | int | float | None]] = []
    for group, members in sorted(found.items()):
        figure = share(group, _recovered(members))
        interval = (
            f"{figure.low:.0%} to {figure.high:.0%}"
            if figure.low is not None and figure.high is not None
            else ""
        )
        rows.append(
            [
                group,
                len(members),
                sum(case.false_success for case in members),
                figure.n,
                None if figure.value is None else f"{figure.value:.1%}",
                interval,
                sum(case.budget_exhausted for case in members),
            ]
        )
    columns = ["", "runs", "false successes", "recoverable", "recovered", "95% interval", "budget spent"]
    return Table(title=title, columns=columns, rows=rows)


def _endings(cases: list[Case]) -> Table:
    """How the runs ended that no budget could save."""
    beyond = [case for case in cases if case.extra["possible"] != "right"]
    counted = Counter((case.extra["possible"], case.status, case.stop_reason) for case in beyond)
    rows: list[list[str | int | float | None]] = [
        [possible, status, reason, number] for (possible, status, reason), number in sorted(counted.items())
    ]
    return Table(
        title="Runs that the budgets cannot save, and how they ended",
        columns=["by the specification", "status", "stop reason", "runs"],
        rows=rows,
        note="spent: no right reply within the budgets; broken: no reply at all; "
        "deceived: a wrong plan and a verifier that passes everything; "
        "shown: an output that only a bare pass speaks for.",
    )


def plot_of(cases: list[Case]) -> BarChart:
    """Recovery by class of fault and strategy, over single faults."""
    single = [case for case in cases if case.variant != BARE and case.extra["position"] != "noisy"]
    labels = sorted({case.extra["class"] for case in single if case.recovered is not None})
    series = []
    for variant in sorted({case.variant for case in single}):
        figures = [
            share(label, _recovered(c for c in single if c.variant == variant and c.extra["class"] == label))
            for label in labels
        ]
        series.append(
            Bars(
                name=variant,
                values=[f.value for f in figures],
                low=[f.low for f in figures],
                high=[f.high for f in figures],
            )
        )
    return BarChart(title="Recovered, by class of fault", labels=labels, series=series)
