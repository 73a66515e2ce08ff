"""Unified diffs that `patch` and `git apply` understand, whatever the texts hold and in bounded time."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from tools.writing.places import printable

CONTEXT = 3
# difflib's time grows with the product of both lengths; 2000 by 2000 changed lines take about 0.1 s at worst.
COMPARED = 4_000_000


def unified(path: str, before: str | None, after: str) -> str:
    """The difference of two texts.

    Lines end at newlines only, so that a form feed or a carriage return stays inside its line. Where too many
    lines changed to look for the shortest difference, the whole changed stretch is shown as replaced.

    Args:
        path: relative path for the header.
        before: the old text, None for a file that does not exist.
        after: the new text.

    Returns:
        The diff, empty if the texts are equal.
    """
    if before == after:
        return ""
    old, new = _lines(before or ""), _lines(after)
    name = printable(path)
    header = f"--- {f'a/{name}' if before is not None else '/dev/null'}\n+++ b/{name}\n"
    if not old and not new:
        return header
    return header + "".join(_hunks(old, new))


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    if lines[-1] == "\n":
        lines.pop()
    else:
        lines[-1] = lines[-1][:-1]
    return lines


def _hunks(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Hunks of the stretch between the common beginning and the common end."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    lead = min(start, CONTEXT)
    trail = min(end, CONTEXT)
    first = start - lead
    old_part = old[first : len(old) - end + trail]
    new_part = new[first : len(new) - end + trail]
    if (len(old_part) or 1) * (len(new_part) or 1) > COMPARED:
        changed_old, changed_new = (
            old_part[lead : len(old_part) - trail],
            new_part[lead : len(new_part) - trail],
        )
        body = [" " + line for line in old_part[:lead]]
        body += ["-" + line for line in changed_old] + ["+" + line for line in changed_new]
        body += [" " + line for line in old_part[len(old_part) - trail :]]
        ranges = f"@@ -{_range(first, len(old_part))} +{_range(first, len(new_part))} @@\n"
        return [ranges, *map(_ended, body)]
    hunks: list[str] = []
    for group in difflib.SequenceMatcher(None, old_part, new_part).get_grouped_opcodes(CONTEXT):
        hunks += _hunk(group, old_part, new_part, first)
    return hunks


def _hunk(
    group: Sequence[tuple[str, int, int, int, int]], old: Sequence[str], new: Sequence[str], first: int
) -> list[str]:
    (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
    old_range = _range(first + old_start, old_end - old_start)
    lines = [f"@@ -{old_range} +{_range(first + new_start, new_end - new_start)} @@\n"]
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            lines += [_ended(" " + line) for line in old[i1:i2]]
            continue
        lines += [_ended("-" + line) for line in old[i1:i2]]
        lines += [_ended("+" + line) for line in new[j1:j2]]
    return lines


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _range(start: int, length: int) -> str:
    """Line number and count as POSIX `diff -u` writes them: of an empty range, the line before it."""
    return f"{start + 1 if length else start},{length}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
