"""Figures and tables of the entropy suite."""

from __future__ import annotations

from collections.abc import Sequence

from evals.calibration.reliability import expected_error, reliability_bins
from evals.entropy.measuring import BY_CODE
from evals.report import Case, Metric, Reliability, Table, average, share

TARGET = ">= 90%"
FIRST_LOOK = (
    "Failures of the sets held back have been looked at since, and rules mended. At the first look, "
    "by code, 57 of 61 sets of the first part were exact, 33 of 40 of the second, 42 of 56 of the third, "
    "19 of 24 of the fourth, 38 of 61 of the fifth, 27 of 40 of the sixth, "
    "22 of 30 of the seventh, 20 of 27 of the eighth."
)
ALWAYS = "= 100%"


def metrics_of(cases: Sequence[Case], seed: int) -> list[Metric]:
    """The figures of each way to decide, sets resampled whole; targets are those of the specification."""
    found: list[Metric] = []
    for name in dict.fromkeys(_name(case) for case in cases):
        own = [case for case in cases if _name(case) == name]
        found += _of(name, own, seed, judged=own[0].variant == BY_CODE)
    return [one for one in found if one.n]


def _name(case: Case) -> str:
    return case.variant if case.variant == BY_CODE else f"{case.variant} {case.model}"


def _of(name: str, cases: Sequence[Case], seed: int, *, judged: bool) -> list[Metric]:
    target, always = (TARGET, ALWAYS) if judged else (None, None)
    halves = {"all": cases, "tuned on": _half(cases, held=False), "held back": _half(cases, held=True)}
    found = [
        share(f"{name}: exact partition, {half}", [case.passed for case in own], target=target, seed=seed)
        for half, own in halves.items()
    ]
    found += [_pairs(f"{name}: pairs, {half}", own, seed) for half, own in halves.items()]
    for half, own in halves.items():
        told = [two for case in own for two in case.extra["judged"]]
        found += [
            share(f"{name}: pairs code cannot tell, {half}", [right for right, _ in told], seed=seed),
            share(f"{name}: the same by shared words, {half}", [right for _, right in told], seed=seed),
        ]
    certain = [case for case in cases if case.extra["one_answer"]]
    denied = [case for case in cases if case.group in ("contradictory", "negated")]
    found += [
        share(
            f"{name}: one answer has entropy 0",
            [not case.extra["entropy"] for case in certain],
            target=always,
        ),
        share(
            f"{name}: contradictions are kept apart",
            [not case.false_success for case in denied],
            target=always,
        ),
        share(
            f"{name}: sets with different answers taken for one",
            [case.false_success for case in cases],
            seed=seed,
        ),
        average(
            f"{name}: error of the entropy",
            [abs(case.extra["entropy"] - case.extra["true_entropy"]) for case in cases],
            seed=seed,
        ),
        average(f"{name}: calls of the judge for a set", [case.model_calls for case in cases], seed=seed),
        average(
            f"{name}: milliseconds for a set", [1000 * case.seconds for case in cases], unit="ms", seed=seed
        ),
    ]
    return [one for one in found if not (judged and "calls of the judge" in one.name)]


def _half(cases: Sequence[Case], *, held: bool) -> list[Case]:
    return [case for case in cases if case.extra["held"] == held]


def _pairs(name: str, cases: Sequence[Case], seed: int) -> Metric:
    hits: list[bool] = []
    clusters: list[str] = []
    for case in cases:
        right, every = case.extra["pairs_right"], case.extra["pairs"]
        hits += [True] * right + [False] * (every - right)
        clusters += [case.id] * every
    return share(name, hits, seed=seed, clusters=clusters)


def tables_of(cases: Sequence[Case]) -> list[Table]:
    """By kind of difficulty and half."""
    rows: list[list[str | int | float | None]] = []
    for name in dict.fromkeys(_name(case) for case in cases):
        own = [case for case in cases if _name(case) == name]
        for kind in sorted({case.group for case in own}):
            these = [case for case in own if case.group == kind]
            row: list[str | int | float | None] = [name, kind]
            for half in (_half(these, held=False), _half(these, held=True)):
                row.append(f"{sum(case.passed for case in half)} of {len(half)}")
            pairs = sum(case.extra["pairs"] for case in these)
            row.append(f"{sum(case.extra['pairs_right'] for case in these) / pairs:.1%}")
            rows.append(row)
    columns = ["decided by", "kind", "exact, tuned on", "exact, held back", "pairs"]
    return [Table(title="Partitions by kind of difficulty", columns=columns, rows=rows, note=FIRST_LOOK)]


def plots_of(cases: Sequence[Case]) -> list[Reliability]:
    """How well the likeness of words fits, on pairs code cannot tell in sets that are held back."""
    shown = words_held_back(cases)
    if not shown:
        return []
    title = f"Likeness of words against what is the same (error {expected_error(shown):.3f})"
    return [Reliability(title=title, bins=reliability_bins(shown))]


def words_held_back(cases: Sequence[Case]) -> list[tuple[float, bool]]:
    """Likeness and truth of pairs code cannot tell, from the sets that are held back."""
    own = [case for case in cases if case.variant == BY_CODE and case.extra["held"]]
    return [(float(alike), bool(same)) for case in own for alike, same in case.extra["words"]]
