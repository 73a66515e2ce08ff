"""Figures as people read them, the same in the terminal and on the page."""

from __future__ import annotations

from evals.report.case import Metric

NOTHING = "–"


def figure(value: float | None, unit: str) -> str:
    """A share in per cent, anything else with the digits it needs."""
    if value is None:
        return NOTHING
    if unit == "share":
        return f"{100 * value:.1f}%"
    return f"{value:.0f}" if value == round(value) else f"{value:.3g}"


def interval(metric: Metric) -> str:
    """The 95% interval."""
    if metric.low is None or metric.high is None:
        return NOTHING
    return f"{figure(metric.low, metric.unit)} to {figure(metric.high, metric.unit)}"


def verdict(metric: Metric) -> str:
    """Whether the target is met."""
    return {True: "met", False: "MISSED", None: NOTHING}[metric.met]


def cell(value: str | int | float | None) -> str:
    """A table's cell."""
    if value is None:
        return NOTHING
    return f"{value:.3g}" if isinstance(value, float) else str(value)
