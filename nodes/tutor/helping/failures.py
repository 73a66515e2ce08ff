"""Patterns of turns that lead nowhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nodes.tutor.turns import Turn


def detect(turns: Sequence[Turn], shown: Collection[str]) -> tuple[str, ...]:
    """Names of the patterns the last turns show, the most urgent first.

    Args:
        turns: of the game, in order.
        shown: names of the cards that were shown.
    """
    return ()
