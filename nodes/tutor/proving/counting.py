"""What a claim measures: from its subject, unit and scope to bounds of a number."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from nodes.tutor.proving import key_paths, measures, paths, patterns, quantities, values
from nodes.tutor.proving.known import UNKNOWN, Bounds, Known, exactly
from nodes.tutor.proving.listings import EVERY, Kind
from nodes.tutor.proving.patterns import Pattern
from nodes.tutor.proving.searching import Wanted, Weighed
from nodes.tutor.proving.world import World


@dataclass(frozen=True)
class Measured:
    """A number a claim is about.

    Attributes:
        bounds: where it lies.
        hint: what would have to be seen to know more.
    """

    bounds: Bounds
    hint: str


def measured(world: World, subject: str, unit: str, scope: str | None, directories: bool = False) -> Measured:
    """The number that a claim with a unit is about.

    Args:
        world: what is known.
        subject: as the unit wants it.
        unit: of `count`.
        scope: directory or file counted in.
        directories: with the unit files, the subject is the directory they are in, unless there is a scope.
    """
    if unit in measures.SIZES:
        return _size(world, subject, unit, scope)
    if unit == "files":
        return _files(world, subject, scope, directories)
    if unit == "directories":
        return _directories(world, subject, scope)
    if unit in ("keys", "items"):
        path = paths.normal(scope or "") or "."
        found = values.size(world, path, subject, unit)
        return (
            Measured(UNKNOWN, found)
            if isinstance(found, str)
            else Measured(exactly(found.value, found.used), "")
        )
    weighed = Weighed(Wanted(subject), "occurrences" if unit == "occurrences" else "matching lines")
    return text(world, scope or ".", weighed)


def text(world: World, scope: str, weighed: Weighed) -> Measured:
    """Lines with a text, or places where it stands, in a file or in all files below a directory."""
    path = paths.normal(scope) or "."
    if world.is_file(path) is not None:
        return Measured(
            measures.text_in_file(world, path, weighed), f"`grep -n` for the text in {path} would show it."
        )
    hint = f"`grep -rn` for the text in {path}, or the text of every file there, would show it."
    if world.is_directory(path) is None and world.leads(".", path) is None:
        return Measured(UNKNOWN, hint)
    return Measured(measures.text_below(world, path, weighed), hint)


def value_at(world: World, path: str, key: str) -> Known[Fraction] | str:
    """The number at a key path, or why there is none that is known; text is none, whatever it looks like."""
    found = values.find(world, path, key)
    if isinstance(found, str):
        return found
    value = found.value.value
    number = quantities.number(value) if not isinstance(value, str) else None
    return f"What stands at {key} is no number." if number is None else Known(number, found.used)


def same_suffix(one: str, other: str) -> bool:
    """True if two keys tell the same unit, or none."""
    return quantities.suffix(key_paths.last_key(one) or "") == quantities.suffix(
        key_paths.last_key(other) or ""
    )


def _size(world: World, subject: str, unit: str, scope: str | None) -> Measured:
    path, place = paths.normal(subject) or ".", paths.normal(scope or "") or "."
    if patterns.is_pattern(subject) and "/" not in subject:
        return _size_by_pattern(world, subject, unit, scope)
    hint = f"`wc {path}` or the whole file would show it."
    if scope is None or path == place or paths.is_below(path, place):
        if scope is not None and path != place and _elsewhere(world, path, place):
            return Measured(UNKNOWN, f"Several files below {place} are named so; give the path alone.")
        if world.is_file(path) is None:
            return Measured(UNKNOWN, hint)
        return Measured(measures.size_of_file(world, path, unit), hint)
    if "/" in subject:
        return Measured(UNKNOWN, "The path does not lie in the scope; leave the scope out.")
    return _size_by_name(world, subject, unit, place)


def _size_by_name(world: World, name: str, unit: str, place: str) -> Measured:
    pattern = patterns.literal(name)
    if not measures.number_of(world, place, pattern, "file").least.value:
        return Measured(UNKNOWN, f"No file of this name was seen below {place}.")
    hint = f"`wc` of every file of this name below {place}, and a `find` that lists them, would show it."
    return Measured(measures.size_of_files(world, place, pattern, unit), hint)


def _size_by_pattern(world: World, written: str, unit: str, scope: str | None) -> Measured:
    """Of all files whose names fit; of one file alone if it has exactly this name, and nothing else fits."""
    place = paths.normal(scope or "") or "."
    pattern = patterns.parse(written)
    hint = f"`wc` of every file of this name below {place}, and a `find` that lists them, would show it."
    if pattern is not None and not _named_so(world, paths.join(place, written), pattern):
        return Measured(measures.size_of_files(world, place, pattern, unit), hint)
    return Measured(UNKNOWN, _SEVERAL)


_SEVERAL = "The name pattern can be read in several ways; use `*` and `?`."


def _elsewhere(world: World, path: str, place: str) -> bool:
    """True if another file of this name is known to stand below a directory."""
    if "/" in path:
        return False
    return any(other != path for other, _ in world.entries(place, lambda name: name == path))


def _named_so(world: World, path: str, pattern: Pattern) -> bool:
    """True if something has exactly the name that a pattern is written as, and does not fit it."""
    there = world.kind(path) is not None or world.is_file(path) is not None
    return there and not patterns.matches(pattern, paths.name(path))


def _files(world: World, subject: str, scope: str | None, directories: bool) -> Measured:
    path, place = paths.normal(subject) or ".", paths.normal(scope or "") or "."
    if path == place or "/" in subject.strip("/") or (directories and scope is None):
        if patterns.is_pattern(subject) and world.is_directory(path) is None:
            return Measured(
                UNKNOWN, "A name pattern has no directory in it: give the directory as the scope."
            )
        if scope not in (None, ".") and path != place:
            return Measured(UNKNOWN, "Give a name pattern as the subject, or leave the scope out.")
        return _number(world, path, EVERY, "file")
    return _named(world, subject, place, "file")


def _directories(world: World, subject: str, scope: str | None) -> Measured:
    path, place = paths.normal(subject) or ".", paths.normal(scope or "") or "."
    if scope is None or path == place:
        if patterns.is_pattern(path) and world.is_directory(path) is None:
            return Measured(UNKNOWN, "Give the directory they are counted in.")
        return _number(world, path, EVERY, "directory")
    if patterns.is_pattern(subject):
        return _named(world, subject, place, "directory")
    return Measured(UNKNOWN, "Leave the scope out: the subject is the directory they are counted in.")


def _named(world: World, subject: str, place: str, kind: Kind) -> Measured:
    name = subject.rstrip("/")
    pattern = patterns.parse(name) if patterns.is_pattern(name) else patterns.literal(name)
    if pattern is None or _named_so(world, paths.join(place, name), pattern):
        return Measured(UNKNOWN, _SEVERAL)
    return _number(world, place, pattern, kind)


def _number(world: World, directory: str, pattern: Pattern, kind: Kind) -> Measured:
    hint = f"`find {directory} -type {kind[0]}` would show it."
    return Measured(measures.number_of(world, directory, pattern, kind), hint)
