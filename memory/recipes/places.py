"""Files and directories a goal names, after they were looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memory.recipes.mentions import Mention
from memory.recipes.reading import Reading


@dataclass(frozen=True)
class Place:
    """Something that exists below the root; `path` is relative to it, without a leading "./"."""

    path: str
    is_directory: bool


@dataclass(frozen=True)
class Whereabouts:
    """What a goal's mentions turned out to be.

    Attributes:
        files: paths of named files.
        directories: paths of named directories.
        excluded: paths ruled out.
        missing: mentions that name nothing that exists, as written.
    """

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


# Both spellings are common as names of files.
SPELLED = {"licence": "license", "license": "licence"}


def names_to_look_up(reading: Reading) -> tuple[str, ...]:
    """Base names worth searching for, guesses included."""
    names = [PurePosixPath(mention.text.rstrip("/")).name for mention in reading.mentions]
    return tuple(dict.fromkeys(name for name in names if name and name not in (".", "..")))


def variants(name: str) -> tuple[str, ...]:
    """Names a person may mean by `name`: as written, its plural or singular."""
    other = name[:-1] if name.endswith("s") else name + "s"
    spelled = SPELLED.get(name.lower())
    return tuple(n for n in (name, other if len(name) > 2 else None, spelled) if n)


def _matches(place: Place, text: str) -> int | None:
    """How well a place fits a mention: 0 is exact, larger is looser, None does not fit."""
    wanted, path = PurePosixPath(text.strip("/").removeprefix("./")), PurePosixPath(place.path)
    if path == wanted:
        return 0
    if len(wanted.parts) > 1:
        tail = PurePosixPath(*path.parts[-len(wanted.parts) :])
        return 1 if str(tail).lower() == str(wanted).lower() else None
    name = wanted.name.lower()
    candidates = [path.name.lower()] if place.is_directory else [path.name.lower(), path.stem.lower()]
    for cost, candidate in enumerate(candidates):
        if candidate == name:
            return 1 + cost
    if any(candidate in variants(name) for candidate in candidates):
        return 4
    return None


def find_place(mention: Mention, places: Sequence[Place]) -> tuple[Place, ...]:
    """Places that fit a mention best; several when they fit equally well at the same depth."""
    wants_directory = {"directory": True, "file": False}.get(mention.role)
    ranked: list[tuple[int, int, Place]] = []
    for place in places:
        cost = _matches(place, mention.text)
        if cost is None or (wants_directory is not None and place.is_directory != wants_directory):
            continue
        ranked.append((cost, place.path.count("/") if place.is_directory else 0, place))
    if not ranked:
        return ()
    best = min(item[:2] for item in ranked)
    return tuple(place for cost, depth, place in ranked if (cost, depth) == best)


def known_names(reading: Reading, places: Sequence[Place]) -> frozenset[str]:
    """Mentions, as written, that exist: what a second reading may take for places."""
    return frozenset(m.text for m in reading.mentions if find_place(m, places))


def locate(reading: Reading, places: Sequence[Place]) -> Whereabouts:
    """Decide what each mention is; guesses that name nothing are ordinary words and drop out."""
    files: list[str] = []
    directories: list[str] = []
    excluded: list[str] = []
    missing: list[str] = []
    for mention in reading.mentions:
        found = find_place(mention, places)
        if mention.role == "guess":
            continue
        if not found:
            missing.append(mention.text)
            is_directory = mention.role == "directory" or mention.text.endswith("/")
            target = excluded if mention.role == "exclude" else directories if is_directory else files
            target.append(mention.text.rstrip("/"))
        for place in found:
            target = excluded if mention.role == "exclude" else directories if place.is_directory else files
            target.append(place.path)
    files, directories = _refined(files, directories)
    return Whereabouts(*(tuple(dict.fromkeys(group)) for group in (files, directories, excluded, missing)))


def _refined(files: list[str], directories: list[str]) -> tuple[list[str], list[str]]:
    """A directory named beside a file says which file is meant: "models.py in src"."""
    inside = [path for path in files if any(path.startswith(f"{place}/") for place in directories)]
    if inside:
        return inside, []
    # What lies inside a named directory is searched with it; named as well, it would be counted twice.
    outer = [
        place for place in directories if not any(place.startswith(f"{other}/") for other in directories)
    ]
    return files, outer
