"""What an observation names: paths, places, keys and names, as entities of the proof graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Literal

from nodes.tutor.facts import Fact, Matches
from nodes.tutor.helping.sightings import sighting_of

MOST_ENTITIES = 40

EntityKind = Literal["path", "place", "key", "name"]


@dataclass(frozen=True)
class Entity:
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
    seen = sighting_of(facts)
    matched = [line for fact in facts if isinstance(fact, Matches) for line in fact.lines or ()]
    first = chain.from_iterable(
        (Entity("place", f"{line.path}:{line.number}"), Entity("path", line.path)) for line in matched
    )
    names = [name for _, _, name in seen.names] + [module for _, module in seen.modules]
    kinds = (
        [Entity("path", path) for path in (*seen.files, *seen.directories)],
        [Entity("key", key) for _, key, _ in seen.keys],
        [Entity("name", name) for name in names],
        [Entity("place", f"{path}:{number}") for path, number, _ in seen.lines],
    )
    others = (entity for row in zip_longest(*kinds) for entity in row if entity is not None)
    return tuple(dict.fromkeys(chain(first, others)))[:MOST_ENTITIES]
