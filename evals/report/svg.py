"""Plots as inline SVG whose colours come from the page's style sheet, so that they follow light and dark.

A plotting library writes its colours and fonts into the picture, for one background and one width; three
kinds of plot do not outweigh that.
"""

from __future__ import annotations

import math
import sys
import unicodedata
from collections.abc import Sequence
from html import escape
from statistics import median

from evals.report.case import BarChart, Bars, Histogram, Plot, Reliability
from evals.report.wording import figure

# One unit is about one pixel of a phone's screen, so text stays readable there.
WIDTH = 420
LEFT, RIGHT, TOP = 8, 62, 6
BAR, GAP, LABEL = 12, 4, 18
SIDE = 300
MARGIN, EDGE = 40, 30
COLUMNS = 24
ROW = 74


def drawn(plot: Plot) -> str:
    """A plot as one `svg` element, with its content as a title for readers who cannot see it."""
    if isinstance(plot, BarChart):
        return _bar_chart(plot)
    return _reliability(plot) if isinstance(plot, Reliability) else _histogram(plot)


def plain(text: str) -> str:
    """Text for markup: escaped, without characters that no page may hold or that turn its direction."""
    kept = "".join(
        c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "\ufffd" for c in text
    )
    return escape(kept)


def _svg(height: float, title: str, parts: Sequence[str], width: float = WIDTH) -> str:
    inner = "".join(parts)
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{plain(title)}">'
        f"<title>{plain(title)}</title>{inner}</svg>"
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{plain(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    size = f'width="{max(width, 0):.1f}" height="{height:.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} rx="1.5" class="{kind}"/>'


def colour(name: str, number: int) -> str:
    """The class that colours a series: grey for the bare model, else by position."""
    return "bare" if name == "S0" else f"series{number % 4}"


def _bar_chart(plot: BarChart) -> str:
    span = WIDTH - LEFT - RIGHT
    group = LABEL + len(plot.series) * (BAR + GAP) + 8
    height = TOP + len(plot.labels) * group + 22
    bottom = height - 20
    parts = []
    for percent in (0, 25, 50, 75, 100):
        x = LEFT + span * percent / 100
        parts.append(_line(x, TOP, x, bottom, "grid"))
        parts.append(_text(x, height - 5, f"{percent}%", "soft", "middle" if percent else "start"))
    for row, label in enumerate(plot.labels):
        y = TOP + row * group
        parts.append(_text(LEFT, y + 12, label, "label"))
        for number, series in enumerate(plot.series):
            parts.append(_bar(series, number, row, y + LABEL + number * (BAR + GAP), span))
    return _svg(height, plot.title, parts)


def _bar(series: Bars, number: int, row: int, y: float, span: float) -> str:
    value = series.values[row]
    if value is None:
        return _text(LEFT, y + BAR - 2, "no cases", "soft")
    shown = min(max(value, 0.0), 1.0)
    parts = [_rect(LEFT, y, span * shown, BAR, colour(series.name, number))]
    end = LEFT + span * shown
    low = series.low[row] if row < len(series.low) else None
    high = series.high[row] if row < len(series.high) else None
    if low is not None and high is not None and high > low:
        middle = y + BAR / 2
        parts.append(_line(LEFT + span * low, middle, LEFT + span * high, middle, "whisker"))
        parts += [
            _line(LEFT + span * at, middle - 3, LEFT + span * at, middle + 3, "whisker") for at in (low, high)
        ]
        end = max(end, LEFT + span * high)
    parts.append(_text(end + 5, y + BAR - 2, figure(value, "share"), "value"))
    return "".join(parts)


def _reliability(plot: Reliability) -> str:
    bottom = EDGE + SIDE
    parts = _axes(bottom)
    most = max((one.n for one in plot.bins), default=1)
    for one in plot.bins:
        # Area, not radius, says how many answers a point stands for.
        radius = 4 + 9 * math.sqrt(one.n / most)
        x, y = MARGIN + SIDE * one.confidence, bottom - SIDE * one.right
        parts.append(_line(x, y, x, bottom - SIDE * one.confidence, "whisker"))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="series0 point"/>')
        # Bins are a tenth apart, so beside each other the numbers would lie on the next point.
        parts.append(_text(x, y - radius - 5, f"{one.n}", "value", "middle"))
    return _svg(bottom + 40, plot.title, parts, MARGIN + SIDE + 24)


def _axes(bottom: float) -> list[str]:
    """A square from 0 to 1 in both directions, with its diagonal."""
    right = MARGIN + SIDE
    parts = []
    for percent in (0, 25, 50, 75, 100):
        x, y = MARGIN + SIDE * percent / 100, bottom - SIDE * percent / 100
        parts += [_line(x, EDGE, x, bottom, "grid"), _line(MARGIN, y, right, y, "grid")]
        parts.append(_text(x, bottom + 15, f"{percent}%", "soft", "middle"))
        parts.append(_text(MARGIN - 5, y + 4, f"{percent}%", "soft", "end"))
    parts.append(_line(MARGIN, bottom, right, EDGE, "diagonal"))
    parts.append(_text(MARGIN + SIDE / 2, bottom + 32, "confidence shown", "soft", "middle"))
    turned = f"translate(9 {EDGE + SIDE / 2:.0f}) rotate(-90)"
    parts.append(f'<text class="soft" text-anchor="middle" transform="{turned}">share that was right</text>')
    return parts


def _histogram(plot: Histogram) -> str:
    series = {name: values for name, values in plot.series.items() if values}
    if not series:
        return _svg(24, plot.title, [_text(LEFT, 16, "no cases", "soft")])
    top = _ceiling(max(max(values) for values in series.values()))
    span = WIDTH - LEFT - 24
    height = TOP + len(series) * ROW + 22
    parts = []
    for number, (name, values) in enumerate(series.items()):
        floor = TOP + (number + 1) * ROW - 8
        parts += _histogram_row(name, number, values, floor, span, top, plot.unit)
    for part in (0, 0.25, 0.5, 0.75, 1):
        parts.append(
            _text(LEFT + span * part, height - 5, f"{top * part:g}", "soft", "middle" if part else "start")
        )
    return _svg(height, plot.title, parts)


def _histogram_row(
    name: str, number: int, values: Sequence[float], floor: float, span: float, top: float, unit: str
) -> list[str]:
    counts = [0] * COLUMNS
    for value in values:
        counts[min(COLUMNS - 1, int(value / top * COLUMNS))] += 1
    width, tallest = span / COLUMNS, max(counts)
    parts = [_line(LEFT, floor, LEFT + span, floor, "grid")]
    for column, count in enumerate(counts):
        if count:
            tall = (ROW - 32) * count / tallest
            parts.append(_rect(LEFT + column * width, floor - tall, width - 1, tall, colour(name, number)))
    middle = median(values)
    x = LEFT + span * middle / top
    parts.append(_line(x, floor - (ROW - 30), x, floor, "diagonal"))
    parts.append(
        _text(LEFT, floor - ROW + 24, f"{name}: median {figure(middle, '')} {unit}, n={len(values)}", "label")
    )
    return parts


def _ceiling(value: float) -> float:
    """A round number at or above a positive value, which four divides well.

    1 for what is not positive, and for what is so small that its power of ten is 0.
    """
    if value < sys.float_info.min:
        return 1.0
    scale = 10.0 ** math.floor(math.log10(value))
    return next(step * scale for step in (1, 2, 4, 6, 8, 10) if step * scale >= value * (1 - 1e-9))
