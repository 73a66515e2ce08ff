"""Which line of an old version became which line of the new one, where every shortest difference agrees."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

# Cells of the table of longest common subsequences, and lines of one replaced block.
_MOST_CELLS = 400_000
_MOST_LINES = 40
_LONGEST_LINE = 2_000


class Replaced(NamedTuple):
    """A line of the old version, and the line of the new one in its place; None where there is none."""

    old: str | None
    new: str | None


@dataclass(frozen=True)
class Changes:
    """What became of the lines.

    Attributes:
        certain: replacements, additions and removals that every shortest difference shows.
        complete: True if these are all there are.
    """

    certain: frozenset[Replaced]
    complete: bool


class _Match(NamedTuple):
    """Line `old` of the one is line `new` of the other, as the `rank`-th they share; counted from 0."""

    rank: int
    old: int
    new: int


@lru_cache(maxsize=32)
def changes_between(old: str, new: str) -> Changes | None:
    """Compare two texts line by line; None if they are too large to compare in all ways."""
    before, after = _lines(old), _lines(new)
    before, after = _without_ends(before, after)
    if len(before) * len(after) > _MOST_CELLS:
        return None
    anchors = _anchors(before, after)
    return _collected(_blocks_between(before, after, anchors), None not in anchors)


def changes_of(blocks: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Changes:
    """What became of the lines, from all blocks of old lines and of those in their place."""
    return _collected((_block(old, new) for old, new in blocks), True)


def _blocks_between(
    before: Sequence[str], after: Sequence[str], anchors: Sequence[_Match | None]
) -> Iterator[list[Replaced] | None]:
    sure: list[_Match | None] = [_Match(-1, -1, -1), *anchors, _Match(0, len(before), len(after))]
    for one, following in zip(sure, sure[1:], strict=False):
        if one is not None and following is not None:
            yield _block(before[one.old + 1 : following.old], after[one.new + 1 : following.new])


def _collected(blocks: Iterable[list[Replaced] | None], complete: bool) -> Changes:
    certain: set[Replaced] = set()
    for block in blocks:
        complete = complete and block is not None
        certain.update(block or ())
    return Changes(frozenset(certain), complete)


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _without_ends(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """The two without what they begin and end with, if none of that stands in between as well.

    Where it does, a line in between could be taken for one of the ends, and no way may be left out.
    """
    first, most = 0, min(len(old), len(new))
    while first < most and old[first] == new[first]:
        first += 1
    last = 0
    while last < most - first and old[-1 - last] == new[-1 - last]:
        last += 1
    inner_old, inner_new = old[first : len(old) - last], new[first : len(new) - last]
    ends = {*old[:first], *old[len(old) - last :]}
    return (old, new) if ends & {*inner_old, *inner_new} else (inner_old, inner_new)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[_Match | None]:
    """The shared lines in order, None where the longest common subsequences differ."""
    before = _table(old, new)
    after = _table(old[::-1], new[::-1])
    longest = before[-1][-1]
    at_rank: list[list[_Match]] = [[] for _ in range(longest)]
    for row, line in enumerate(old):
        for column, other in enumerate(new):
            if line == other:
                rank = before[row][column]
                rest = after[len(old) - row - 1][len(new) - column - 1]
                if rank + 1 + rest == longest:
                    at_rank[rank].append(_Match(rank, row, column))
    return [matches[0] if len(matches) == 1 else None for matches in at_rank]


def _table(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """Length of the longest common subsequence, for every number of first lines of both."""
    table = [[0] * (len(new) + 1)]
    for line in old:
        row, above = [0], table[-1]
        for column, other in enumerate(new):
            row.append(above[column] + 1 if line == other else max(row[-1], above[column + 1]))
        table.append(row)
    return table


def _block(old: Sequence[str], new: Sequence[str]) -> list[Replaced] | None:
    """What became of the lines between two shared ones; None if that can be told in more than one way."""
    if not old:
        return [Replaced(None, line) for line in new]
    if not new:
        return [Replaced(line, None) for line in old]
    if len(old) != len(new):
        return None
    pairs = [Replaced(one, other) for one, other in zip(old, new, strict=True)]
    return pairs if len(pairs) == 1 or _in_order(old, new) else None


def _in_order(old: Sequence[str], new: Sequence[str]) -> bool:
    """True if no line looks more like the one in another place than like the one in its own."""
    if len(old) > _MOST_LINES or any(len(line) > _LONGEST_LINE for line in (*old, *new)):
        return False
    likeness = list(_likeness(old, new))
    return all(
        likeness[at][at] >= max(likeness[at][other], likeness[other][at])
        for at in range(len(old))
        for other in range(len(old))
    )


def _likeness(old: Sequence[str], new: Sequence[str]) -> Iterator[list[float]]:
    for line in old:
        yield [difflib.SequenceMatcher(None, line, other, autojunk=False).ratio() for other in new]
