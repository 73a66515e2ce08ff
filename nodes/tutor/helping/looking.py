"""Tool calls a menu may offer: list, search, read, count, compare; of what the player knows by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.sightings import Sighting

_QUOTED = re.compile(r"""[`"']([^`"'\n]{1,80})[`"']""")
_NAMED = re.compile(r"(?<![\w./-])[\w-][\w./-]*\.[A-Za-z]\w{0,7}\b")
_GLOB = re.compile(r"[*?\[]")
_PLACE = re.compile(r"^(.+):\d+$")
_COUNTED = ("count", "greater", "less")
_PLACED = ("before", "after", "causes", "equals")
_MOST_AT_ONCE = 40
_MOST_KEYS = 12
_MOST_LOOKS = 20


@dataclass(frozen=True)
class Look:
    """A tool call.

    Attributes:
        label: for the player.
        tool: of the tools of the first form.
        args: its arguments.
    """

    label: str
    tool: str
    args: Mapping[str, Any]


def looks(game: Game, seen: Sighting) -> tuple[list[Look], ...]:
    """Calls by what they are for (list, search, read, count, compare), none chosen for being of use.

    Their paths and texts stand in the goal, in the targets' given fields, or in what was seen. Of each sort
    there are twenty at most, the latest seen first.
    """
    sorts = (_listings, _searches, _readings, _counts, _comparisons)
    return tuple(list(islice(sort(game, seen), _MOST_LOOKS)) for sort in sorts)


def literals_of(game: Game) -> tuple[str, ...]:
    """Texts the goal quotes and the targets give."""
    given = [target.value for target in game.targets if "value" not in target.open]
    subjects = [
        target.subject for target in game.targets if "subject" not in target.open and not _is_path(target)
    ]
    return tuple(
        dict.fromkeys(
            text
            for text in (*given, *subjects, *_QUOTED.findall(game.goal))
            if isinstance(text, str) and text.strip() and "\n" not in text
        )
    )


def paths_of(game: Game) -> tuple[str, ...]:
    """Files and directories the targets and the goal name."""
    named: list[str] = []
    for target in game.targets:
        if isinstance(target.scope, tuple) and "scope" not in target.open:
            named += target.scope
        elif isinstance(target.scope, str) and "scope" not in target.open:
            named.append(target.scope.removeprefix("corrected by "))
        for slot in ("subject", "value"):
            text = getattr(target, slot)
            if slot not in target.open and isinstance(text, str) and (place := _PLACE.match(text)):
                named.append(place[1])
        if "subject" not in target.open and _is_path(target):
            named.append(target.subject)
    named += _NAMED.findall(game.goal)
    return tuple(dict.fromkeys(path for path in named if path and not _GLOB.search(path)))


def directories_of(game: Game, seen: Sighting) -> list[str]:
    """The sandbox, directories seen, and those of the targets' scopes."""
    pairs = [
        path
        for target in game.targets
        if isinstance(target.scope, tuple) and "scope" not in target.open and target.unit != "value"
        for path in target.scope
    ]
    scopes = [path for path in paths_of(game) if "." not in path.rpartition("/")[2]]
    return list(dict.fromkeys([".", *pairs, *scopes, *seen.directories]))


def _listings(game: Game, seen: Sighting) -> Iterator[Look]:
    for directory in directories_of(game, seen):
        yield Look(f"list what is in {directory}", "ls", {"path": directory, "all": True})
        yield Look(f"find all files below {directory}", "find", {"path": directory, "type": "f"})
    for target in game.targets:
        if "subject" not in target.open and _GLOB.search(target.subject):
            scope = target.scope if isinstance(target.scope, str) and "scope" not in target.open else "."
            found = {"path": scope, "name": target.subject, "type": "f"}
            yield Look(f"find files named {target.subject} below {scope}", "find", found)


def _searches(game: Game, seen: Sighting) -> Iterator[Look]:
    keys = dict.fromkeys(re.split(r"[.\]]", key)[-1] for _, key, _ in islice(seen.keys, _MOST_KEYS))
    names = [name for _, _, name in islice(seen.names, _MOST_KEYS)]
    for text in dict.fromkeys((*literals_of(game), *(key for key in keys if key), *names)):
        found = {"pattern": text, "path": ".", "recursive": True, "fixed": True, "line_number": True}
        yield Look(f'search all files for "{text}"', "grep", found)


def _readings(game: Game, seen: Sighting) -> Iterator[Look]:
    numbered = {"number": True} if any(target.predicate in _PLACED for target in game.targets) else {}
    directories = set(directories_of(game, seen))
    for path in dict.fromkeys((*paths_of(game), *seen.files, *seen.mentioned)):
        if path not in seen.read and path not in directories:
            yield Look(f"read {path}", "cat", {"path": path, **numbered})


def _counts(game: Game, seen: Sighting) -> Iterator[Look]:
    counted = [target for target in game.targets if target.predicate in _COUNTED]
    if not counted:
        return
    globs = [target.subject for target in counted if "subject" not in target.open]
    for glob in ("*", *filter(_GLOB.search, globs)):
        named = [path for path in seen.files if fnmatchcase(path.rpartition("/")[2], glob)]
        if named := named[:_MOST_AT_ONCE]:
            label = f"count the lines of {len(named)} files named {glob}"
            yield Look(label, "wc", {"paths": named, "lines": True})
    for path in seen.files:
        yield Look(f"count the lines of {path}", "wc", {"path": path, "lines": True})
    for text in literals_of(game):
        found = {"pattern": text, "path": ".", "recursive": True, "fixed": True, "count": True}
        yield Look(f'count the lines with "{text}" in all files', "grep", found)


def _comparisons(game: Game, seen: Sighting) -> Iterator[Look]:
    for target in game.targets:
        if target.predicate != "changed_between":
            continue
        if isinstance(target.scope, tuple) and "scope" not in target.open:
            old, new = target.scope
        else:
            old, new = (*seen.directories, "", "")[:2]
        if old and new:
            yield Look(f"compare {old} and {new}", "diff", {"paths": [old, new], "brief": True})
        for path in seen.files:
            below = path.removeprefix(f"{old}/")
            if below != path and f"{new}/{below}" in seen.files:
                both = [path, f"{new}/{below}"]
                yield Look(f"compare {both[0]} and {both[1]}", "diff", {"paths": both})


def _is_path(target: Target) -> bool:
    """True if the subject of a target is one path, and neither a place in a file, a text nor a key."""
    plain = not _GLOB.search(target.subject) and not _PLACE.match(target.subject)
    if target.predicate in ("value_of", "before", "after", "causes", "changed_between"):
        return False
    counts_text = target.predicate in _COUNTED and target.unit in (
        "matching lines",
        "occurrences",
        "keys",
        "items",
    )
    return plain and not counts_text
