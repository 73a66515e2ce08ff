"""What the notebooks' plots share: one look, colours everybody can tell apart, boxes joined by arrows."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.text import Text

BLUE, ORANGE, GREEN, YELLOW = "#0072B2", "#E69F00", "#009E73", "#F0E442"
SKY, RED, PINK, GREY = "#56B4E9", "#D55E00", "#CC79A7", "#808080"
"""The palette of Okabe and Ito (2008), which people with any colour vision can tell apart."""

PALE = {BLUE: "#DCEBF7", ORANGE: "#FBEBCB", GREEN: "#D5F0E6", RED: "#FBE0D2", GREY: "#EEEEEE"}
"""What a box is filled with, by the colour of its border."""


@dataclass(frozen=True)
class Box:
    """A box of a diagram.

    Attributes:
        text: what stands in it; long lines are broken.
        x, y: its middle, in the units of the axes.
        colour: of its border, one of `PALE`.
        width: characters of a line at most.
    """

    text: str
    x: float
    y: float
    colour: str = BLUE
    width: int = 24


def use_style() -> None:
    """Plots of one size, in one palette, with a light grid behind them."""
    plt.rcParams.update(
        {
            "figure.figsize": (8.0, 3.8),
            "figure.dpi": 96,
            "figure.constrained_layout.use": True,
            "font.size": 10,
            "axes.titlesize": 11,
            "axes.grid": True,
            "axes.axisbelow": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler(color=[BLUE, ORANGE, GREEN, RED, PINK, SKY]),
            "grid.color": "#E2E2E2",
            "legend.frameon": False,
        }
    )


def draw_diagram(
    axes: Axes,
    boxes: Mapping[str, Box],
    arrows: Sequence[tuple[str, str, str]],
    *,
    style: Mapping[str, Any] | None = None,
    size: float = 9,
) -> None:
    """Draw boxes and the arrows between them.

    Args:
        axes: to draw into; its limits are set so that all boxes have room.
        boxes: by name.
        arrows: from one box to another, and a colour; one to or from a box that is not there is left out.
        style: of the arrows, as `matplotlib.patches.FancyArrowPatch` takes it.
        size: of the letters, in points.
    """
    drawn = {name: _drawn(axes, box, size) for name, box in boxes.items()}
    for source, target, colour in arrows:
        if source in drawn and target in drawn:
            # The arrow ends at the border of each box, wherever its text makes that border lie.
            ends = {"patchA": drawn[source].get_bbox_patch(), "patchB": drawn[target].get_bbox_patch()}
            look = {"arrowstyle": "-|>", "color": colour, "mutation_scale": 11, **ends, **(style or {})}
            begin, end = boxes[source], boxes[target]
            axes.annotate("", xy=(end.x, end.y), xytext=(begin.x, begin.y), arrowprops=look)
    across, down = [box.x for box in boxes.values()], [box.y for box in boxes.values()]
    axes.set_xlim(min(across) - 0.6, max(across) + 0.6)
    axes.set_ylim(min(down) - 0.6, max(down) + 0.6)
    axes.axis("off")


def _drawn(axes: Axes, box: Box, size: float) -> Text:
    lines = [line for part in box.text.splitlines() for line in textwrap.wrap(part, box.width) or [""]]
    border = {"boxstyle": "round,pad=0.4", "facecolor": PALE[box.colour], "edgecolor": box.colour}
    words = "\n".join(lines)
    return axes.text(box.x, box.y, words, ha="center", va="center", fontsize=size, zorder=3, bbox=border)


def whiskers(values: Sequence[float], ends: Sequence[tuple[float, float]]) -> list[list[float]]:
    """What matplotlib wants for the errors of values: how far each interval reaches below and above.

    Args:
        values: the middle of each whisker.
        ends: the interval of each, low and high.
    """
    below = [max(0.0, value - low) for value, (low, _) in zip(values, ends, strict=True)]
    above = [max(0.0, high - value) for value, (_, high) in zip(values, ends, strict=True)]
    return [below, above]
