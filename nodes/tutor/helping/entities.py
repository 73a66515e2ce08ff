"""What a player has seen, by name: paths, keys, names, places in files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nodes.tutor.facts import Fact


@dataclass(frozen=True)
class Entity:
    """Something seen.

    Attributes:
        kind: path, key, name or place.
        text: as it is written in moves.
    """

    kind: str
    text: str


def entities_of(facts: Iterable[Fact]) -> tuple[Entity, ...]:
    """What the facts of one observation name, the most useful first, bounded in number."""
    return ()
