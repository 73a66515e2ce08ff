"""Which places on the disk settings may name.

A repository from elsewhere brings its settings along. A place that only they name must lie below the root,
every link resolved, or the repository could have its reader write anywhere. The user's own settings,
variables and flags may name any place.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pydantic.fields import FieldInfo

from configs.errors import SettingsError
from configs.keys import Key, dotted, known_keys, place_at
from configs.layers import Layer, Setting
from configs.redaction import found, path_text
from configs.section import Location


@cache
def locations() -> Mapping[Key, Location]:
    """Every setting that names a place on the disk."""
    places = {key: place_at(key) for key in known_keys()}
    return {
        key: mark
        for key, field in places.items()
        if isinstance(field, FieldInfo)
        for mark in field.metadata
        if isinstance(mark, Location)
    }


def located(root: Path, named: str, home: Path | None = None) -> Path:
    """The place a setting names: a relative one starts at the root, `~` is the home directory.

    Args:
        root: the project's directory.
        named: the setting's value.
        home: the user's home directory; the process's own when None.

    Raises:
        SettingsError: it starts at a home directory that nobody knows, or holds a NUL.
    """
    if "\0" in named:
        raise SettingsError(f"No place is named by {found('', named)}.", "Name a directory or file.")
    if home is not None and (named == "~" or named.startswith("~/")):
        return home / named[2:]
    try:
        return root / _expanded(named)
    except RuntimeError as error:
        what = f"No home directory is known for {found('', named)}."
        raise SettingsError(what, "Write the directory in full.") from error


def linked_out(root: Path, named: str) -> bool:
    """True if a relative place that is meant to lie below the root leads out of it, by a link.

    The link may have come with a repository, whoever named the place. An absolute place, or one above the
    root, is meant to lie elsewhere.

    Raises:
        SettingsError: it names no place at all.
    """
    place = located(root, named)
    relative = not _expanded(named).is_absolute()
    return relative and _is_meant_below(root, place) and _is_outside(root, place)


def _expanded(named: str) -> Path:
    """The place with a home directory in the place of a leading `~`; `./~` is a file of that name."""
    return Path(named).expanduser() if named.startswith("~") else Path(named)


def project_places_outside(
    layer: Layer, project: Layer, own: Iterable[Layer], root: Path, home: Path | None
) -> dict[Key, SettingsError]:
    """Each place outside of the root that nobody but the project's own settings names, and why it is refused.

    Args:
        layer: all sources, laid on one another.
        project: what the project's file says.
        own: what the user's own sources say.
        root: the project's directory.
        home: the user's home directory; the process's own when None.

    Raises:
        SettingsError: a value names no place at all.
    """
    refused = {}
    for key, location in locations().items():
        setting = layer.get(key)
        if setting is None or not _names_place(setting.value, location):
            continue
        place = _place(setting, key, root, home)
        if setting is not project.get(key) or not _is_outside(root, place):
            continue
        users = [_default(key), *(said[key].value for said in own if key in said)]
        if _resolved(place) not in _elsewhere(users, root, home):
            refused[key] = SettingsError(
                f"{setting.origin}: `{dotted(key)}` names {path_text(place)}, "
                f"which lies outside of {path_text(root)}.",
                "Name a place below the root there, or only in your own settings, a variable or a flag.",
            )
    return refused


def _names_place(value: object, location: Location) -> bool:
    """False for an address, and for what the schema will refuse."""
    return isinstance(value, str) and not value.startswith(location.servers)


def _place(setting: Setting, key: Key, root: Path, home: Path | None) -> Path:
    try:
        return located(root, setting.value, home)
    except SettingsError as error:
        raise SettingsError(f"{setting.origin}: `{dotted(key)}`: {error.what}", error.remedy) from error


def _elsewhere(users: Iterable[object], root: Path, home: Path | None) -> set[Path]:
    """Where values of the user's own lead that are meant to lie outside of the root."""
    places = set()
    for named in users:
        # One that names no place allows none; where it counts, it is told.
        with contextlib.suppress(SettingsError):
            place = located(root, str(named), home)
            places |= set() if _is_meant_below(root, place) else {_resolved(place)}
    return places


def _default(key: Key) -> str:
    field = place_at(key)
    assert isinstance(field, FieldInfo)
    return str(field.default)


def _is_outside(root: Path, place: Path) -> bool:
    return not _resolved(place).is_relative_to(_resolved(root))


def _is_meant_below(root: Path, place: Path) -> bool:
    """True if the words of a place, links aside, lead below the root."""
    return Path(os.path.normpath(place)).is_relative_to(os.path.normpath(root))


def _resolved(path: Path) -> Path:
    # Unlike `Path.resolve`, this one takes links in a circle.
    return Path(os.path.realpath(path))
