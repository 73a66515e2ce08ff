"""Who said what: the user's own sources, and the project's file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from configs.keys import Key, place_at
from configs.layers import Layer, wrong_value


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

    def from_project(self) -> Layer:
        """What is in force and only the project's file says."""
        return {key: said for key, said in self.project.items() if self.merged.get(key) is said}

    def users_value(self, key: Key) -> Any:
        """What a setting would be without the project.

        Raises:
            SettingsError: the user's own value is one that the schema refuses.
        """
        field, said = place_at(key), self.users.get(key)
        assert isinstance(field, FieldInfo) and field.annotation is not None
        if said is None:
            return field.get_default(call_default_factory=True)
        try:
            return TypeAdapter(field.annotation).validate_python(said.value)
        except ValidationError as error:
            raise wrong_value(key, field, said.value, said.origin) from error
