"""Figures and tables of labelled claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals.report import Case, Metric, Table, share

CAUGHT, FALSE = ">= 90%", "<= 5%"
# Kinds for which the specification has a target; the others are told beside them.
AIMED = ("number", "unit", "date", "subject", "citation_swap", "invented_citation", "quote", "stale")
VERDICTS = ("supported", "contradicted", "unsupported", "needs_judge", "no_claim")


def metrics_of(cases: Sequence[Case], seed: int) -> list[Metric]:
    """Errors caught by kind, and correct sentences objected to."""
    wrong = [case for case in cases if case.extra["label"] == "wrong"]
    correct = [case for case in cases if case.extra["label"] == "correct"]
    kinds = list(dict.fromkeys([*AIMED, *sorted(case.extra["kind"] for case in wrong)]))
    found = [
        share(
            f"caught: {kind.replace('_', ' ')}",
            [case.passed for case in wrong if case.extra["kind"] == kind],
            target=CAUGHT if kind in AIMED else None,
            seed=seed,
        )
        for kind in kinds
    ]
    found += [
        share("caught", [case.passed for case in wrong], seed=seed),
        share("wrong sentence called supported", [case.false_success for case in wrong], seed=seed),
        share("false alarms", [not case.passed for case in correct], target=FALSE, seed=seed),
        *(
            share(
                f"false alarms, {name}",
                [not case.passed for case in correct if case.extra["language"] == name],
                target=FALSE,
                seed=seed,
            )
            for name in ("en", "zh")
        ),
        share(
            "correct sentence supported without a judge",
            [case.status == "supported" for case in correct],
            seed=seed,
        ),
    ]
    return [figure for figure in found if figure.n]


def tables_of(cases: Sequence[Case], seed: int) -> list[Table]:
    """By kind and language, and by set."""
    made = [
        _table("Wrong sentences, by what is wrong", _of(cases, "wrong"), _kind, seed),
        _table("Correct sentences, by how they were made", _of(cases, "correct"), _kind, seed),
        _table("By set", cases, lambda case: f"{case.extra['set']}, {case.extra['label']}", seed),
    ]
    return [table for table in made if table.rows]


def _kind(case: Case) -> str:
    return str(case.extra["kind"])


def _of(cases: Sequence[Case], label: str) -> list[Case]:
    return [case for case in cases if case.extra["label"] == label]


def _table(title: str, cases: Sequence[Case], group: Callable[[Case], str], seed: int) -> Table:
    members: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        members.setdefault((group(case), case.extra["language"]), []).append(case)
    rows: list[list[str | int | float | None]] = []
    for (name, language), those in sorted(members.items()):
        figure = share(name, [case.passed for case in those], seed=seed)
        counts = [sum(case.status == verdict for case in those) for verdict in VERDICTS]
        interval = f"{figure.low or 0.0:.0%} to {figure.high or 0.0:.0%}"
        rows.append([name, language, len(those), f"{figure.value:.1%}", interval, *counts])
    return Table(
        title=title,
        columns=["", "language", "n", "right", "95% interval", *VERDICTS],
        rows=rows,
        note="right: wrong ones contradicted or unsupported, correct ones neither",
    )
