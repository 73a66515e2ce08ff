"""The provers of exists and absent."""

from __future__ import annotations

from typing import cast

from nodes.tutor.claims import Claim
from nodes.tutor.proving import listings, paths, patterns
from nodes.tutor.proving.known import NONE, Known
from nodes.tutor.proving.listings import Kind
from nodes.tutor.proving.measures import fitting
from nodes.tutor.proving.patterns import Pattern
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

Seen = Known[bool] | str
"""Whether something is there, or what would show it."""


def prove_exists(claim: Claim, world: World) -> Verdict:
    """Something stands at a path, or below a directory under a name that fits a pattern."""
    return _verdict(_seen(claim, world), wanted=True)


def prove_absent(claim: Claim, world: World) -> Verdict:
    """Nothing of a kind stands at a path, or below a directory under a name that fits a pattern."""
    return _verdict(_seen(claim, world), wanted=False)


def _verdict(seen: Seen, wanted: bool) -> Verdict:
    if isinstance(seen, str):
        return undecidable(seen)
    if seen.value == wanted:
        return validated("It is there." if wanted else "Nothing of that name is there.", seen.used)
    return refuted("It is there." if seen.value else "Nothing of that name is there.", seen.used)


def _seen(claim: Claim, world: World) -> Seen:
    kind = cast(Kind | None, claim.unit)
    scope = paths.normal(claim.scope) if isinstance(claim.scope, str) else None
    path = paths.normal(claim.subject) or "."
    if "/" in claim.subject.strip("/") or scope is None:
        return _one_reading(claim, world, path, scope, kind)
    name = claim.subject.rstrip("/")
    pattern = patterns.parse(name) if patterns.is_pattern(name) else patterns.literal(name)
    if pattern is None:
        return "The name pattern can be read in several ways; use `*` and `?`."
    by_pattern = _below(world, scope, pattern, kind)
    if not patterns.is_pattern(name):
        return by_pattern
    exact = at_path(world, paths.join(scope, name), kind)
    return _unless_named_so(name, exact, by_pattern)


def _one_reading(claim: Claim, world: World, path: str, scope: str | None, kind: Kind | None) -> Seen:
    seen = at_path(world, path, kind)
    kind_there = world.kind(path)
    named_so = world.is_file(path) is not None or (kind_there is not None and kind_there.value != "absent")
    if patterns.is_pattern(path) and not named_so:
        return "A name pattern has no directory in it: give the directory as the scope."
    if scope is not None and not paths.is_below(path, scope) and path != scope:
        return "The path does not lie in the scope; leave the scope out."
    return seen


def _unless_named_so(name: str, exact: Seen, by_pattern: Seen) -> Seen:
    """What holds of a pattern, unless it is also the name of something there and that makes a difference."""
    if isinstance(by_pattern, Known) and by_pattern.value:
        return by_pattern
    if isinstance(exact, Known) and exact.value:
        return "Something has exactly this name, which is also a name pattern."
    if isinstance(by_pattern, str) or patterns.matches(patterns.parse(name) or (), name):
        return by_pattern
    return exact if isinstance(exact, str) else Known(False, by_pattern.used | exact.used)


def at_path(world: World, path: str, kind: Kind | None) -> Seen:
    """Whether something of a kind stands at a path."""
    seen = world.kind(path)
    if seen is not None and seen.value == "link":
        target = world.is_file(path)
        if kind is None and target is not None:
            return Known(True, seen.used | target.used)
        return "A link stands there; make the claim about the path it leads to."
    if seen is not None and seen.value != "absent":
        return Known(kind is None or seen.value == kind, seen.used)
    file, directory = world.is_file(path), world.is_directory(path)
    if file is not None and seen is None:
        return Known(kind in (None, "file"), file.used)
    if directory is not None:
        return Known(kind in (None, "directory"), directory.used)
    below = _above_something(world, path) if seen is None else None
    if below is not None and kind is None:
        return below
    missing = listings.absence(world, path, kind)
    return Known(False, missing.used) if missing else f"`ls {path}` would show it."


def _above_something(world: World, path: str) -> Known[bool] | None:
    """That a path is there, since something below it is."""
    for other, used in world.paths_there.items():
        if paths.is_below(other, path):
            return Known(True, used)
    return None


def _below(world: World, directory: str, pattern: Pattern, kind: Kind | None) -> Seen:
    """Whether something of a kind below a directory has a name that fits; a link is no file or directory."""
    link = ""
    for path, entry in world.entries(directory, fitting(pattern)):
        if kind is None and entry.value == "link":
            link = path
        elif kind in (None, entry.value):
            return Known(True, entry.used)
    if link:
        return f"{link} is a link; what it leads to is not shown."
    listing = listings.below(world, directory, pattern, kind)
    if listing is None:
        return f"A search with `find {directory}` for this name would show it."
    return Known(bool(listing.value), listing.used or NONE)
