"""What stands below a directory, and what does not: complete listings, put together from searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nodes.tutor.facts import Search
from nodes.tutor.proving import paths, patterns
from nodes.tutor.proving.known import NONE, Known
from nodes.tutor.proving.patterns import STAR, Pattern
from nodes.tutor.proving.world import World

Kind = Literal["file", "directory", "link"]
EVERY: Pattern = (STAR,)


def below(world: World, directory: str, pattern: Pattern, kind: Kind | None) -> Known[list[str]] | None:
    """Everything of a kind below a directory whose name fits, links not followed; None if not all is known.

    Args:
        world: what is known.
        directory: where.
        pattern: of the last part of a path.
        kind: None for every kind.
    """
    for search, used in _over(world, directory):
        if search.depth is None and search.hidden and _covers(search, pattern, kind):
            way = world.leads(search.directory, directory)
            if way is not None:
                found = [
                    entry.path
                    for entry in search.found
                    if paths.is_below(entry.path, directory)
                    and _wanted(entry.path, entry.kind, pattern, kind)
                ]
                return Known(found, used | way.used)
    return _level_by_level(world, directory, pattern, kind)


def absence(world: World, path: str, kind: Kind | None) -> Known[None] | None:
    """That nothing of a kind (None: nothing at all) stands at a path."""
    seen = world.kind(path)
    if seen is not None:
        other = kind is not None and seen.value not in (kind, "link")
        return Known(None, seen.used) if other or seen.value == "absent" else None
    file = world.is_file(path)
    if file is not None:
        return file if kind == "directory" else None
    above = paths.parent(path)
    if world.is_directory(above) is None:
        return absence(world, above, None) or world.is_file(above)
    own = _named(world, path, None)
    if own is None and kind is not None:
        # A link may lead to what is looked for, so links have to be known, too.
        of_kind, links = _named(world, path, kind), _named(world, path, "link")
        own = Known([*of_kind.value, *links.value], of_kind.used | links.used) if of_kind and links else None
    return Known(None, own.used) if own is not None and not own.value else None


def _named(world: World, path: str, kind: Kind | None) -> Known[list[str]] | None:
    return children(world, paths.parent(path), patterns.literal(paths.name(path)), kind)


def children(world: World, directory: str, pattern: Pattern, kind: Kind | None) -> Known[list[str]] | None:
    """The entries of a directory itself, of a kind, whose name fits; None if not all are known."""
    for search, used in _over(world, directory):
        below_top = (
            0 if directory == search.directory else len(paths.between(directory, search.directory)) + 1
        )
        if search.depth is not None and below_top >= search.depth:
            continue
        shown = search.hidden or not patterns.can_begin_with(pattern, ".")
        way = world.leads(search.directory, directory)
        if shown and way is not None and _covers(search, pattern, kind):
            if not search.hidden and _hides(search.directory, directory):
                continue
            found = [
                entry.path
                for entry in search.found
                if paths.parent(entry.path) == directory and _wanted(entry.path, entry.kind, pattern, kind)
            ]
            return Known(found, used | way.used)
    return None


def _level_by_level(
    world: World, directory: str, pattern: Pattern, kind: Kind | None
) -> Known[list[str]] | None:
    found: list[str] = []
    used = NONE
    waiting = [directory]
    while waiting:
        at = waiting.pop()
        own, inner = children(world, at, pattern, kind), children(world, at, EVERY, "directory")
        if own is None or inner is None:
            return None
        found += own.value
        waiting += inner.value
        used |= own.used | inner.used
    return Known(found, used)


def _over(world: World, directory: str) -> Iterator[tuple[Search, frozenset[str]]]:
    """Searches that looked in a directory, or in one it stands in."""
    for top in paths.ancestors(directory):
        yield from world.searches.get(top, ())


def _hides(top: str, directory: str) -> bool:
    """True if a listing without hidden names does not reach a directory below it."""
    steps = [] if directory == top else [*paths.between(directory, top), directory]
    return any(paths.name(step).startswith(".") for step in steps)


def _covers(search: Search, pattern: Pattern, kind: Kind | None) -> bool:
    """True if everything of a kind whose name fits a pattern passes the tests of a search."""
    if search.kind is not None and search.kind != kind:
        return False
    if not search.names:
        return True
    wider = [patterns.parse(written) for written in search.names]
    return any(one is not None and patterns.covers(one, pattern) for one in wider)


def _wanted(path: str, found: str, pattern: Pattern, kind: Kind | None) -> bool:
    return (kind is None or found == kind) and patterns.matches(pattern, paths.name(path))
