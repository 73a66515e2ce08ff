"""Risk and import cycles of an audit as SVG, laid out here, so that a page loads nothing.

All text goes through `escaped`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePosixPath

from rich.cells import cell_len

from cli.trace_page import escaped
from tools.audit.report import Cycle, FileRisk, RiskTerm

WIDTH = 920
ROW, BAR = 26, 14
LABEL = 330
"""Width of the names beside the bars, in the units of the drawing."""
_CELL = 6.7
"""Width of a character of the drawing's fixed font."""
MOST_IN_CYCLE = 12
"""Modules of a cycle that are drawn; more stand in the list beside it."""
RADIUS, BOX_HEIGHT = 110, 22
BEND = 0.18
"""How far arrows are bent outwards, as a share of their length, so that those of a pair lie apart."""
WORDS = 36
"""Distance of an arrow's words from it; half of that above and below."""
TERMS = ("complexity", "changes", "security", "coupling", "duplication")
"""In the order of the bars, the same in each; each has a colour in `configs/pages/audit.css`."""


def risk_bars(files: Sequence[FileRisk]) -> str:
    """A bar for each file, of as many pieces as its score has terms with points.

    Args:
        files: to be drawn, in order.
    """
    if not files:
        return ""
    height = ROW * len(files) + 4
    rows = "".join(_bar(one, number * ROW) for number, one in enumerate(files))
    return (
        f'<svg class="bars" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Risk of {len(files)} files, by its terms">\n{rows}</svg>\n'
    )


def _bar(one: FileRisk, top: float) -> str:
    unit = (WIDTH - LABEL - 60) / 100
    by_name = {term.name: term for term in one.terms}
    left, pieces = float(LABEL), []
    for name in TERMS:
        term = by_name.get(name)
        if term is not None and term.points > 0:
            pieces.append(_piece(term, left, top, term.points * unit))
            left += term.points * unit
    line, name = top + BAR + 1, escaped(shortened(one.place.file, LABEL - 14))
    return (
        f"<g><title>{escaped(one.place.file)}</title>"
        f'<text class="name" x="{LABEL - 10}" y="{line:.0f}">{name}</text>'
        f'<rect class="ground" x="{LABEL}" y="{top + 4:.0f}" width="{100 * unit:.1f}" height="{BAR}" rx="3"/>'
        f'{"".join(pieces)}<text class="score" x="{LABEL + 100 * unit + 10:.1f}" y="{line:.0f}">'
        f"{one.score:.1f}</text></g>\n"
    )


def _piece(term: RiskTerm, left: float, top: float, width: float) -> str:
    told = f"{term.name}: {term.points:.1f} of {term.weight:g} points (measured {term.measured:g})"
    return (
        f'<rect class="{term.name}" x="{left:.1f}" y="{top + 4:.0f}" width="{width:.1f}" height="{BAR}">'
        f"<title>{escaped(told)}</title></rect>"
    )


def cycle_drawing(cycle: Cycle) -> str:
    """The modules of a cycle in a circle, an arrow for each import of the round; "" for one too large.

    Each import leads from the file it stands in to the one the next import stands in.
    """
    names = [place.file for place in cycle.imports]
    if not 2 <= len(names) <= MOST_IN_CYCLE:
        return ""
    # Flat, because names are wide: an ellipse leaves room for them on both sides.
    # A pair lies side by side, and needs no more height than its arrows; more begin at the top.
    pair = len(names) == 2
    begin, up = (math.pi, 2 * WORDS) if pair else (-math.pi / 2, RADIUS + BOX_HEIGHT)
    centre_x, centre_y = WIDTH / 2, up
    angles = [2 * math.pi * number / len(names) + begin for number in range(len(names))]
    spots = [(centre_x + 2 * RADIUS * math.cos(at), centre_y + RADIUS * math.sin(at)) for at in angles]
    arrows = "".join(
        _arrow(spots[number], spots[(number + 1) % len(spots)], f"line {place.line}")
        for number, place in enumerate(cycle.imports)
    )
    boxes = "".join(_module(name, *spot) for name, spot in zip(names, spots, strict=True))
    label = f"Cycle of {len(names)} imports: {', '.join(names)}"
    kind, height = "cycle lazy" if cycle.lazy else "cycle", 2 * up + (0 if pair else WORDS / 2)
    return (
        f'<svg class="{kind}" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escaped(label)}">\n{arrows}{boxes}</svg>\n'
    )


def _module(name: str, x: float, y: float) -> str:
    words = shortened(name, 260)
    width = cell_len(words) * _CELL + 18
    return (
        f"<g><title>{escaped(name)}</title>"
        f'<rect x="{x - width / 2:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" width="{width:.1f}" '
        f'height="{BOX_HEIGHT}" rx="6"/>'
        f'<text class="module" x="{x:.1f}" y="{y + 4:.1f}">{escaped(words)}</text></g>\n'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float], words: str) -> str:
    """A curve from box to box, its head in the middle, where no box is in its way, its words outside."""
    (x1, y1), (x2, y2) = start, end
    across_x, across_y = (y2 - y1) * BEND, (x1 - x2) * BEND
    control_x, control_y = (x1 + x2) / 2 + across_x, (y1 + y2) / 2 + across_y
    x, y = (x1 + 2 * control_x + x2) / 4, (y1 + 2 * control_y + y2) / 4
    length = math.hypot(across_x, across_y) or 1.0
    at_x, at_y = x + WORDS * across_x / length, y + WORDS / 2 * across_y / length + 4
    turned = math.degrees(math.atan2(y2 - y1, x2 - x1))
    return (
        f'<path d="M{x1:.1f} {y1:.1f}Q{control_x:.1f} {control_y:.1f} {x2:.1f} {y2:.1f}"/>'
        f'<path class="head" d="M-6 -5L6 0L-6 5Z" '
        f'transform="translate({x:.1f} {y:.1f}) rotate({turned:.0f})"/>'
        f'<text class="at" x="{at_x:.1f}" y="{at_y:.1f}">{escaped(words)}</text>\n'
    )


def shortened(path: str, width: int) -> str:
    """A path in a width, in the units of the drawing: its end stays, for that is what tells files apart."""
    room = int(width / _CELL)
    if cell_len(path) <= room:
        return path
    name = PurePosixPath(path).name
    kept = path if cell_len(name) < room else name
    while kept and cell_len(kept) > room - 1:
        kept = kept[1:]
    return f"…{kept}"
