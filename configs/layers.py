"""Layers of settings: what one source says, and how layers lie on one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from configs.errors import SettingsError
from configs.keys import Key, Place, dotted, expectation, is_section, map_model, nearest, place_at
from configs.redaction import escaped, found
from configs.settings import Settings

DEFAULT = "default"


@dataclass(frozen=True)
class Setting:
    """One value as its source gave it, and the origin shown to people."""

    value: Any
    origin: str


Layer: TypeAlias = dict[Key, Setting]
"""What one source sets, value by value: merging layers is then merging dicts, key by key."""


def flatten(tree: Mapping[Any, Any], origin_of: Callable[[Key], str], prefix: Key = ()) -> Layer:
    """Turn nested sections into a layer.

    An empty section (`graph:` with nothing under it) sets nothing.

    Args:
        tree: names to values or to further sections.
        origin_of: where a key of this source was written.
        prefix: the section the tree stands in.

    Raises:
        SettingsError: a key is unknown, or a section holds a single value.
    """
    layer: Layer = {}
    for name, value in tree.items():
        key = (*prefix, str(name))
        place = place_at(key)
        if place is None:
            raise unknown_key(key, origin_of(key))
        if not is_section(place):
            layer[key] = Setting(value, origin_of(key))
        elif isinstance(value, Mapping):
            layer.update(flatten(value, origin_of, key))
        elif value is not None:
            raise wrong_value(key, place, value, origin_of(key))
    return layer


@cache
def default_layer() -> Layer:
    """The defaults a partly written section could not be completed without.

    All others come from the schema when it validates, so that `model_fields_set` still tells what
    somebody set. The layer is one for all callers, who only read it.
    """
    return {
        key: Setting(value, DEFAULT)
        for key, field, value in leaves(Settings.model_validate({}))
        if field.is_required() or field.get_default(call_default_factory=True) != value
    }


def leaves(section: BaseModel, prefix: Key = ()) -> Iterator[tuple[Key, FieldInfo, Any]]:
    """Every single value below a section, with its key and field, in the schema's order."""
    for name, field in type(section).model_fields.items():
        key, value = (*prefix, name), getattr(section, name)
        if isinstance(value, BaseModel):
            yield from leaves(value, key)
        elif value and map_model(field):
            for entry, inner in value.items():
                yield from leaves(inner, (*key, entry))
        else:
            yield key, field, value


def merge(*layers: Layer) -> Layer:
    """Lay layers on one another, the later ones on top."""
    merged: Layer = {}
    for layer in layers:
        merged |= layer
    return merged


def nest(layer: Layer) -> dict[str, Any]:
    """The opposite of `flatten`."""
    tree: dict[str, Any] = {}
    for key, setting in layer.items():
        section = tree
        for name in key[:-1]:
            section = section.setdefault(name, {})
        section[key[-1]] = setting.value
    return tree


def unknown_key(key: Key, origin: str) -> SettingsError:
    """The error for a key the schema does not have."""
    near = nearest(key)
    remedy = f"Did you mean `{near}`?" if near else "`reflect config show` lists every key."
    return SettingsError(f"{origin}: `{escaped(dotted(key))}` is not a setting.", remedy)


def wrong_value(key: Key, place: Place, value: Any, origin: str) -> SettingsError:
    """The error for a value the schema refuses."""
    return SettingsError(
        f"{origin}: `{escaped(dotted(key))}` is {found(key[-1], value)}, expected {expectation(place)}.",
        "Correct the value, or remove the key to use its default.",
    )
