"""Who said what: the user's own sources, and the project's file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from configs.keys import Key, place_at
from configs.layers import Layer, Setting, wrong_value

MOST_KEYS = 1024
"""Keys whose readers and marks are kept: projects name the keys of their maps, and a server reads many."""


@dataclass(frozen=True)
class Sources:
    """Who said what.

    Attributes:
        own: what the user's file, the variables and the flags say, the lowest first.
        project: what the project's file says, empty when the user wrote it.
        merged: everything, laid on one another over the defaults.
        users: the same without the project.
    """

    own: tuple[Layer, ...]
    project: Layer
    merged: Layer
    users: Layer

    @cached_property
    def from_project(self) -> Layer:
        """What is in force and only the project's file says, but for what the schema will refuse."""
        return {
            key: said
            for key, said in self.project.items()
            if self.merged.get(key) is said and _is_readable(key, said)
        }

    def value(self, key: Key) -> Any:
        """What a setting is, as the schema reads it.

        Raises:
            SettingsError: it is one that the schema refuses.
        """
        return _read(self.merged, key)

    def users_value(self, key: Key) -> Any:
        """What a setting would be without the project; raises as `value` does."""
        return _read(self.users, key)


def _read(layer: Layer, key: Key) -> Any:
    place, said = place_at(key), layer.get(key)
    assert isinstance(place, FieldInfo)
    if said is None:
        return place.get_default(call_default_factory=True)
    try:
        return _reader(key).validate_python(said.value)
    except ValidationError as error:
        raise wrong_value(key, place, said.value, said.origin) from error


def _is_readable(key: Key, said: Setting) -> bool:
    try:
        _reader(key).validate_python(said.value)
    except ValidationError:
        return False
    return True


@lru_cache(MOST_KEYS)
def _reader(key: Key) -> TypeAdapter[Any]:
    place = place_at(key)
    assert isinstance(place, FieldInfo) and place.annotation is not None
    return TypeAdapter(place.annotation)
