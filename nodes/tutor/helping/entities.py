"""What an observation names: paths, places, keys and names, as entities of the proof graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import Literal, NamedTuple

from nodes.tutor.facts import Fact, Matches
from nodes.tutor.helping.sightings import Sighting, sighting_of

MOST_ENTITIES = 40

EntityKind = Literal["path", "place", "key", "name"]


class Entity(NamedTuple):
    """Something the player has seen.

    Attributes:
        kind: path; place, as `path:line`; key path of a configuration; name of a function, class or module.
        text: as a claim would write it.
    """

    kind: EntityKind
    text: str


def entities_of(facts: Iterable[Fact]) -> tuple[Entity, ...]:
    """What some facts name, nothing twice, 40 at most.

    Matched lines and files come first: somebody looked for them. The other kinds take turns, so that a long
    listing leaves room for the keys and names of a short file.
    """
    facts = tuple(facts)
    found: dict[Entity, None] = {}
    for entity in chain(_matched(facts), _shown(sighting_of(facts))):
        found[entity] = None
        if len(found) == MOST_ENTITIES:
            break
    return tuple(found)


def _matched(facts: Iterable[Fact]) -> Iterator[Entity]:
    for fact in facts:
        for line in (isinstance(fact, Matches) and fact.lines) or ():
            yield Entity("place", f"{line.path}:{line.number}")
            yield Entity("path", line.path)


def _shown(seen: Sighting) -> Iterator[Entity]:
    """One of each kind in turn."""
    kinds = (
        (Entity("path", path) for path in chain(seen.files, seen.directories)),
        (Entity("key", key) for _, key, _ in seen.keys),
        (Entity("name", name) for *_, name in chain(seen.names, seen.modules)),
        (Entity("place", f"{path}:{number}") for path, number, _ in seen.lines),
    )
    return (entity for row in zip_longest(*kinds) for entity in row if entity is not None)
