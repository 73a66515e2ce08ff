"""Tables and plots of the tutor suite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from evals.report import BarChart, Bars, Case, Histogram, Table, bootstrap_interval, quotient
from evals.report.case import Plot
from evals.tutor.figures import by_player, clusters, counts, is_won, justified

Row = list[str | int | float | None]
ANCHORS = (
    "Won: the player's own answer was accepted; composed: the tutor's, of what the player had proved. "
    "Published for another engine, whose wins are substrings that matched, many by cards alone, and so not "
    "to be compared: deepseek-r1:14b 10 of 10, granite3.1-moe:3b 9, qwen2.5-coder:7b 8, llama3.2 6, "
    "mistral:7b 6, phi3 2."
)


def tables_of(cases: Sequence[Case]) -> list[Table]:
    """By player and arm, by game, by band, and how games ended."""
    ends = [case.stop_reason or "error" for case in cases]
    return [
        _players(cases),
        _won_by("Won by game", cases, lambda case: case.id),
        _won_by("Won by band", cases, lambda case: case.group),
        _counted("How games ended", cases, sorted(set(ends)), lambda case: case.stop_reason or "error"),
    ]


def plots_of(cases: Sequence[Case], models: Sequence[str]) -> list[Plot]:
    """Games won, turns and seconds of the models that are measured, by arm.

    Args:
        cases: of models and of players beside them.
        models: that are measured.
    """
    groups = {f"{model} {arm}": own for (model, arm), own in by_player(cases).items() if model in models}
    games = sorted({case.id for case in cases})
    return [
        BarChart(
            title="Won by game",
            labels=games,
            series=[_bars(label, own, games) for label, own in groups.items()],
        ),
        Histogram(
            title="Turns of a game",
            unit="turns",
            series={label: [float(case.steps) for case in own] for label, own in groups.items()},
        ),
        Histogram(
            title="Time of a game",
            unit="seconds",
            series={label: [case.seconds for case in own] for label, own in groups.items()},
        ),
    ]


def _players(cases: Sequence[Case]) -> Table:
    columns = [
        "player", "arm", "games", "won", "composed", "errors", "turns", "score", "justification", "illegal",
        "unsupported", "helped turns", "calls", "tokens", "seconds",
    ]  # fmt: skip
    rows: list[Row] = []
    for (model, arm), own in by_player(cases).items():
        rows.append(
            [
                model,
                arm,
                len(own),
                sum(map(is_won, own)),
                sum(case.status == "composed" for case in own),
                sum(case.status == "error" for case in own),
                _mean([case.steps for case in own]),
                _mean([case.extra["score"] for case in own]),
                _mean([case.extra["justification"] for case in justified(own)]),
                _rate(own, "illegal", "moves"),
                _rate(own, "unsupported", "asserted"),
                _mean([case.extra["helped"] for case in own]),
                _mean([case.model_calls for case in own]),
                _mean([case.tokens for case in own]),
                _mean([case.seconds for case in own]),
            ]
        )
    return Table(title="By player and arm", columns=columns, rows=rows, note=ANCHORS)


def _won_by(title: str, cases: Sequence[Case], of: Callable[[Case], str]) -> Table:
    kinds = sorted({of(case) for case in cases})
    rows: list[Row] = []
    for (model, arm), own in by_player(cases).items():
        each = [[is_won(case) for case in own if of(case) == kind] for kind in kinds]
        rows.append([model, arm, *(f"{sum(won)} of {len(won)}" if won else None for won in each)])
    return Table(title=title, columns=["player", "arm", *kinds], rows=rows)


def _counted(title: str, cases: Sequence[Case], kinds: Sequence[str], of: Callable[[Case], str]) -> Table:
    rows: list[Row] = []
    for (model, arm), own in by_player(cases).items():
        found = Counter(map(of, own))
        rows.append([model, arm, *(found[kind] for kind in kinds)])
    return Table(title=title, columns=["player", "arm", *kinds], rows=rows)


def _bars(label: str, own: Sequence[Case], games: Sequence[str]) -> Bars:
    bars = Bars(name=label, values=[])
    for game in games:
        these = [case for case in own if case.id == game]
        values = [float(is_won(case)) for case in these]
        low, high = bootstrap_interval(values, clusters=clusters(these)) if values else (None, None)
        bars.values.append(_mean(values))
        bars.low.append(low)
        bars.high.append(high)
    return bars


def _rate(own: Sequence[Case], over: str, under: str) -> str | None:
    value = quotient(over, counts(own, over, under)).value
    return None if value is None else f"{value:.1%}"


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
