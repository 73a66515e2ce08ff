"""The settings as a form: one property of JSON schema for each, made from the settings schema itself.

Studio draws a form from a graph's context schema, and the server drops every key the schema does not name. A
property names no default of its own, since Studio would send it back as if somebody had chosen it, and
files and environment would no longer count: what is left empty stays unset. The description tells the
default instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic.fields import FieldInfo

from configs.keys import dotted, known_keys, place_at
from configs.settings import Settings


@cache
def form_properties() -> dict[str, dict[str, Any]]:
    """A property for every setting, by its dotted key, in the schema's order. Callers must not change it."""
    schema = Settings.model_json_schema()
    defaults = Settings.model_validate({}).model_dump(mode="json")
    properties = {}
    for key in known_keys():
        place = place_at(key)
        if isinstance(place, FieldInfo):
            properties[dotted(key)] = _property(key, schema, _at(defaults, key))
    return properties


def _property(key: tuple[str, ...], schema: dict[str, Any], default: Any) -> dict[str, Any]:
    section = schema
    for name in key[:-1]:
        section = _resolved(section["properties"][name], schema)
    field = section["properties"][key[-1]]
    told = field.get("description") or f"{key[-1].replace('_', ' ')}: {section.get('description', '')}"
    plain = {
        name: value
        for name, value in _flat(field, schema).items()
        if name not in ("default", "title", "description")
    }
    shown = "unset" if default is None else json.dumps(default, ensure_ascii=False)
    return {"title": dotted(key), "description": f"{told.strip()} Default: {shown}.", **plain}


def _flat(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """A property that stands by itself: references put in place; "or null" is what an empty field means."""
    node = _resolved(node, schema)
    options = [_flat(option, schema) for option in node.get("anyOf", ()) if option.get("type") != "null"]
    if len(options) == 1:
        node = {name: value for name, value in node.items() if name != "anyOf"} | options[0]
    elif options:
        node = node | {"anyOf": options}
    for name in ("items", "additionalProperties"):
        if isinstance(node.get(name), dict):
            node = node | {name: _flat(node[name], schema)}
    if isinstance(node.get("properties"), dict):
        inner = {name: _flat(value, schema) for name, value in node["properties"].items()}
        node = node | {"properties": inner}
    return node


def _resolved(node: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    reference = node.get("$ref")
    if reference is None:
        return node
    named: dict[str, Any] = schema["$defs"][reference.removeprefix("#/$defs/")]
    return named | {name: value for name, value in node.items() if name != "$ref"}


def _at(tree: dict[str, Any], key: tuple[str, ...]) -> Any:
    for name in key:
        tree = tree[name]
    return tree


def chosen(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The settings among a form's values that somebody filled in; an emptied field is null or empty text."""
    for name, value in values.items():
        if name in form_properties() and value is not None and value != "":
            yield name, value
