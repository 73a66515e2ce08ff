"""A reply as a typed value: parse, else repair, else say what is wrong; `RoleModels` adds the retry."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

Value = TypeVar("Value", bound=BaseModel)
Rung = Literal["native", "parsed", "repaired", "retried"]
# json-repair takes time that grows with the square of the nesting; no schema of ours nests nearly as deep.
MAX_BRACES = 500
# Braces of prose, as in "use {name} here": nothing in them could be an object.
NUMBERS = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|-?\.\d+")
STRAIGHT = re.compile("[“”„]")
IN_PROSE = re.compile(r"\{[^{}\"':]*\}")
FENCED = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)
# What a constrained sampler does not need of a JSON schema. Bounds stay out: llama.cpp unrolls lengths into
# its grammar, and a grammar it cannot read is dropped without a word. Validation checks bounds afterwards.
UNSENT = {"title", "default", "description", "examples", "minLength", "maxLength", "minimum", "maximum",
          "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"}  # fmt: skip
NAMED = ("properties", "$defs")


class Unreadable(ValueError):
    """A reply that holds no value of the schema; the message says why."""


def wire_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON schema as servers are given it: every field required, none added, no bounds."""
    return copy.deepcopy(_wire_schema(schema))


@cache
def _wire_schema(schema: type[BaseModel]) -> dict[str, Any]:
    return _wire(schema.model_json_schema())


def _wire(node: dict[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = {}
    for key, value in node.items():
        if key in UNSENT:
            continue
        if key in NAMED:
            sent[key] = {name: _wire(child) for name, child in value.items()}
        elif isinstance(value, dict):
            sent[key] = _wire(value)
        elif isinstance(value, list):
            sent[key] = [_wire(item) if isinstance(item, dict) else item for item in value]
        else:
            sent[key] = value
    if "properties" in sent:
        sent |= {"required": list(sent["properties"]), "additionalProperties": False}
    return sent


def read_reply(text: str, schema: type[Value], *, constrained: bool, truncated: bool) -> tuple[Value, Rung]:
    """The value in a reply, and how it was got out.

    Args:
        text: the model's reply.
        schema: what it should hold.
        constrained: the provider was given the schema.
        truncated: the reply stopped at the token limit; it is not repaired, since closing a string that was
            cut would make a value nobody wrote.

    Raises:
        Unreadable: no JSON object, several, or one that does not fit.
    """
    text = text.strip().removeprefix("\ufeff").strip()
    whole = _load(text)
    if isinstance(whole, str) and "{" in whole:
        text = whole.strip()  # the object was written as a JSON string
        whole = _load(text)
    if isinstance(whole, dict):
        return _fitted(whole, schema), "native" if constrained else "parsed"
    if truncated:
        raise Unreadable("the reply was cut off at the token limit; it must be shorter")
    found = _objects(text)
    if len(found) == 1:
        return _fitted(found[0], schema), "parsed"
    if len(found) > 1:
        raise Unreadable(f"the reply holds {len(found)} different JSON objects, one is wanted")
    if _is_cut(text):
        raise Unreadable("the reply stops in the middle of a text, a list or a number; it must be whole")
    repaired = _repaired(text, schema)
    if repaired is None:
        raise Unreadable("the reply holds no JSON object")
    if not _is_written(repaired, text):
        raise Unreadable("the reply holds no whole JSON object")
    return _fitted(repaired, schema), "repaired"


def _fitted(value: dict[str, Any], schema: type[Value]) -> Value:
    try:
        return schema.model_validate(value)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False)
        raise Unreadable(
            "; ".join(f"{'.'.join(map(str, item['loc'])) or 'reply'}: {item['msg']}" for item in problems[:4])
        ) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys say one thing each.

    Raises:
        Unreadable: a key is there twice, with different values: nobody knows which is meant.
    """
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made and made[key] != value:
            raise Unreadable(f"the key {key!r} is there twice, with different values")
        made[key] = value
    return made


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)


def _load(text: str) -> Any:
    try:
        return DECODER.decode(text)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return None


def _objects(text: str) -> list[dict[str, Any]]:
    """Different JSON objects that stand in a text, outermost only; those in fences win over prose."""
    fenced = [value for piece in FENCED.findall(text) if isinstance(value := _load(piece.strip()), dict)]
    return _different(fenced or list(_scanned(text)))


def _scanned(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    position = text.find("{")
    while position >= 0:
        try:
            value, end = DECODER.raw_decode(text, position)
        except Unreadable:
            raise
        except (ValueError, RecursionError):
            if prose := IN_PROSE.match(text, position):
                position = text.find("{", prose.end())
                continue
            # The outermost object is broken: what stands inside it is a part, not the reply.
            return found
        if value:
            found.append(value)
        position = text.find("{", end)
    return found


def _different(values: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [value for number, value in enumerate(values) if value not in values[:number]]


def _repaired(text: str, schema: type[BaseModel]) -> dict[str, Any] | None:
    """A broken object, repaired; None when there is none, or none of its fields is one of the schema's.

    Prose with a brace in it can be "repaired" into an object nobody wrote, so it has to name a field.
    """
    if not 0 < text.count("{") <= MAX_BRACES or text.count("[") > MAX_BRACES:
        return None
    import json_repair

    try:
        value = json_repair.loads(_spelled_out(STRAIGHT.sub('"', text[text.index("{") :])))
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        objects = [item for item in value if isinstance(item, dict)]
        value = objects[0] if len(objects) == 1 else None
    return value if isinstance(value, dict) and value.keys() & schema.model_fields.keys() else None


def _spelled_out(text: str) -> str:
    """The text with those escapes of JSON in full that the repair takes for a backslash and a letter."""
    written = {"f": "\\u000c", "b": "\\u0008", "/": "/"}
    return re.sub(r"\\(.)", lambda found: written.get(found[1], found[0]), text, flags=re.DOTALL)


def _is_cut(text: str) -> bool:
    """True if a text that should hold an object stops within a text, a list or a number."""
    body = STRAIGHT.sub('"', text[text.find("{") :]) if "{" in text else ""
    sign = '"' if '"' in body else "'"
    outside = re.sub(rf"{sign}(?:\\.|[^{sign}\\])*{sign}", "text", body, flags=re.DOTALL)
    return (
        sign in outside or outside.count("[") > outside.count("]") or outside.rstrip()[-1:] in tuple(".-+,:")
    )


def _is_written(value: Any, text: str) -> bool:
    """True if every value of a repaired object stands in the reply: what repair made up is nobody's word."""
    if isinstance(value, dict):
        return all(_is_written(key, text) and _is_written(item, text) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_written(item, text) for item in value)
    if isinstance(value, str):
        plain = " ".join(re.sub(r"[\x00-\x1f]", " ", value).split())
        blank = re.search(r"[\"'“„]\s*[\"'”“]", text) is not None
        blanks = re.sub(
            r"\\(.)", lambda found: " " if found[1] in "nrtfb" else found[1], text, flags=re.DOTALL
        )
        loose = " ".join(blanks.replace("\\", "").split())
        return plain.replace("\\", "") in loose if plain else blank
    if value is None or isinstance(value, bool):
        return re.search(rf"\b(?:{value}|{json.dumps(value)})\b", text, re.IGNORECASE) is not None
    return bool(re.search(r"\d", text)) and any(_same_number(value, found) for found in NUMBERS.findall(text))


def _same_number(value: float, found: str) -> bool:
    try:
        return float(found) == float(value)
    except (ValueError, OverflowError):
        return False
