"""Figures, tables and plots of a run of the suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals.calibration.reliability import brier_score, expected_error, reliability_bins
from evals.reflective.running import ORACLE
from evals.reflective.scenario import COVERED
from evals.report import BarChart, Bars, Case, Histogram, Metric, Reliability, Table, average, lift, share
from evals.report.case import Plot
from evals.report.options import BARE

NOTE = "Answers that were given, partial ones included; right is what code confirmed."


def of_variant(cases: Sequence[Case], model: str, variant: str) -> list[Case]:
    """The cases of one model and one strategy."""
    return [case for case in cases if case.model == model and case.variant == variant]


def metrics(cases: Sequence[Case], judged: str, seed: int) -> list[Metric]:
    """Figures of every model and strategy.

    Args:
        cases: of the whole run.
        judged: the strategy that the targets are for; other strategies are shown beside it.
        seed: of the intervals.
    """
    models = list(dict.fromkeys(case.model for case in cases))
    variants = list(dict.fromkeys(case.variant for case in cases))
    several = len(models) > 1 or len([name for name in variants if name != BARE]) > 1
    found = []
    for model in models:
        for variant in variants:
            own = of_variant(cases, model, variant)
            if not own or variant == BARE:
                continue
            bare = of_variant(cases, model, BARE)
            figures = _figures(own, bare, model, variant == judged, seed)
            prefix = _prefix(variant, model, models, several)
            found += [metric.model_copy(update={"name": prefix + metric.name}) for metric in figures]
    return found


def _prefix(variant: str, model: str, models: Sequence[str], several: bool) -> str:
    """What tells a figure from that of another strategy or model; nothing where there is only one."""
    if not several:
        return ""
    return f"{variant}: " if len(models) == 1 else f"{variant}, {model}: "


def _figures(own: list[Case], bare: list[Case], model: str, judged: bool, seed: int) -> list[Metric]:
    """Figures of one strategy, and its lift over the bare model on the same scenarios."""

    def target(text: str | None) -> str | None:
        return text if judged else None

    def rate(name: str, cases: list[Case], holds: Callable[[Case], bool], want: str | None = None) -> Metric:
        values = [holds(case) for case in cases]
        return share(name, values, target=target(want), seed=seed, clusters=_ids(cases))

    def mean(name: str, value: Callable[[Case], float], unit: str, want: str | None = None) -> Metric:
        values = [value(case) for case in own]
        return average(name, values, target=target(want), unit=unit, seed=seed, clusters=_ids(own))

    possible = [case for case in own if case.group != "impossible"]
    plain = [case for case in possible if case.group not in ("recovery", "bypass")]
    covered = [case for case in own if case.group in COVERED]
    bypass = [case for case in own if case.group == "bypass"]
    stumbled = [case for case in own if case.recovered is not None]
    impossible = [case for case in own if case.group == "impossible"]
    found = [
        rate("passed", own, lambda c: c.passed, "= 100%" if model == ORACLE else None),
        rate("passed, families with recipes", covered, lambda c: c.passed, ">= 60%"),
        rate("false success", own, lambda c: c.false_success, "= 0"),
        rate(
            "plan success (passed without reflection)",
            plain,
            lambda c: c.passed and not c.reflections,
            "> 80%",
        ),
        rate("recovery (first plan failed, run passed)", stumbled, lambda c: bool(c.recovered), "> 60%"),
        rate("budget exhausted", possible, lambda c: c.budget_exhausted, "< 10%"),
        mean("steps per task", lambda c: c.steps, "steps", "< 6"),
        rate("BYPASS accuracy", bypass, _label_right, "> 90%"),
        rate("file goals answered without looking", plain, lambda c: c.extra.get("label") == "bypass", "= 0"),
        rate("impossible goals declined", impossible, lambda c: c.passed),
        mean("model calls per task", lambda c: c.model_calls, "calls"),
        mean("seconds per task", lambda c: c.seconds, "s"),
    ]
    compared = _compared(own, bare)
    if compared:
        pairs = [(case.passed, base) for case, base in compared]
        ids = _ids([case for case, _ in compared])
        found.append(lift("lift over S0", pairs, target=target("> 0"), seed=seed, clusters=ids))
    return found + _calibration(own, seed)


def _label_right(case: Case) -> bool:
    return case.extra.get("label") in case.extra.get("expected_labels", ())


def _ids(cases: Sequence[Case]) -> list[str]:
    """The scenario of each case: repetitions of one are no further scenarios."""
    return [case.id for case in cases]


def _compared(own: Sequence[Case], bare: Sequence[Case]) -> list[tuple[Case, bool]]:
    """Cases the bare model had as well, each with whether that passed."""
    baseline = {(case.id, case.repeat, case.seed): case.passed for case in bare}
    return [
        (case, baseline[case.id, case.repeat, case.seed])
        for case in own
        if (case.id, case.repeat, case.seed) in baseline
    ]


def shown_confidences(cases: Sequence[Case]) -> list[tuple[float, bool]]:
    """Confidence of each answer that shows one, and whether it was right."""
    return [
        (case.confidence, bool(case.extra.get("right")))
        for case in cases
        if case.confidence is not None and case.status in ("answered", "partial")
    ]


def _calibration(own: Sequence[Case], seed: int) -> list[Metric]:
    shown = shown_confidences(own)
    answered = [case for case in own if case.status in ("answered", "partial")]
    found = [share("answers with a confidence", [c.confidence is not None for c in answered], seed=seed)]
    if shown:
        brier, error = brier_score(shown), expected_error(shown)
        found.append(Metric(name="Brier score", value=brier, n=len(shown), unit="points"))
        found.append(Metric(name="expected calibration error", value=error, n=len(shown), unit="points"))
    return found


def tables(cases: Sequence[Case]) -> list[Table]:
    """Success by family and language, where plans came from, reliability."""
    columns = _columns(cases)
    found = [
        _counts("passed by family", cases, columns, lambda case: case.group),
        _counts("passed by language", cases, columns, lambda case: str(case.extra.get("language"))),
        _sources(cases, columns),
    ]
    for model, variant in columns:
        shown = shown_confidences(of_variant(cases, model, variant))
        if shown:
            found.append(_reliability_table(f"reliability: {variant} {model}", shown))
    return found


def _columns(cases: Sequence[Case]) -> list[tuple[str, str]]:
    """Models with their strategies, as they were run."""
    return list(dict.fromkeys((case.model, case.variant) for case in cases))


def _heads(columns: Sequence[tuple[str, str]]) -> list[str]:
    alone = len({model for model, _ in columns}) == 1
    return [variant if alone else f"{variant} {model}" for model, variant in columns]


def _counts(
    title: str, cases: Sequence[Case], columns: list[tuple[str, str]], group_of: Callable[[Case], str]
) -> Table:
    rows: list[list[str | int | float | None]] = []
    for group in dict.fromkeys(map(group_of, cases)):
        row: list[str | int | float | None] = [group]
        for model, variant in columns:
            own = [case for case in of_variant(cases, model, variant) if group_of(case) == group]
            row.append(f"{sum(case.passed for case in own)}/{len(own)}" if own else None)
        rows.append(row)
    return Table(title=title, columns=[title.split()[-1], *_heads(columns)], rows=rows)


def _sources(cases: Sequence[Case], columns: list[tuple[str, str]]) -> Table:
    """What came of runs by who made the plan."""
    rows: list[list[str | int | float | None]] = []
    for model, variant in columns:
        own = of_variant(cases, model, variant)
        for source in sorted({str(case.extra.get("plan_source")) for case in own}) if variant != BARE else []:
            held = [case for case in own if str(case.extra.get("plan_source")) == source]
            rows.append(
                [
                    f"{variant} {model}",
                    source,
                    len(held),
                    sum(case.passed for case in held),
                    sum(case.false_success for case in held),
                    sum(case.status not in ("answered", "partial") for case in held),
                ]
            )
    heads = ["strategy and model", "plan by", "runs", "passed", "false success", "declined"]
    return Table(title="who made the plan", columns=heads, rows=rows)


def _reliability_table(title: str, shown: Sequence[tuple[float, bool]]) -> Table:
    rows: list[list[str | int | float | None]] = [
        [f"{one.low:.1f} to {one.high:.1f}", round(one.confidence, 3), round(one.right, 3), one.n]
        for one in reliability_bins(shown)
    ]
    return Table(
        title=title, columns=["confidence", "mean confidence", "share right", "n"], rows=rows, note=NOTE
    )


def plots(cases: Sequence[Case], seed: int) -> list[Plot]:
    """Success by family, reliability, calls and seconds.

    Args:
        cases: of the whole run.
        seed: of the intervals.
    """
    columns = _columns(cases)
    heads = _heads(columns)
    families = list(dict.fromkeys(case.group for case in cases))
    series = [
        _series(head, [[c for c in of_variant(cases, *column) if c.group == name] for name in families], seed)
        for head, column in zip(heads, columns, strict=True)
    ]
    found: list[Plot] = [
        BarChart(
            title="Passed, by family",
            labels=[name.replace("_", " ") for name in families],
            series=series,
            note="Whiskers: 95% bootstrap intervals. S0 is the bare model: one prompt, one command.",
        )
    ]
    for (model, variant), head in zip(columns, heads, strict=True):
        shown = shown_confidences(of_variant(cases, model, variant))
        if shown:
            title = f"Confidence against what was right: {head}"
            found.append(Reliability(title=title, bins=reliability_bins(shown), note=NOTE))
    for title, unit, value in (("Model calls a task", "calls", _calls), ("Seconds a task", "s", _seconds)):
        held = {
            head: [value(case) for case in of_variant(cases, *column)]
            for head, column in zip(heads, columns, strict=True)
        }
        found.append(Histogram(title=title, unit=unit, series=held))
    return found


def _calls(case: Case) -> float:
    return float(case.model_calls)


def _seconds(case: Case) -> float:
    return case.seconds


def _series(name: str, groups: Sequence[Sequence[Case]], seed: int) -> Bars:
    shares = [
        share(name, [case.passed for case in group], seed=seed, clusters=_ids(group)) for group in groups
    ]
    return Bars(
        name=name,
        values=[one.value for one in shares],
        low=[one.low for one in shares],
        high=[one.high for one in shares],
    )
