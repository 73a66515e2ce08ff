"""Altered evidence: a stored observation with one field changed, and its seal as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from evals.soundness.sandbox import ProbeError
from nodes.tutor.observations import Observation

OUTPUT = "stdout"
READINGS = "readings"


def tampered(observation: Observation, field: str, old: Any, new: Any) -> Observation:
    """The observation with `old` replaced by `new` in one field; the seal is as written, not made anew.

    A field that is not there, or is empty and can hold nothing else, means the output. If `old` is not in the
    field, its whole value is altered.

    Args:
        observation: as stored.
        field: name of a field, or of one within it, alone or with dots (`footprint.digest`).
        old: text looked for in the field's text form (JSON, unless it is text).
        new: text in its place.

    Raises:
        ProbeError: the observation is the same afterwards, so that nothing would be tested.
    """
    content = observation.model_dump(mode="json")
    for path in filter(None, (_path_of(content, field), (OUTPUT,))):
        value = _at(content, path)
        for candidate in (_replaced(value, _text(old), _text(new)), _text(new), new, *_others(value)):
            altered = _with(observation, path, candidate)
            if altered is not None and altered != observation:
                return _read_likewise(altered, _text(old), _text(new)) if path == (OUTPUT,) else altered
    raise ProbeError(f"nothing can be altered in {field!r} of {observation.id}")


def _read_likewise(altered: Observation, old: str, new: str) -> Observation:
    """The observation with the same replaced in what facts are read from, so that only its seal tells."""
    readings = altered.model_dump(mode="json")[READINGS]
    return _with(altered, (READINGS,), _replaced(readings, old, new)) or altered


def _path_of(content: dict[str, Any], field: str) -> tuple[str, ...] | None:
    parts = tuple(field.split("."))
    if _holds(content, parts):
        return parts
    for name, within in content.items():
        if isinstance(within, dict) and _holds(within, parts):
            return (name, *parts)
    return None


def _holds(content: Any, parts: tuple[str, ...]) -> bool:
    for part in parts:
        if not isinstance(content, dict) or part not in content:
            return False
        content = content[part]
    return True


def _at(content: dict[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = content
    for part in path:
        value = value[part]
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _replaced(value: Any, old: str, new: str) -> Any:
    """The value with `old` replaced in its text form; the same if that makes no value any more."""
    if not old or old not in _text(value):
        return value
    text = _text(value).replace(old, new)
    if isinstance(value, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return value


def _others(value: Any) -> list[Any]:
    """Other values of the same type."""
    altered: dict[type, Callable[[Any], Any]] = {
        bool: lambda flag: not flag,
        int: lambda number: number + 1,
        str: lambda text: text + "!",
        list: lambda items: [*items, "altered"],
    }
    if isinstance(value, dict):
        parts = [{**value, key: other} for key, item in value.items() for other in _others(item)]
        return [*parts, {**value, "altered": "altered"}]
    return [altered[type(value)](value)] if type(value) in altered else []


def _with(observation: Observation, path: tuple[str, ...], value: Any) -> Observation | None:
    content = observation.model_dump(mode="json")
    within = _at(content, path[:-1])
    within[path[-1]] = value
    try:
        return Observation.model_validate_json(json.dumps(content))
    except ValidationError:
        return None
