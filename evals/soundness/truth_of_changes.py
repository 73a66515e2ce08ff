"""What differs between two versions of a tree, or of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evals.soundness.tree import Tree
from evals.soundness.truth_of_values import Missing, same, value_at


def changed(claim: Mapping[str, Any], tree: Tree) -> bool:
    """True if the subject changed as claimed."""
    (old, new), subject, value = claim["scope"], claim["subject"], claim["value"]
    if claim["unit"] == "value":
        try:
            before, after = value_at(tree, old, subject), value_at(tree, new, subject)
        except Missing:
            return False
        return same(before, value[0]) and same(after, value[1]) and not same(before, after)
    first, second = f"{old}/{subject}", f"{new}/{subject}"
    if tree.text(first) is None or tree.text(second) is None:
        return False
    if claim["unit"] == "file":
        return (tree.files[first] != tree.files[second]) is value
    return replaced(tree.lines(first), tree.lines(second), value[0], value[1])


def replaced(old: Sequence[str], new: Sequence[str], before: str, after: str) -> bool:
    """True if a line was put in the place of another.

    Both stand once in their version and not in the other, and as much as can be is kept around them.
    """
    if list(old).count(before) != 1 or list(new).count(after) != 1 or before in new or after in old:
        return False
    i, j = list(old).index(before), list(new).index(after)
    kept = common(old[:i], new[:j]) + common(old[i + 1 :], new[j + 1 :])
    return kept == common(old, new)


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for line in one:
        above = row
        row = [0]
        for number, against in enumerate(other, 1):
            row.append(above[number - 1] + 1 if line == against else max(row[-1], above[number]))
    return row[-1]
