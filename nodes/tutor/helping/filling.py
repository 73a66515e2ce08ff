"""Slots of a target filled with what was seen, rightly and wrongly: nothing here asks what is true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product
from typing import Any, NamedTuple

from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.looking import literals_of
from nodes.tutor.helping.sightings import Sighting

MOST_FILLINGS = 30


class Filling(NamedTuple):
    """What stands in the slots of a claim."""

    subject: str
    value: Any
    unit: str | None
    scope: str | tuple[str, str] | None


_UNITS: Mapping[str, tuple[str | None, ...]] = {
    "exists": ("file", "directory"),
    "absent": (None, "file"),
    "contains": (None, "line"),
    "not_contains": (None, "word"),
    "count": ("lines", "matching lines"),
    "greater": ("lines", "matching lines"),
    "less": ("lines", "matching lines"),
    "defines": ("function", "class"),
    "changed_between": ("file",),
}

Pairs = Iterator[tuple[str, Any]]


def fillings(target: Target, game: Game, seen: Sighting) -> list[Filling]:
    """A target's slots filled from a sighting, in the order in which it was seen, 30 at most, none twice.

    Of some forms there are none: a sum, an order or a difference has to be found by the player.
    """
    pairs = _PAIRS.get(target.predicate)
    if pairs is None or ("subject" not in target.open and "value" not in target.open):
        return []
    beside = list(product(_units(target), _scopes(target, seen)))
    made = (
        Filling(subject, value, unit, scope)
        for subject, value in islice(pairs(target, game, seen), MOST_FILLINGS)
        for unit, scope in beside
    )
    return list({repr(one): one for one in islice(made, MOST_FILLINGS)}.values())


def _units(target: Target) -> tuple[str | None, ...]:
    return _UNITS.get(target.predicate, (None,)) if "unit" in target.open else (target.unit,)


def _scopes(target: Target, seen: Sighting) -> tuple[str | tuple[str, str] | None, ...]:
    if "scope" not in target.open:
        return (target.scope,)
    if target.predicate == "value_of":
        return tuple(dict.fromkeys(path for path, _, _ in seen.keys))[:3]
    return (".", *seen.directories[:2])


def _subjects(target: Target, open_ones: tuple[str, ...]) -> tuple[str, ...]:
    return open_ones if "subject" in target.open else (target.subject,)


def _of_files(target: Target, game: Game, seen: Sighting) -> Pairs:
    """exists, absent: a path, and nothing else to say."""
    return ((path, True) for path in _subjects(target, seen.files))


def _of_texts(target: Target, game: Game, seen: Sighting) -> Pairs:
    """contains, not_contains: a file with a text of the goal, or with a line that was seen."""
    if "value" not in target.open:
        return ((path, target.value) for path in _subjects(target, seen.files))
    texts = (*literals_of(game), *(text for _, _, text in seen.lines))
    return ((path, text) for text in texts for path in _subjects(target, seen.files))


def _of_numbers(target: Target, game: Game, seen: Sighting) -> Pairs:
    """count, greater, less: a number that was seen, said of anything a number was seen of."""
    of = _subjects(target, tuple(dict.fromkeys(path for path, _, _ in seen.numbers)))
    values = [value for _, unit, value in seen.numbers if "unit" in target.open or unit == target.unit]
    if "value" not in target.open:
        return ((subject, target.value) for subject in of)
    return ((subject, value) for value in values for subject in of)


def _of_keys(target: Target, game: Game, seen: Sighting) -> Pairs:
    """value_of: a key with its value, as one file has them."""
    for path, key, value in seen.keys:
        fits = "scope" in target.open or path == target.scope
        if fits and not isinstance(value, dict | list) and value is not None:
            if "subject" in target.open:
                yield key, value if "value" in target.open else target.value
            else:
                yield target.subject, value


def _of_places(target: Target, game: Game, seen: Sighting) -> Pairs:
    """before, after, causes: two lines that were seen."""
    places = tuple(f"{path}:{number}" for path, number, _ in seen.lines)
    if "value" not in target.open:
        return ((place, target.value) for place in _subjects(target, places) if place != target.value)
    return (
        (place, other)
        for step in range(1, len(places))
        for place, other in zip(_subjects(target, places), places[step:], strict=False)
        if place != other
    )


def _of_lines(target: Target, game: Game, seen: Sighting) -> Pairs:
    """equals: a line with its text."""
    for path, number, text in seen.lines:
        place = f"{path}:{number}"
        if "subject" in target.open:
            yield place, text if "value" in target.open else target.value
        elif ":" not in target.subject or place == target.subject:
            yield target.subject, text


def _of_names(target: Target, game: Game, seen: Sighting) -> Pairs:
    """defines: a file with a name that some file defines."""
    names = [name for _, _, name in seen.names] if "value" in target.open else [target.value]
    files = tuple(path for path in seen.files if path.endswith(".py"))
    return ((path, name) for name in names for path in _subjects(target, files))


def _of_modules(target: Target, game: Game, seen: Sighting) -> Pairs:
    """imports: a file with a module that some file imports."""
    names = [name for _, name in seen.modules] if "value" in target.open else [target.value]
    files = tuple(path for path in seen.files if path.endswith(".py"))
    return ((path, name) for name in names for path in _subjects(target, files))


def _of_changes(target: Target, game: Game, seen: Sighting) -> Pairs:
    """changed_between, of whole files: whether a path below both versions differs."""
    if target.unit != "file" or not isinstance(target.scope, tuple) or "scope" in target.open:
        return
    roots = tuple(f"{root}/" for root in target.scope)
    below = dict.fromkeys(
        path.removeprefix(root) for root in roots for path in seen.files if path.startswith(root)
    )
    for path in _subjects(target, tuple(below)):
        for value in (True, False) if "value" in target.open else (target.value,):
            yield path, value


_PAIRS: Mapping[str, Callable[[Target, Game, Sighting], Pairs]] = {
    "exists": _of_files,
    "absent": _of_files,
    "contains": _of_texts,
    "not_contains": _of_texts,
    "count": _of_numbers,
    "greater": _of_numbers,
    "less": _of_numbers,
    "value_of": _of_keys,
    "before": _of_places,
    "after": _of_places,
    "causes": _of_places,
    "equals": _of_lines,
    "defines": _of_names,
    "imports": _of_modules,
    "changed_between": _of_changes,
}
