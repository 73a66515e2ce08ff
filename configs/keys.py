"""The names settings go by, and what the schema expects under each.

A key is a path of names, `("graph", "max_iterations")`, written `graph.max_iterations`. A name that is
not a plain word, such as a model under `models.tuning`, is written in brackets:
`models.tuning[ollama:qwen2.5:7b].num_ctx`.
"""

from __future__ import annotations

import difflib
import re
import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from configs.settings import Settings

Key: TypeAlias = tuple[str, ...]
Place: TypeAlias = type[BaseModel] | FieldInfo
"""A section (its model), or a field: a single value, or a map whose names the user chooses."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PART = re.compile(r"\[(?P<quoted>[^\]]*)\](?=[.\[]|$)|\.?(?P<plain>[^.\[\]]+)")
_ALIKE = 0.6


def dotted(key: Key) -> str:
    """Write a key the way people do."""
    parts = [f".{name}" if _WORD.fullmatch(name) else f"[{name}]" for name in key]
    return "".join(parts).removeprefix(".")


def parse_key(text: str) -> Key:
    """Read what `dotted` writes; a text that is no key comes back as one unknown name."""
    parts = list(_PART.finditer(text))
    if not parts or "".join(part[0] for part in parts) != text or text.startswith("."):
        return (text,)
    return tuple(part["quoted"] if part["quoted"] is not None else part["plain"] for part in parts)


def place_at(key: Key) -> Place | None:
    """Find the section or field a key names, or None when the schema has no such key."""
    place: Place | None = Settings
    for name in key:
        place = _below(place, name) if place is not None else None
    return place


def is_section(place: Place) -> bool:
    """Whether a place holds further keys rather than one value."""
    return isinstance(place, type) or map_model(place) is not None


def map_model(field: FieldInfo) -> type[BaseModel] | None:
    """The model of each entry when a field maps names of the user's choice to sections."""
    if get_origin(field.annotation) is not dict:
        return None
    entry = get_args(field.annotation)[1]
    return entry if isinstance(entry, type) and issubclass(entry, BaseModel) else None


def expectation(place: Place) -> str:
    """Say in plain words which values a place takes, bounds and choices included."""
    if is_section(place):
        return "a section of `key: value` lines"
    assert isinstance(place, FieldInfo)
    options = [option for option in _options(place.annotation) if option is not type(None)]
    words = " or ".join(_kind(option) for option in options) + _bounds(place)
    return f"{words}, or null" if len(options) < len(_options(place.annotation)) else words


def takes_booleans(field: FieldInfo) -> bool:
    """Whether true and false are among the values a field takes."""
    choices = [choice for option in _options(field.annotation) for choice in get_args(option)]
    return bool in _options(field.annotation) or any(isinstance(choice, bool) for choice in choices)


def nearest(key: Key) -> str | None:
    """The known key most like an unknown one: the same section first, then the same name elsewhere."""
    *section, name = key
    siblings = sorted(_names_in(tuple(section)))
    if alike := difflib.get_close_matches(name, siblings, 1, _ALIKE):
        return dotted((*section, alike[0]))
    elsewhere = [known for known in known_keys() if known[-1] == name]
    if elsewhere:
        return dotted(elsewhere[0])
    everything = [dotted(known) for known in known_keys() if known != key[: len(known)]]
    return next(iter(difflib.get_close_matches(dotted(key), everything, 1, _ALIKE)), None)


@cache
def known_keys() -> tuple[Key, ...]:
    """Every key the schema itself names, sections before what they hold."""
    return tuple(_walk((), Settings))


def _walk(prefix: Key, model: type[BaseModel]) -> Iterator[Key]:
    for name in model.model_fields:
        key = (*prefix, name)
        yield key
        place = _below(model, name)
        if isinstance(place, type):
            yield from _walk(key, place)


def _below(place: Place, name: str) -> Place | None:
    if isinstance(place, FieldInfo):
        return map_model(place)
    field = place.model_fields.get(name)
    if field is not None and isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
        return field.annotation
    return field


def _names_in(section: Key) -> list[str]:
    place = place_at(section)
    return list(place.model_fields) if isinstance(place, type) else []


def _options(annotation: Any) -> tuple[Any, ...]:
    if get_origin(annotation) in (Union, types.UnionType):
        return get_args(annotation)
    return (annotation,)


def _kind(annotation: Any) -> str:
    if get_origin(annotation) is Literal:
        choices = [str(c).lower() if isinstance(c, bool) else str(c) for c in get_args(annotation)]
        return choices[0] if len(choices) == 1 else "one of " + ", ".join(choices)
    if get_origin(annotation) is tuple:
        return "a list of whole numbers" if get_args(annotation)[0] is int else "a list of texts"
    if get_origin(annotation) is dict:
        return f"lines of `NAME: {{{', '.join(get_args(annotation)[1].__annotations__)}}}`"
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return kinds.get(annotation, str(annotation))


def _bounds(field: FieldInfo) -> str:
    limits = {
        name: getattr(rule, name)
        for rule in field.metadata
        for name in ("gt", "ge", "lt", "le")
        if getattr(rule, name, None) is not None
    }
    if "ge" in limits and "le" in limits:
        return f" from {limits['ge']} to {limits['le']}"
    words = {"gt": "above", "ge": "of at least", "lt": "below", "le": "of at most"}
    return "".join(
        (" and " if number else " ") + f"{words[name]} {limit}"
        for number, (name, limit) in enumerate(limits.items())
    )
