"""Passages of code that stand in several places, found by their tokens.

Clones of type 1 (the same but for layout and comments) and of type 2 (names, numbers and strings differ as
well; Roy and Cordy 2007). Python is compared statement by statement, however it is broken over lines; other
languages line by line. Imports and docstrings of Python are left out. What consists of literals by more than
a quarter, or of the same few lines again and again, is a duplicate only if it is of type 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from tools.audit.repeats import Numbers, Repeat, repeats
from tools.audit.report import Duplicate, Place
from tools.audit.units import Units

_LONGEST_PERIOD = 16
_RUN = 64
"""Lines of a table that repeats itself every few lines; a longer one repeats itself at any length."""
MOST_PLACES = 2_000_000
"""Of all passages together. Only sources made for it have more."""


@dataclass(frozen=True)
class _Table:
    """Units of all files one behind the other, each file closed by an empty unit.

    Attributes:
        files: in order; `begins` is where each begins.
        shapes, exact: numbers instead of hashes; those of the units between files occur once.
        sums: tokens before each unit, and at last of all.
    """

    files: tuple[str, ...]
    begins: Numbers
    first: Numbers
    last: Numbers
    tokens: Numbers
    literals: Numbers
    shapes: Numbers
    exact: Numbers
    sums: Numbers


def duplicates(units: Mapping[str, Units], least_tokens: int) -> tuple[tuple[Duplicate, ...], str]:
    """Find them.

    Args:
        units: lines by file.
        least_tokens: a passage has.

    Returns:
        Duplicates, sorted by their places, and a note if only the longest were looked at, else empty. A
        passage is left out if all its places lie within those of longer ones.
    """
    if not units:
        return (), ""
    table = _table(units)
    shapes = _without_runs(table.shapes, table.exact)
    least = np.searchsorted(table.sums, table.sums[:-1] + least_tokens) - np.arange(len(table.tokens))
    found = sorted(
        repeats(shapes, least),
        key=lambda one: (-_tokens(table, one), int(one.starts[0]), one.length),
    )
    looked_at = sum(places <= MOST_PLACES for places in accumulate(len(one.starts) for one in found))
    note = ""
    if looked_at < len(found):
        note = f"Of {len(found)} repeated passages, the {looked_at} longest were looked at for duplicates."
    told = sorted(
        _told(table, found[:looked_at]),
        key=lambda one: (one.places[0].file, one.places[0].line, -one.tokens, one.places[0].end_line),
    )
    return tuple(told), note


def _table(units: Mapping[str, Units]) -> _Table:
    files = tuple(sorted(units))
    sizes = np.array([len(units[file]) + 1 for file in files], np.int64)
    ends = np.cumsum(sizes) - 1

    def column(name: str) -> Numbers:
        joined = np.zeros(int(sizes.sum()), np.uint64)
        at = 0
        for file, size in zip(files, sizes.tolist(), strict=True):
            joined[at : at + size - 1] = getattr(units[file], name)
            at += size
        return joined.view(np.int64)

    def numbered(name: str) -> Numbers:
        numbers: Numbers = np.unique(column(name), return_inverse=True)[1].astype(np.int64)
        numbers[ends] = len(numbers) + np.arange(len(files))
        return numbers

    tokens = column("tokens")
    return _Table(
        files,
        ends + 1 - sizes,
        column("first"),
        column("last"),
        tokens,
        column("literals"),
        numbered("shapes"),
        numbered("exact"),
        np.concatenate(([0], np.cumsum(tokens))),
    )


def _without_runs(shapes: Numbers, exact: Numbers) -> Numbers:
    """Shapes; in long runs of few lines what is exactly there; in runs of that, too, a number each."""
    sequence = shapes.copy()
    in_runs = _runs(sequence)
    sequence[in_runs] = exact[in_runs] + 4 * len(shapes)
    in_runs = _runs(sequence)
    sequence[in_runs] = np.flatnonzero(in_runs) + 8 * len(shapes)
    return sequence


def _runs(sequence: Numbers) -> NDArray[np.bool_]:
    """Where the sequence repeats itself every few numbers, four times and _RUN numbers long at least."""
    marked = np.zeros(len(sequence), bool)
    for period in range(1, min(_LONGEST_PERIOD, len(sequence) - 1) + 1):
        same = np.concatenate(([False], sequence[period:] == sequence[:-period], [False]))
        edges = np.flatnonzero(same[1:] != same[:-1])
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if end - begin >= max(_RUN, 3 * period):
                marked[begin : end + period] = True
    return marked


def _tokens(table: _Table, repeat: Repeat) -> int:
    start = int(repeat.starts[0])
    return int(table.sums[start + repeat.length] - table.sums[start])


def _told(table: _Table, found: Sequence[Repeat]) -> Iterator[Duplicate]:
    covered = np.zeros(len(table.tokens), np.int64)
    for repeat in found:
        for starts in _groups(table, repeat):
            apart = _apart(starts, repeat.length)
            if len(apart) < 2 or all(covered[start] >= start + repeat.length for start in apart):
                continue
            for start in apart:
                end = start + repeat.length
                covered[start:end] = np.maximum(covered[start:end], end)
            yield _duplicate(table, apart, repeat.length)


def _groups(table: _Table, repeat: Repeat) -> list[list[int]]:
    """Its places; apart by what exactly stands there, if alike lines alone do not make it a duplicate."""
    starts: list[int] = repeat.starts.tolist()
    if _is_telling(table, starts[0], repeat.length):
        return [starts]
    by_text: dict[bytes, list[int]] = {}
    for start in starts:
        by_text.setdefault(table.exact[start : start + repeat.length].tobytes(), []).append(start)
    return list(by_text.values())


def _is_telling(table: _Table, start: int, length: int) -> bool:
    tokens = table.tokens[start : start + length]
    different = np.unique(table.shapes[start : start + length], return_index=True)[1]
    literals = int(table.literals[start : start + length].sum())
    total = int(tokens.sum())
    return literals * 4 <= total and int(tokens[different].sum()) * 2 >= total


def _apart(starts: Sequence[int], length: int) -> list[int]:
    """Places that do not overlap, the first ones first."""
    kept: list[int] = []
    for start in starts:
        if not kept or start >= kept[-1] + length:
            kept.append(start)
    return kept


def _duplicate(table: _Table, starts: Sequence[int], length: int) -> Duplicate:
    places = sorted(
        (_place(table, start, length) for start in starts),
        key=lambda place: (place.file, place.line, place.end_line),
    )
    return Duplicate(
        lines=min(place.end_line - place.line + 1 for place in places),
        tokens=int(table.sums[starts[0] + length] - table.sums[starts[0]]),
        places=tuple(places),
    )


def _place(table: _Table, start: int, length: int) -> Place:
    file = table.files[int(np.searchsorted(table.begins, start, "right")) - 1]
    return Place(file=file, line=int(table.first[start]), end_line=int(table.last[start + length - 1]))
