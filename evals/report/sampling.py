"""A part of many cases that stands for all of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def evenly(items: Sequence[Item], group_of: Callable[[Item], str], most: int | None, seed: int) -> list[Item]:
    """At most some items, as many from each group as its share allows, in their order; all without a limit.

    Args:
        items: to choose from.
        group_of: the group of an item; no group of at least one item is left out while the limit allows.
        most: how many; None for all.
        seed: of the draw.
    """
    if most is None or most >= len(items):
        return list(items)
    rng = random.Random(f"sample/{seed}")
    groups: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        groups.setdefault(group_of(item), []).append(number)
    # Each member's place within its group, as a fraction: taking the smallest takes evenly from all groups.
    placed = []
    for name in sorted(groups):
        members = groups[name]
        rng.shuffle(members)
        placed += [(place / len(members), rng.random(), number) for place, number in enumerate(members)]
    kept = sorted(number for _, _, number in sorted(placed)[:most])
    return [items[number] for number in kept]
