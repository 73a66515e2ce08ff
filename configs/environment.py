"""Settings from the environment: `REFLECT_GRAPH__MAX_ITERATIONS=20` sets `graph.max_iterations`.

Two underscores lead into a section; lists and whole sections are JSON; `null` unsets; an empty variable
counts as absent. Values are parsed by pydantic-settings, names are checked here, because its source
passes over names it does not know.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict
from pydantic_settings import SettingsError as ParseFailure
from pydantic_settings.sources.utils import parse_env_vars

from configs.admission import HOSTS_VARIABLE, TOKEN_VARIABLE
from configs.errors import SettingsError
from configs.keys import Key, Place, dotted, expectation, is_section, known_keys, place_at
from configs.layers import Layer, Setting, flatten
from configs.redaction import escaped
from configs.settings import Settings

PREFIX = "REFLECT_"
NOT_SETTINGS = frozenset({TOKEN_VARIABLE, HOSTS_VARIABLE})
"""Variables of ours that are read elsewhere: who may come in is no setting, and secrets stay out of them."""

_DELIMITER = "__"
_NULL = "null"


class _EnvironmentSettings(BaseSettings, Settings):
    """The schema in the form pydantic-settings' sources take; never instantiated."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter=_DELIMITER, env_parse_none_str=_NULL
    )


def read_layer(env: Mapping[str, str]) -> Layer:
    """Read every `REFLECT_` variable; a variable for one key wins over JSON for its section.

    Raises:
        SettingsError: a variable names no setting, or its value is not the JSON it has to be.
    """
    names = [name for name, value in env.items() if name.startswith(PREFIX) and name not in NOT_SETTINGS]
    keys = {name: _key(name) for name in names}
    source = EnvSettingsSource(_EnvironmentSettings)
    layer: Layer = {}
    for name in sorted(names, key=lambda name: len(keys[name])):
        if env[name]:
            layer |= _variable(source, name, env[name], keys[name])
    return layer


def _key(name: str) -> Key:
    key = tuple(name.removeprefix(PREFIX).lower().split(_DELIMITER))
    chosen = next((key[:end] for end in range(1, len(key)) if _is_map(key[:end])), None)
    if chosen:
        raise SettingsError(
            f"environment {escaped(name)}: no variable's name can hold the names under `{dotted(chosen)}`.",
            f"Set {_variable_name(chosen)} to a JSON object.",
        )
    if place_at(key) is None:
        known = [*map(_variable_name, known_keys()), *NOT_SETTINGS]
        alike = difflib.get_close_matches(name.upper(), known, 1)
        remedy = f"Did you mean {alike[0]}?" if alike else "`reflect config show` lists every key."
        raise SettingsError(f"environment {escaped(name)}: this variable is not a setting.", remedy)
    return key


def _is_map(key: Key) -> bool:
    place = place_at(key)
    return isinstance(place, FieldInfo) and is_section(place)


def _variable_name(key: Key) -> str:
    return PREFIX + _DELIMITER.join(key).upper()


def _variable(source: EnvSettingsSource, name: str, text: str, key: Key) -> Layer:
    place = place_at(key)
    assert place is not None
    source.env_vars = parse_env_vars({name: text}, False, True, _NULL)
    try:
        value: Any = source()
        for part in key:
            value = value[part]
    except (ParseFailure, RecursionError) as error:
        raise _not_json(name, place, error) from error
    origin = f"environment {name}"
    if is_section(place):
        if not isinstance(value, dict):
            raise _not_json(name, place, None)
        return flatten(value, lambda _: origin, key)
    return {key: Setting(_truth(place, value), origin)}


def _truth(place: Place, value: Any) -> Any:
    """Read the words true and false for a choice among booleans, which pydantic compares as text."""
    annotation = place.annotation if isinstance(place, FieldInfo) else None
    if get_origin(annotation) is Literal and isinstance(get_args(annotation)[0], bool):
        return {"true": True, "false": False}.get(str(value).lower(), value)
    return value


def _not_json(name: str, place: Place, error: Exception | None) -> SettingsError:
    cause = error.__cause__ if error else None
    # The text itself is left out: a section's JSON may hold an address with a password.
    where = f" ({cause.msg}, character {cause.pos + 1})" if isinstance(cause, json.JSONDecodeError) else ""
    shape, example = ("object", '{"key": "value"}') if is_section(place) else ("list", '["first", "second"]')
    return SettingsError(
        f"environment {name}: the value is not a JSON {shape}{where}, expected {expectation(place)}.",
        f"Write it as JSON, for example {example}.",
    )
