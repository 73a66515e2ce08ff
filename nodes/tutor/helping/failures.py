"""Patterns of play that lead nowhere, told from the last turns alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from nodes.tutor.helping.card_table import Pattern, cards_left
from nodes.tutor.turns import Turn

WINDOW = 12
"""Turns within which a repeated action counts."""
ERRORS = 3
REPEATS = 3
STALL = 4
PERIODS = (2, 3)
_FAILED = ("illegal", "failed", "rejected")


def detect(turns: Sequence[Turn], shown: Collection[str]) -> tuple[str, ...]:
    """The patterns the last turns have, the most telling first.

    Args:
        turns: all until now; only the last twelve are looked at.
        shown: names of the cards that were shown, oldest first, with repeats.
    """
    last = turns[-WINDOW:]
    found: list[Pattern] = []
    if _repeats(last):
        found.append("repetition")
    if any(_circles(last, period) for period in PERIODS):
        found.append("cycle")
    if _ends_with(last, ERRORS, lambda turn: turn.outcome in _FAILED):
        found.append("errors")
    if _ends_with(last, STALL, lambda turn: not turn.novel):
        found.append("stall")
    if found and not cards_left(found, shown):
        found.append("exhausted")
    return tuple(found)


def _repeats(last: Sequence[Turn]) -> bool:
    """True if the last action was played three times; prose is no action, and counts as an error."""
    same = [turn for turn in last if turn.move and turn.signature == last[-1].signature]
    return bool(last) and bool(last[-1].move) and len(same) >= REPEATS


def _circles(last: Sequence[Turn], period: int) -> bool:
    """True if the last turns are the same few actions, at least two of them, played twice over."""
    again = last[-2 * period :]
    if len(again) < 2 * period or not all(turn.move for turn in again):
        return False
    played = [turn.signature for turn in again]
    return played[:period] == played[period:] and len(set(played)) > 1


def _ends_with(last: Sequence[Turn], many: int, is_so: Callable[[Turn], bool]) -> bool:
    return len(last) >= many and all(is_so(turn) for turn in last[-many:])
