"""Lines of one file that follow from those of another, where a comparison showed all that differs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nodes.tutor.facts import Hunk, Hunks, Lines
from nodes.tutor.proving.contents import Content
from nodes.tutor.proving.known import Known


def turned(fact: Hunks, old: str) -> Sequence[Hunk]:
    """The hunks, from a file to the other one."""
    if fact.old == old:
        return fact.hunks
    return [
        Hunk(
            old_first=hunk.new_first, old=hunk.new, new_first=hunk.old_first, new=hunk.old,
            old_unended=hunk.new_unended, new_unended=hunk.old_unended,
        )
        for hunk in fact.hunks
    ]  # fmt: skip


def carried(content: Content, hunks: Sequence[Hunk], path: str) -> list[tuple[Lines, frozenset[str]]]:
    """What is known of a file's content, over to the file the hunks lead to.

    Args:
        content: of the file they lead from.
        hunks: all of them, in order.
        path: of the file they lead to.
    """
    whole = content.whole_lines
    if whole is not None:
        lines = tuple(_replaced(whole.value, hunks))
        ended = _terminated(content, len(whole.value), hunks) if lines else None
        fact = Lines(
            path=path, first=1, lines=lines, ends=True, terminated=None if ended is None else ended.value
        )
        return [(fact, whole.used | (frozenset() if ended is None else ended.used))]
    return [
        (Lines(path=path, first=number + shift, lines=(line.value,)), line.used)
        for number, line in content.numbered.items()
        if (shift := _shift(number, hunks)) is not None
    ]


def _replaced(lines: Sequence[str], hunks: Sequence[Hunk]) -> Iterator[str]:
    at = 0
    for hunk in hunks:
        yield from lines[at : hunk.old_first - 1]
        yield from hunk.new
        at = hunk.old_first - 1 + len(hunk.old)
    yield from lines[at:]


def _terminated(content: Content, count: int, hunks: Sequence[Hunk]) -> Known[bool] | None:
    """Whether the file they lead to ends with a line end; None if that is not known."""
    last = hunks[-1] if hunks else None
    if last is not None and last.old_first + len(last.old) > count:
        return Known(not last.new_unended, frozenset())
    text = content.text
    return None if text is None else Known(text.value.endswith("\n"), text.used)


def _shift(number: int, hunks: Sequence[Hunk]) -> int | None:
    """How far a line is from its old number; None if it is in a hunk."""
    shift = 0
    for hunk in hunks:
        if number < hunk.old_first:
            break
        if number < hunk.old_first + len(hunk.old):
            return None
        shift += len(hunk.new) - len(hunk.old)
    return shift
