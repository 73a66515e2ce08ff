"""How large something is: bounds of what counts, in one file or in all files of a directory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import cast

from nodes.tutor.facts import MeasureUnit, Searched
from nodes.tutor.proving import listings, paths, patterns
from nodes.tutor.proving.known import UNKNOWN, Bounds, Known, at_least, exactly, total
from nodes.tutor.proving.listings import EVERY, Kind
from nodes.tutor.proving.patterns import Pattern
from nodes.tutor.proving.searching import Weighed, implies, wanted_by
from nodes.tutor.proving.text_bounds import bounds_of_text, by_count
from nodes.tutor.proving.world import World

OfFile = Callable[[str], Bounds]
SIZES = ("lines", "words", "bytes")


def size_of_file(world: World, path: str, unit: str) -> Bounds:
    """Lines, words or bytes of one file."""
    return world.content(path).measure(cast(MeasureUnit, unit))


def size_of_files(world: World, directory: str, pattern: Pattern, unit: str) -> Bounds:
    """Lines, words or bytes of all files below a directory whose names fit, added up."""
    return _over_files(world, directory, pattern, lambda path: size_of_file(world, path, unit))


def number_of(world: World, directory: str, pattern: Pattern, kind: Kind) -> Bounds:
    """How many files (or directories) stand below a directory whose names fit."""
    listing = listings.below(world, directory, pattern, kind)
    if listing is not None:
        return exactly(len(listing.value), listing.used)
    seen = [entry.used for _, entry in world.entries(directory, fitting(pattern)) if entry.value == kind]
    return at_least(len(seen), frozenset().union(*seen))


def text_in_file(world: World, path: str, weighed: Weighed) -> Bounds:
    """Lines of one file that hold a text, or places where it stands."""
    bounds = bounds_of_text(world.content(path), weighed)
    if bounds.exact or weighed.spans_lines:
        return bounds
    for top in paths.ancestors(path)[1:]:
        for search, used in world.text_searches.get(top, ()):
            bounds = bounds.both(_in_searched_file(world, path, search, used, weighed))
    return bounds


def text_below(world: World, directory: str, weighed: Weighed) -> Bounds:
    """Lines that hold a text, or places where it stands, in all files below a directory."""

    @cache
    def of_file(path: str) -> Bounds:
        return text_in_file(world, path, weighed)

    bounds = UNKNOWN
    for top in paths.ancestors(directory):
        for search, used in world.text_searches.get(top, ()):
            way = world.leads(top, directory)
            if way is not None and not weighed.spans_lines:
                bounds = bounds.both(_in_searched(search, used | way.used, directory, weighed, of_file))
    return bounds if bounds.exact else bounds.both(_over_files(world, directory, EVERY, of_file))


def fitting(pattern: Pattern) -> Callable[[str], bool]:
    """The test of a name."""
    return lambda name: patterns.matches(pattern, name)


def _over_files(world: World, directory: str, pattern: Pattern, of_file: OfFile) -> Bounds:
    listing = listings.below(world, directory, pattern, "file")
    if listing is not None:
        bounds = total(of_file(path) for path in listing.value).because(listing.used)
        if bounds.exact:
            return bounds
        return Bounds(_least(world, directory, pattern, of_file), bounds.most)
    return Bounds(_least(world, directory, pattern, of_file), None)


def _least(world: World, directory: str, pattern: Pattern, of_file: OfFile) -> Known[int]:
    """What the files known to stand below a directory have at least."""
    parts: list[Bounds] = []
    for path, entry in world.entries(directory, fitting(pattern)):
        least = of_file(path).least if entry.value == "file" else None
        if least is not None and least.value:
            parts.append(at_least(least.value, least.used | entry.used))
    return total(parts).least


def _in_searched(
    search: Searched, used: frozenset[str], directory: str, weighed: Weighed, of_file: OfFile
) -> Bounds:
    """What one text search over a whole directory tells of it, or of one below it."""
    wanted = wanted_by(search)
    if wanted is None:
        return UNKNOWN
    inside = [path for path in search.files if paths.is_below(path, directory)]
    wider, narrower = implies(weighed.wanted, wanted), implies(wanted, weighed.wanted)
    least = sum(_counts(search, inside)) if narrower else 0
    if wider and narrower and search.counts is not None and weighed.counted == "matching lines":
        return exactly(least, used)
    bounds = total(of_file(path) for path in inside).because(used) if wider else UNKNOWN
    return bounds.both(at_least(least, used))


def _counts(search: Searched, inside: Iterable[str]) -> list[int]:
    """Selected lines of some of the files named, at least."""
    counts = dict(zip(search.files, search.counts or (1,) * len(search.files), strict=True))
    return [counts[path] for path in inside]


def _in_searched_file(
    world: World, path: str, search: Searched, used: frozenset[str], weighed: Weighed
) -> Bounds:
    """What a text search over a directory tells of one file in it, if no link leads there."""
    wanted, kind = wanted_by(search), world.kind(path)
    way = world.leads(search.directory, paths.parent(path))
    if wanted is None or way is None or kind is None or kind.value != "file":
        return UNKNOWN
    named = path in search.files
    exact = not named or search.counts is not None
    count = _counts(search, [path])[0] if named else 0
    used = used | way.used | kind.used
    bounds = UNKNOWN
    if exact and implies(weighed.wanted, wanted):
        bounds = by_count(exactly(count, used), weighed)
    return bounds.both(at_least(count, used)) if implies(wanted, weighed.wanted) else bounds
