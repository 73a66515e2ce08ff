"""Figures and tables of the sentence check: what it catches, and what it objects to without cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals.report import BarChart, Bars, Case, Metric, Table, average, share
from evals.research.mutations import TARGETS, TYPES

ALARM = ("correct",)
CAUGHT = ">= 90%"
FALSE = "<= 5%"
FAST = "<= 2"
VERDICTS = ("supported", "contradicted", "unsupported", "needs_judge", "no_claim")
Rows = list[list[str | int | float | None]]


def metrics_of(cases: Sequence[Case], seed: int) -> list[Metric]:
    """The figures; sentences of one report are resampled together.

    The targets are those of the specification; a sentence sent to a judge is not caught, and no false alarm.
    """
    in_report = [case for case in cases if case.extra["type"] in TYPES and case.extra["door"] == "report"]
    alone = [case for case in cases if case.extra["type"] in TYPES and case.extra["door"] == "claim"]
    correct = [case for case in cases if case.extra["type"] in ALARM]
    retold = [case for case in correct if case.extra["claim"] not in ("verbatim", "framing")]
    figures = [_caught(name, in_report, types, seed) for name, types in TARGETS.items()]
    figures += [
        share("single claims, wrong ones caught", _passed(alone), seed=seed, clusters=_reports(alone)),
        share(
            "wrong sentence called supported",
            [case.false_success for case in in_report],
            seed=seed,
            clusters=_reports(in_report),
        ),
        _alarms("false alarms", correct, seed),
        *(
            _alarms(f"false alarms, retold, {name}", [c for c in retold if c.extra["language"] == name], seed)
            for name in ("en", "zh")
        ),
        share(
            "correct sentence supported without a judge",
            [case.status == "supported" for case in correct if case.extra["claim"] != "framing"],
            seed=seed,
        ),
        *_spans(correct, seed),
        _speed(cases, seed),
    ]
    return [figure for figure in figures if figure.n]


def _passed(cases: Sequence[Case]) -> list[bool]:
    return [case.passed for case in cases]


def _reports(cases: Sequence[Case]) -> list[str]:
    return [f"{case.seed}/{'/'.join(case.id.split('/')[:2])}" for case in cases]


def _caught(name: str, cases: Sequence[Case], types: Sequence[str], seed: int) -> Metric:
    these = [case for case in cases if case.extra["type"] in types]
    return share(f"caught: {name}", _passed(these), target=CAUGHT, seed=seed, clusters=_reports(these))


def _alarms(name: str, cases: Sequence[Case], seed: int) -> Metric:
    alarms = [not case.passed for case in cases]
    return share(name, alarms, target=FALSE, seed=seed, clusters=_reports(cases))


def _spans(correct: Sequence[Case], seed: int) -> list[Metric]:
    shown = [case for case in correct if "span_exact" in case.extra]
    return [
        share("span stands where it is said to", [c.extra["span_exact"] for c in shown], target="= 100%"),
        share("span is the sentence it was made from", [c.extra["span_held"] for c in shown], seed=seed),
    ]


def _speed(cases: Sequence[Case], seed: int) -> Metric:
    times = [float(case.extra["check_seconds"]) for case in cases if case.extra["type"] == "speed"]
    name = "seconds for 100 sentences against 50 documents"
    return average(name, times, target=FAST, unit="seconds", seed=seed)


def tables_of(cases: Sequence[Case], seed: int) -> list[Table]:
    """By type and language, by the way a correct sentence was made, by style of citation."""
    wrong = [case for case in cases if case.extra["type"] in TYPES]
    correct = [case for case in cases if case.extra["type"] in ALARM]
    across = [case for case in cases if case.extra["type"] == "across"]
    kinds = _table(
        "Wrong sentences, by what is wrong", wrong, lambda c: f"{c.extra['type']}, {_door(c)}", seed
    )
    made = _table("Correct sentences, by how they were made", correct, lambda c: c.extra["claim"], seed)
    styles = [case for case in [*wrong, *correct] if case.extra["style"]]
    cited = _table(
        "All sentences of reports, by style of citation",
        styles,
        lambda c: f"{c.extra['style']}, {'wrong' if c.extra['type'] in TYPES else 'correct'}",
        seed,
    )
    topics = _table(
        "All sentences, by what they are about",
        [*wrong, *correct],
        lambda c: f"{c.extra['topic']}, {'wrong' if c.extra['type'] in TYPES else 'correct'}",
        seed,
    )
    other = _table("Correct, but the source is in the other language", across, lambda c: "across", seed)
    return [table for table in (kinds, made, cited, topics, other) if table.rows]


def _door(case: Case) -> str:
    return "in a report" if case.extra["door"] == "report" else "alone"


def _table(title: str, cases: Sequence[Case], group: Callable[[Case], str], seed: int) -> Table:
    rows: Rows = []
    found: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        found.setdefault((group(case), case.extra["language"]), []).append(case)
    for (name, language), members in sorted(found.items()):
        figure = share(name, _passed(members), seed=seed, clusters=_reports(members))
        low, high = figure.low or 0.0, figure.high or 0.0
        counts = [sum(case.status == verdict for case in members) for verdict in VERDICTS]
        rows.append(
            [name, language, len(members), f"{figure.value:.1%}", f"{low:.0%} to {high:.0%}", *counts]
        )
    return Table(
        title=title,
        columns=["", "language", "n", "right", "95% interval", *VERDICTS],
        rows=rows,
        note="right: wrong ones contradicted or unsupported, correct ones neither",
    )


def plot_of(cases: Sequence[Case], seed: int) -> BarChart:
    """What is caught, by type and language."""
    series = []
    for language in ("en", "zh"):
        figures = [share(kind, _passed(_members(cases, kind, language)), seed=seed) for kind in TYPES]
        series.append(
            Bars(
                name=language,
                values=[f.value for f in figures],
                low=[f.low for f in figures],
                high=[f.high for f in figures],
            )
        )
    return BarChart(title="Wrong sentences caught in a report", labels=list(TYPES), series=series)


def _members(cases: Sequence[Case], kind: str, language: str) -> list[Case]:
    return [
        case
        for case in cases
        if case.extra["type"] == kind
        and case.extra["language"] == language
        and case.extra["door"] == "report"
    ]
