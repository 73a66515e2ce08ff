"""Passages of a sequence of numbers that stand in several places, by a suffix array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Repeat:
    """A passage that can be made longer at neither end without losing one of its places.

    Attributes:
        length: how many numbers.
        starts: where it stands, sorted; places may overlap.
    """

    length: int
    starts: Numbers


def repeats(sequence: Numbers, least: Numbers) -> Iterator[Repeat]:
    """All maximal repeats, in no special order.

    Args:
        sequence: not negative. What may be in no passage is a number that occurs once.
        least: by start, how long a passage that begins there has to be.
    """
    if len(sequence) < 2:
        return
    order = suffix_array(sequence)
    shared = _shared(sequence, order)
    before = np.where(order > 0, sequence[order - 1], -1)
    changes = np.concatenate(([0], np.cumsum(before[1:] != before[:-1])))
    for length, first, last in _intervals(shared):
        # With one and the same number before all of them, a longer passage has the same places.
        if length >= least[order[first]] and changes[last] != changes[first]:
            yield Repeat(length, np.sort(order[first : last + 1]))


def suffix_array(sequence: Numbers) -> Numbers:
    """Starts of all suffixes in their order (prefix doubling: Manber and Myers 1993)."""
    ranks = np.unique(sequence, return_inverse=True)[1].astype(np.int64)
    count, reach = len(sequence), 1
    while True:
        behind = np.zeros(count, np.int64)
        behind[: count - reach] = ranks[reach:] + 1
        keys = ranks * (count + 1) + behind
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        ranks[order] = np.concatenate(([0], np.cumsum(ordered[1:] != ordered[:-1])))
        reach *= 2
        if ranks[order[-1]] == count - 1 or reach >= count:
            return order


def _shared(sequence: Numbers, order: Numbers) -> list[int]:
    """How long each suffix, in their order, agrees with the one before it (Kasai et al. 2001)."""
    count = len(sequence)
    rank = np.empty(count, np.int64)
    rank[order] = np.arange(count)
    previous = np.where(rank > 0, order[rank - 1], -1).tolist()
    values = [*sequence.tolist(), -1]
    lengths = [0] * count
    length = 0
    for start, other in enumerate(previous):
        if other < 0:
            length = 0
            continue
        while values[start + length] == values[other + length] >= 0:
            length += 1
        lengths[start] = length
        length = max(length - 1, 0)
    return [lengths[start] for start in order.tolist()]


def _intervals(shared: list[int]) -> Iterator[tuple[int, int, int]]:
    """Runs of suffixes that agree: how long, first and last of them (Abouelhoda et al. 2004)."""
    stack: list[tuple[int, int]] = []
    for at, length in enumerate([*shared[1:], 0], 1):
        first = at - 1
        while stack and stack[-1][0] > length:
            agreed, first = stack.pop()
            yield agreed, first, at - 1
        if length and (not stack or stack[-1][0] < length):
            stack.append((length, first))
