"""Tables and plots of the contractive suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evals.calibration.reliability import reliability_bins
from evals.contractive.figures import (
    answered,
    by_label,
    calibration_error,
    efficiency,
    error_auroc,
    keyword_coverage,
    q_below_one,
    q_median,
    quotient,
    ratios,
    shown,
)
from evals.report import BarChart, Bars, Case, Histogram, Reliability, Table, bootstrap_interval
from evals.report.case import Plot
from evals.report.options import BARE

Row = list[str | int | float | None]
CALIBRATION_NOTE = (
    "Of runs that gave an answer. AUROC: probability that a wrong answer had the higher uncertainty; none "
    "where all were right or all wrong."
)


def tables_of(cases: Sequence[Case]) -> list[Table]:
    """By scenario, by domain, calibration, contraction and reasons to stop."""
    groups = by_label(cases)
    found = [_scenarios(groups), _domains(groups), _difficulties(groups)]
    graph = {label: own for label, own in groups.items() if own[0].variant != BARE}
    if graph:
        found += [_calibration(graph), _contraction(graph), _stops(graph)]
    return found


def _scenarios(groups: dict[str, list[Case]]) -> Table:
    columns = [
        "scenario", "right", "answered", "keywords", "per 1000 tokens", "tokens", "calls", "seconds", "split",
        "approved", "peer",
    ]  # fmt: skip
    rows: list[Row] = []
    for label, own in groups.items():
        rows.append(
            [
                label,
                _share(own, [case.passed for case in own]),
                _share(own, [bool(case.extra["answered"]) for case in own]),
                _percent(keyword_coverage(own)),
                efficiency(own),
                _mean([case.tokens for case in own]),
                _mean([case.model_calls for case in own]),
                _mean([case.seconds for case in own]),
                _percent(quotient("split", "questions")(own)),
                _percent(quotient("approved", "reviewed")(own)),
                _peer(own),
            ]
        )
    return Table(title="By scenario", columns=columns, rows=rows)


def _peer(own: Sequence[Case]) -> str | None:
    told = dict.fromkeys(
        f"{case.extra['peer']} ({case.extra['peer_told']})" for case in own if case.extra["peer"]
    )
    return "; ".join(told) or None


def _domains(groups: dict[str, list[Case]]) -> Table:
    return _by_kind(
        "Right by domain", groups, [case.group for own in groups.values() for case in own], "group"
    )


def _difficulties(groups: dict[str, list[Case]]) -> Table:
    kinds = ["easy", "medium", "hard"]
    return _by_kind("Right by difficulty", groups, kinds, "difficulty")


def _by_kind(title: str, groups: dict[str, list[Case]], kinds: Sequence[str], by: str) -> Table:
    wanted = list(dict.fromkeys(kinds))
    rows: list[Row] = []
    for label, own in groups.items():
        row: Row = [label]
        for kind in wanted:
            these = [case for case in own if (case.group if by == "group" else case.extra[by]) == kind]
            row.append(_share(these, [case.passed for case in these]))
        rows.append(row)
    return Table(title=title, columns=["scenario", *wanted], rows=rows)


def _calibration(groups: dict[str, list[Case]]) -> Table:
    rows: list[Row] = [
        [label, len(answered(own)), calibration_error(own), error_auroc(own)] for label, own in groups.items()
    ]
    columns = ["scenario", "answers", "calibration error", "AUROC of uncertainty"]
    return Table(title="Calibration", columns=columns, rows=rows, note=CALIBRATION_NOTE)


def _contraction(groups: dict[str, list[Case]]) -> Table:
    rows: list[Row] = [
        [
            label,
            _mean([case.steps for case in own]),
            max(case.steps for case in own),
            len(ratios(own)),
            q_median(own),
            _percent(q_below_one(own)),
        ]
        for label, own in groups.items()
    ]
    columns = ["scenario", "passes", "most", "ratios measured", "median q", "q < 1"]
    note = "q needs three passes whose first step was not of length 0."
    return Table(title="Contraction", columns=columns, rows=rows, note=note)


def _stops(groups: dict[str, list[Case]]) -> Table:
    counts = {label: Counter(case.stop_reason or "none" for case in own) for label, own in groups.items()}
    reasons = sorted({reason for own in counts.values() for reason in own})
    rows: list[Row] = [[label, *(own[reason] for reason in reasons)] for label, own in counts.items()]
    return Table(title="Why runs stopped", columns=["scenario", *reasons], rows=rows)


def plots_of(cases: Sequence[Case]) -> list[Plot]:
    """Accuracy by domain, confidence against truth, tokens and seconds."""
    groups = by_label(cases)
    domains = list(dict.fromkeys(case.group for case in cases))
    plots: list[Plot] = [
        BarChart(
            title="Right by domain",
            labels=domains,
            series=[_bars(label, own, domains) for label, own in groups.items()],
        ),
        Histogram(
            title="Tokens of a run",
            unit="tokens",
            series={label: [float(case.tokens) for case in own] for label, own in groups.items()},
        ),
        Histogram(
            title="Time to solution",
            unit="seconds",
            series={label: [case.seconds for case in own] for label, own in groups.items()},
        ),
    ]
    graph = shown([case for case in cases if case.variant != BARE])
    if graph:
        title = "Confidence against the share that was right, all scenarios of the graph"
        plots.insert(1, Reliability(title=title, bins=reliability_bins(graph)))
    return plots


def _bars(label: str, own: Sequence[Case], domains: Sequence[str]) -> Bars:
    bars = Bars(name=label, values=[])
    for domain in domains:
        values = [float(case.passed) for case in own if case.group == domain]
        ids = [case.id for case in own if case.group == domain]
        low, high = bootstrap_interval(values, clusters=ids) if values else (None, None)
        bars.values.append(sum(values) / len(values) if values else None)
        bars.low.append(low)
        bars.high.append(high)
    return bars


def _share(own: Sequence[Case], hits: Sequence[bool]) -> str | None:
    return f"{sum(hits)} of {len(own)}" if own else None


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{value:.1%}"


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
