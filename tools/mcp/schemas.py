"""JSON schemas that a server sends, made safe to check values against.

Python's regular expressions can be made to run for ever, references to stand for more than any memory holds,
and `jsonschema` follows addresses by itself. So a schema is copied, bounded, into one that has none of it;
what is left out there is left to the server, which has to check its arguments anyway. Leaving out only ever
lets more pass, hence no `not`, no `if`, and `oneOf` as `anyOf`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from configs.redaction import escaped

Schema = dict[str, Any]

MOST_NODES = 2000
MOST_DEPTH = 24
MOST_PROBLEMS = 3

_TYPES = frozenset({"null", "boolean", "object", "array", "number", "integer", "string"})
_SHOWN_ARGUMENTS = 16
_SHOWN_CHOICES = 5
_SHOWN_CHARS = 40
_PROBLEM_CHARS = 200


def _is_type(value: object) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


_PLAIN: dict[str, Callable[[object], bool]] = {
    "type": _is_type,
    "enum": lambda value: isinstance(value, list),
    "const": lambda value: True,
    "required": _is_names,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count
    ),
}


def tamed(schema: Mapping[str, Any]) -> Schema:
    """A copy without references, patterns and what else could make checking it endless. Pure."""
    return _Copy(schema).node(schema, 0, ())


class _Copy:
    """One copying, which ends after `MOST_NODES` parts."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._left = MOST_NODES

    def node(self, found: object, depth: int, within: tuple[str, ...]) -> Schema:
        """The copy of a part; one that lets everything pass where it has to end.

        Args:
            found: the part.
            depth: parts around it.
            within: references that led here, which may not lead here again.
        """
        self._left -= 1
        if not isinstance(found, Mapping) or depth > MOST_DEPTH or self._left < 0:
            return {"enum": []} if found is False else {}
        made: Schema = {
            name: found[name] for name, fits in _PLAIN.items() if name in found and fits(found[name])
        }
        made |= self._objects(found, depth, within)
        made |= self._arrays(found, depth, within)
        alternatives = [
            [self.node(part, depth + 1, within) for part in found[name]]
            for name in ("anyOf", "oneOf")
            if isinstance(found.get(name), list) and found[name]
        ]
        together = [{"anyOf": parts} for parts in alternatives]
        if isinstance(found.get("allOf"), list):
            together += [self.node(part, depth + 1, within) for part in found["allOf"]]
        together += self._referred(found, depth, within)
        return made | ({"allOf": together} if together else {})

    def _objects(self, found: Mapping[str, Any], depth: int, within: tuple[str, ...]) -> Schema:
        made: Schema = {}
        if isinstance(found.get("properties"), Mapping):
            made["properties"] = {
                str(name): self.node(part, depth + 1, within) for name, part in found["properties"].items()
            }
        if "additionalProperties" in found and "patternProperties" not in found:
            others = found["additionalProperties"]
            made["additionalProperties"] = others is not False and self.node(others, depth + 1, within)
        return made

    def _arrays(self, found: Mapping[str, Any], depth: int, within: tuple[str, ...]) -> Schema:
        made: Schema = {}
        if isinstance(found.get("prefixItems"), list) and found["prefixItems"]:
            made["prefixItems"] = [self.node(part, depth + 1, within) for part in found["prefixItems"]]
        if "items" in found and not isinstance(found["items"], list):
            made["items"] = self.node(found["items"], depth + 1, within)
        return made

    def _referred(self, found: Mapping[str, Any], depth: int, within: tuple[str, ...]) -> list[Schema]:
        reference = found.get("$ref")
        if not isinstance(reference, str) or reference in within:
            return []
        return [self.node(_at(self._root, reference), depth + 1, (*within, reference))]


def _at(root: object, reference: str) -> object:
    """The part a JSON pointer of the same document names (RFC 6901), or None."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    place = root
    for step in reference[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(place, Mapping) or name not in place:
            return None
        place = place[name]
    return place


def misfits(schema: Schema, value: object) -> list[str]:
    """What keeps a value from fitting a tamed schema, in words, at most three; empty if it fits."""
    from jsonschema import Draft202012Validator

    said = []
    for error in Draft202012Validator(schema).iter_errors(value):
        where = ".".join(str(part) for part in error.absolute_path)
        text = f"{where}: {error.message}" if where else str(error.message)
        said.append(_cut(text, _PROBLEM_CHARS))
        if len(said) == MOST_PROBLEMS:
            break
    return said


def arguments_text(schema: Schema) -> str:
    """The arguments of a tool, as `city: string, days?: integer`; those it needs come first. Pure."""
    needed = [str(name) for name in schema.get("required", [])]
    known: Mapping[str, Schema] = schema.get("properties", {})
    names = [*needed, *(name for name in known if name not in needed)]
    shown = [
        f"{_cut(name, _SHOWN_CHARS)}{'' if name in needed else '?'}: {_kind(known.get(name, {}))}"
        for name in names[:_SHOWN_ARGUMENTS]
    ]
    return ", ".join([*shown, *(["..."] if len(names) > _SHOWN_ARGUMENTS else [])])


def _kind(schema: Schema) -> str:
    if "enum" in schema:
        choices = [_cut(json.dumps(choice, ensure_ascii=False), _SHOWN_CHARS) for choice in schema["enum"]]
        return "|".join([*choices[:_SHOWN_CHOICES], *(["..."] if len(choices) > _SHOWN_CHOICES else [])])
    kinds = types_of(schema)
    return "|".join(kinds) if kinds else "any"


def types_of(schema: Schema) -> list[str]:
    """The types a tamed schema names, those of its parts included; empty if it names none."""
    said = schema.get("type")
    found = list(said) if isinstance(said, list) else [said] if said else []
    for part in [*schema.get("anyOf", []), *schema.get("allOf", [])]:
        found += types_of(part)
    return [str(name) for name in dict.fromkeys(found)]


def _cut(text: str, most: int) -> str:
    visible = escaped(text)
    return visible if len(visible) <= most else f"{visible[:most]}…"
