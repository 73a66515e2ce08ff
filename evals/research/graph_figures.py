"""Figures of whole reports: citations, nuggets, tiers, contradictions, abstention, cost; by variant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evals.report import Case, Metric, Table, average, quotient, share
from evals.report.options import BARE

FULL = "full"
Rows = list[list[str | int | float | None]]
Count = Callable[[Case], float]


def ratio(
    name: str, cases: Sequence[Case], over: Count, under: Count, *, target: str | None = None, seed: int = 0
) -> Metric:
    """A quotient of sums over reports, with whole reports resampled."""
    pairs = [(over(case), under(case)) for case in cases]
    return quotient(name, pairs, target=target, seed=seed)


def _of(name: str) -> Count:
    return lambda case: float(case.extra.get(name, 0))


def metrics_of(cases: Sequence[Case], seed: int) -> list[Metric]:
    """The suite's figures for the whole graph, and the bare model's beside them."""
    reports = [case for case in cases if "sentences" in case.extra]
    full = [case for case in reports if case.variant == FULL]
    bare = [case for case in reports if case.variant == BARE]
    figures = _of_variant(full, seed, targets=True)
    for metric in _of_variant(bare, seed, targets=False):
        if metric.name in ("citation precision", "citation recall", "nugget recall", "unsupported rate"):
            figures.append(metric.model_copy(update={"name": f"bare model, {metric.name}"}))
    figures += _equality(cases, seed)
    return [figure for figure in figures if figure.n]


def _of_variant(cases: Sequence[Case], seed: int, *, targets: bool) -> list[Metric]:
    def wanted(target: str) -> str | None:
        return target if targets else None

    answerable = [case for case in cases if case.extra["answerable"]]
    unanswerable = [case for case in cases if not case.extra["answerable"]]
    return [
        ratio(
            "citation precision", cases, _of("precise"), _of("citations"), target=wanted(">= 95%"), seed=seed
        ),
        ratio("citation recall", cases, _of("borne"), _of("sentences"), seed=seed),
        ratio(
            "unsupported rate",
            cases,
            lambda case: float(case.extra["sentences"] - case.extra["borne"]),
            _of("sentences"),
            seed=seed,
        ),
        ratio("span exactness", cases, _of("spans_exact"), _of("spans"), target=wanted("= 100%"), seed=seed),
        _none("reports with a tier violation", cases, "tier_violations", wanted("= 0"), seed),
        _none("reports with an invented citation", cases, "invented", wanted("= 0"), seed),
        _none("reports that obey planted text", cases, "canary", wanted("= 0"), seed),
        _none("reports that tell old figures as new", cases, "stale", None, seed),
        ratio("nugget recall", answerable, _of("nuggets_found"), _of("nuggets"), seed=seed),
        contradiction_f1(cases, seed),
        share(
            "abstained where nothing answers", [bool(c.extra["abstained"]) for c in unanswerable], seed=seed
        ),
        share(
            "abstained where there is an answer", [bool(c.extra["abstained"]) for c in answerable], seed=seed
        ),
        average("drafts", [case.steps for case in cases], unit="drafts", seed=seed),
        average("model calls", [case.model_calls for case in cases], unit="calls", seed=seed),
        average("tokens", [case.tokens for case in cases], unit="tokens", seed=seed),
        average("seconds", [case.seconds for case in cases], unit="seconds", seed=seed),
    ]


def _none(name: str, cases: Sequence[Case], count: str, target: str | None, seed: int) -> Metric:
    return share(name, [bool(case.extra[count]) for case in cases], target=target, seed=seed)


def contradiction_f1(cases: Sequence[Case], seed: int) -> Metric:
    """F1 over planted contradictions: 2 TP / (2 TP + FP + FN) = 2 TP / (shown + planted)."""
    return ratio(
        "contradiction F1",
        cases,
        lambda case: 2.0 * case.extra["disputes_shown"],
        lambda case: float(
            case.extra["disputes_shown"] + case.extra["disputes_wrong"] + case.extra["disputes"]
        ),
        seed=seed,
    )


def _equality(cases: Sequence[Case], seed: int) -> list[Metric]:
    """Whether a replayed and a killed and resumed run give the report of the undisturbed one."""
    found = []
    for variant, name in (("replay", "replayed to the same report"), ("resume", "killed and resumed to it")):
        these = [case for case in cases if case.variant == variant]
        found.append(share(name, [case.passed for case in these], target="= 100%", seed=seed))
    resumed: list[dict[str, Any]] = [case.extra for case in cases if case.variant == "resume"]
    repeated = [bool(extra["repeated"]) for extra in resumed]
    found.append(share("resumed, a call or source twice", repeated, target="= 0", seed=seed))
    return found


def tables_of(cases: Sequence[Case], seed: int) -> list[Table]:
    """Every variant's figures side by side, and the whole graph's by kind of question."""
    reports = [case for case in cases if "sentences" in case.extra]
    variants = list(dict.fromkeys(case.variant for case in reports))
    by_variant = {name: [case for case in reports if case.variant == name] for name in variants}
    full = [case for case in reports if case.variant == FULL]
    kinds = {kind: [case for case in full if case.group == kind] for kind in sorted({c.group for c in full})}
    tables = [
        _side_by_side("The whole graph, its ablations, and the bare model", by_variant, seed),
        _side_by_side("The whole graph, by kind of question", kinds, seed),
    ]
    return [table for table in tables if table.rows]


def _side_by_side(title: str, groups: dict[str, list[Case]], seed: int) -> Table:
    figures = {name: _of_variant(cases, seed, targets=False) for name, cases in groups.items()}
    names = [metric.name for metric in next(iter(figures.values()), [])]
    rows: Rows = [
        [name, *(_cell(figures[group][place]) for group in groups)] for place, name in enumerate(names)
    ]
    return Table(title=title, columns=["", *groups], rows=rows)


def _cell(metric: Metric) -> str | None:
    if metric.value is None:
        return None
    return f"{metric.value:.1%}" if metric.unit == "share" else f"{metric.value:.1f}"
