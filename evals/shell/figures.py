"""The figures of the shell suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from evals.report import BarChart, Bars, Case, Histogram, Metric, Table, lift, share
from evals.report.options import BARE

# The shared target: a success that is none is a defect.
NO_FALSE_SUCCESS = "= 0"
MORE_THAN_BARE = "> 0"
NEAR = ("same", "same_rows", "told")


def metrics(cases: Sequence[Case], seed: int) -> list[Metric]:
    """Shares by variant, the lift over the bare model on the same tasks, and false successes."""
    found = []
    for variant in variants(cases):
        own = [case for case in cases if case.variant == variant]
        found += _of_variant(variant, own, seed)
        if variant != BARE and (pairs := _pairs(own, cases)):
            found.append(lift(f"{variant}: more solved than {BARE}", pairs, target=MORE_THAN_BARE, seed=seed))
    return found


def variants(cases: Sequence[Case]) -> list[str]:
    """Variants in the order they were run, the bare model first."""
    names = list(dict.fromkeys(case.variant for case in cases))
    return sorted(names, key=lambda name: name != BARE)


def _of_variant(variant: str, own: Sequence[Case], seed: int) -> list[Metric]:
    def by(check: Callable[[Case], bool]) -> list[bool]:
        return [check(case) for case in own]

    decidable = [case for case in own if case.extra["decidable"]]
    target = None if variant == BARE else NO_FALSE_SUCCESS
    claims = [case for case in decidable if case.status == "answered"]
    return [
        share(f"{variant}: solved by execution", by(lambda case: case.passed), seed=seed),
        share(
            f"{variant}: solved, silent gold commands left out",
            [case.passed for case in own if not case.extra["vacuous"]],
            seed=seed,
        ),
        share(
            f"{variant}: equal to the first gold command",
            by(lambda c: c.extra["by_gold"] == "same"),
            seed=seed,
        ),
        share(
            f"{variant}: solved, rows in any order and spelling",
            by(lambda c: c.extra["by_either"] in ("same", "same_rows")),
            seed=seed,
        ),
        share(
            f"{variant}: right facts, in rows or in words",
            by(lambda c: c.extra["by_either"] in NEAR),
            seed=seed,
        ),
        share(f"{variant}: false successes", [c.false_success for c in decidable], target=target, seed=seed),
        share(f"{variant}: false among answered", [c.false_success for c in claims], seed=seed),
    ]


def _pairs(own: Sequence[Case], cases: Sequence[Case]) -> list[tuple[bool, bool]]:
    bare = {(c.id, c.model, c.repeat): c.passed for c in cases if c.variant == BARE}
    keys = [(case, bare.get((case.id, case.model, case.repeat))) for case in own]
    return [(case.passed, passed) for case, passed in keys if passed is not None]


def tables(cases: Sequence[Case]) -> list[Table]:
    """What solved means in numbers, and why the rest is unsolved."""
    return [_counts(cases), _causes(cases), _by_status(cases)]


def _counts(cases: Sequence[Case]) -> Table:
    rows: list[list[str | int | float | None]] = []
    for variant in variants(cases):
        own = [case for case in cases if case.variant == variant]
        level = Counter(case.extra["by_either"] for case in own)
        near = [sum(level[name] for name in NEAR[: place + 1]) for place in range(len(NEAR))]
        rows.append(
            [
                variant,
                len(own),
                sum(case.extra["decidable"] for case in own),
                sum(case.extra["by_gold"] == "same" for case in own),
                *near,
                sum(case.passed and case.extra["vacuous"] for case in own),
                sum(case.false_success for case in own),
                sum(case.false_success and case.extra["same_paths"] for case in own),
                sum(case.seconds for case in own) / len(own),
            ]
        )
    columns = ["variant", "tasks", "decidable here", "first gold", "solved", "any order", "any words"]
    columns += ["solved by silence", "false", "of these, same paths", "s a task"]
    note = (
        "Solved: output and file system equal to either gold command's. Decidable: a gold command runs "
        "here and repeats itself. Solved by silence: the gold command prints and changes nothing."
    )
    return Table(title="tasks", columns=columns, rows=rows, note=note)


def _causes(cases: Sequence[Case]) -> Table:
    names = variants(cases)
    counts = {name: Counter(_cause(case) for case in cases if case.variant == name) for name in names}
    total = sum(counts.values(), Counter[str]())
    rows: list[list[str | int | float | None]] = [
        [cause, *(counts[name][cause] for name in names)] for cause, _ in total.most_common()
    ]
    return Table(title="why", columns=["cause", *names], rows=rows)


def _cause(case: Case) -> str:
    return "solved" if case.passed else str(case.extra["cause"])


def _by_status(cases: Sequence[Case]) -> Table:
    rows: list[list[str | int | float | None]] = []
    for variant in variants(cases):
        own = [case for case in cases if case.variant == variant]
        for status, plan in sorted({(c.status, str(c.extra.get("plan", "bare"))) for c in own}):
            these = [c for c in own if c.status == status and str(c.extra.get("plan", "bare")) == plan]
            told = sum(c.extra["by_either"] in NEAR for c in these)
            false = sum(c.false_success for c in these)
            rows.append([variant, status, plan, len(these), sum(c.passed for c in these), told, false])
    columns = ["variant", "status", "plan", "tasks", "solved", "right facts", "false"]
    return Table(title="what runs say of themselves", columns=columns, rows=rows)


def plots(cases: Sequence[Case], seed: int) -> list[BarChart | Histogram]:
    """Solved by file system and variant, and seconds."""
    groups = sorted({case.group for case in cases})
    series = []
    for variant in variants(cases):
        found = [
            share(group, [c.passed for c in cases if c.variant == variant and c.group == group], seed=seed)
            for group in groups
        ]
        series.append(
            Bars(
                name=variant,
                values=[m.value for m in found],
                low=[m.low for m in found],
                high=[m.high for m in found],
            )
        )
    seconds = {name: [c.seconds for c in cases if c.variant == name] for name in variants(cases)}
    return [
        BarChart(title="solved by execution", labels=groups, series=series),
        Histogram(title="seconds a task", unit="s", series=seconds),
    ]
