"""Which card answers which pattern of failure, the best first, and how often each may be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Literal, get_args

Pattern = Literal["repetition", "cycle", "errors", "stall", "exhausted"]
"""repetition: one action three times; cycle: two or three actions over and over; errors: three in a row;
stall: no new knowledge over four turns; exhausted: no card is left for the others."""
CardName = Literal[
    "break_loop",
    "compass",
    "analyse_error",
    "progress",
    "reset",
    "split",
    "criterion",
    "list_first",
    "open_actions",
]
CARDS: tuple[CardName, ...] = get_args(CardName)
MOST_TIMES = 2
"""A card that did not help twice will not help."""
CARDS_FOR: Mapping[str, tuple[CardName, ...]] = {
    "repetition": ("break_loop", "list_first", "compass", "split", "reset"),
    "cycle": ("break_loop", "reset", "compass", "split", "open_actions"),
    "errors": ("analyse_error", "criterion", "list_first", "reset"),
    "stall": ("compass", "list_first", "open_actions", "criterion", "progress", "split", "reset"),
}


def cards_left(patterns: Iterable[str], shown: Collection[str]) -> list[CardName]:
    """Cards for some patterns that may still be shown: best first, none twice in a row.

    Args:
        patterns: most telling first.
        shown: names of what was shown, oldest first, with repeats; names of other helps are passed over.
    """
    given = [name for name in shown if name in CARDS]
    times, last = Counter(given), given[-1] if given else ""
    fitting = dict.fromkeys(card for pattern in patterns for card in CARDS_FOR.get(pattern, ()))
    left = [card for card in fitting if times[card] < MOST_TIMES and card != last]
    return sorted(left, key=lambda card: times[card])
