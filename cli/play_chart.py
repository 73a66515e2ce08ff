"""The score of a game as a line, and the colours of its turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TONES: Mapping[str, str] = {"validated": "good", "refuted": "bad", "undecidable": "warn"}
"""Colours of claims by their status; others have none."""
TONES_OF_OUTCOMES: Mapping[str, str] = {
    "won": "good", "lost": "bad", "rejected": "bad", "illegal": "warn", "failed": "warn",
}  # fmt: skip


def chart_of(scores: Sequence[int], tones: Sequence[str]) -> str:
    """The score by turn, as a line; its labels stand beside it, so that they stay readable at any width.

    Args:
        scores: after each turn.
        tones: of each turn, for its dot.
    """
    if not scores:
        return ""
    low, high = min(0, *scores), max(1, *scores)
    step = 1000 / max(1, len(scores) - 1)
    places = [(number * step, 200 * (high - score) / (high - low)) for number, score in enumerate(scores)]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    # A line without length has round ends: a dot that no stretching makes an egg.
    dots = "".join(
        f'<line class="dot {tone}" x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y:.1f}"/>'
        for (x, y), tone in zip(places, tones, strict=True)
    )
    zero = 200 * high / (high - low)
    return (
        f'<div class="chart"><div class="scale"><span>{high}</span><span>{low}</span></div>'
        f'<svg viewBox="0 0 1000 200" preserveAspectRatio="none" role="img" '
        f'aria-label="Score by turn, from {scores[0]} to {scores[-1]}">'
        f'<line class="zero" x1="0" x2="1000" y1="{zero:.1f}" y2="{zero:.1f}"/>'
        f'<polyline class="way" points="{way}"/>{dots}</svg>'
        f'<div class="turns"><span>turn 1</span><span>turn {len(scores)}</span></div></div>\n'
    )


def tone_of(turn: Mapping[str, Any]) -> str:
    """The colour of a turn: by its verdict where there is one, else by what became of it."""
    outcome = str(turn.get("otherwise") or turn["outcome"])
    return TONES_OF_OUTCOMES.get(outcome) or TONES.get(str(turn.get("status")), "")
