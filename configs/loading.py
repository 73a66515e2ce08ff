"""Settings from every source, and where each value came from.

Precedence, the later on top, key by key: defaults, `~/.reflect/config.yaml`,
`<root>/.reflect/config.yaml`, `REFLECT_*` variables, flags.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from configs.errors import SettingsError, UsageError
from configs.files import SettingsFile, settings_files
from configs.keys import Key, dotted, parse_key, place_at, takes_booleans
from configs.layers import (
    DEFAULT,
    Layer,
    Setting,
    default_layer,
    flatten,
    leaves,
    merge,
    nest,
    wrong_value,
)
from configs.redaction import escaped, path_text
from configs.settings import Settings
from configs.sources import Sources
from configs.telemetry_rules import refused_endpoints
from configs.trust import Trust, trust_of
from configs.yaml_file import read_layer as read_file

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class LoadedSettings:
    """Validated settings and their provenance.

    Attributes:
        settings: the values in force.
        origins: for every key, as `configs.keys.dotted` writes it: `default`, `file PATH:LINE`,
            `environment REFLECT_X` or `flag --x`.
        files: the files looked at, the one with the lowest precedence first.
        trust: whether the project's file counts as the user's, and what that allowed it.
    """

    settings: Settings
    origins: dict[str, str]
    files: list[SettingsFile]
    trust: Trust = Trust()


def load_settings(
    root: Path,
    flags: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    home: Path | None = None,
) -> LoadedSettings:
    """Load the settings for a project.

    Args:
        root: the project's directory.
        flags: keys as `configs.keys.dotted` writes them, to values; None means the flag was not given.
        env: the environment; the process's own when None.
        home: the user's home directory; the process's own when None.

    Raises:
        SettingsError: a source cannot be read, or holds a key or value the schema refuses, or the project's
            settings alone say what only the user's own may (`configs/trust.py`).
        UsageError: `root` is not a directory.
    """
    if not root.is_dir():
        raise UsageError(f"{path_text(root)} is not a directory.", "Name an existing directory as the root.")
    files = settings_files(root, home)
    sources = _sources(files, os.environ if env is None else env, flags or {})
    trust = trust_of(sources, root, home, files)
    settings, origins = _known(sources.merged)
    return LoadedSettings(settings, dict(origins), files, trust)


def _sources(files: list[SettingsFile], env: Mapping[str, str], flags: Mapping[str, Any]) -> Sources:
    said = [read_file(file.path) for file in files]
    above = (_environment_layer(env), _flag_layer(flags))
    own = (*(one for file, one in zip(files, said, strict=True) if file.own), *above)
    return Sources(
        own=own,
        project={} if files[-1].own else said[-1],
        merged=merge(default_layer(), *said, *above),
        users=merge(default_layer(), *own),
    )


def _known(layer: Layer) -> tuple[Settings, dict[str, str]]:
    """The settings of a layer and where each comes from: every run loads them, and few say anything new."""
    text = repr(layer)
    known = _KNOWN.get(text)
    if known is None:
        settings = _validate(layer)
        known = (
            settings,
            {dotted(key): layer[key].origin if key in layer else DEFAULT for key, _, _ in leaves(settings)},
        )
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[text] = known
    return known


_KNOWN: dict[str, tuple[Settings, dict[str, str]]] = {}
_MOST_KNOWN = 64


def _environment_layer(env: Mapping[str, str]) -> Layer:
    if not any(name.startswith("REFLECT_") for name in env):
        return {}
    # pydantic-settings takes 40 ms to import, which a run without such variables need not pay.
    from configs.environment import read_layer

    return read_layer(env)


def _flag_layer(flags: Mapping[str, Any]) -> Layer:
    layer: Layer = {}
    for text, value in flags.items():
        if value is None:
            continue
        key, origin = parse_key(text), f"flag --{text}"
        layer |= _one_flag(key, value, origin)
    return layer


def _one_flag(key: Key, value: Any, origin: str) -> Layer:
    return flatten(nest({key: Setting(value, origin)}), lambda _: origin)


def _validate(layer: Layer) -> Settings:
    refusals = [*_not_numbers(layer), *_not_text(layer)]
    if not refusals:
        try:
            settings = Settings.model_validate(nest(layer))
        except ValidationError as error:
            refusals = [_refusal(tuple(map(str, item["loc"])), layer) for item in error.errors()]
        else:
            refusals = [*_not_finite(settings, layer), *refused_endpoints(settings, layer)]
    if refusals:
        whats = list(dict.fromkeys(refusal.what for refusal in refusals))
        raise SettingsError("\n".join(whats), refusals[0].remedy)
    return settings


def _not_numbers(layer: Layer) -> Iterator[SettingsError]:
    """Refuse true and false where a number is expected: pydantic reads them as 1 and 0."""
    for key, setting in layer.items():
        field = place_at(key)
        if isinstance(setting.value, bool) and isinstance(field, FieldInfo) and not takes_booleans(field):
            yield _refusal(key, layer)


def _not_text(layer: Layer) -> Iterator[SettingsError]:
    """Refuse text that no file or terminal can take: a variable's stray bytes, half of a JSON escape."""
    for key, setting in layer.items():
        if _SURROGATE.search(json.dumps([key, setting.value], ensure_ascii=False, default=str)):
            yield SettingsError(
                f"{setting.origin}: `{escaped(dotted(key))}` holds bytes that are not UTF-8 text.",
                "Write it as UTF-8.",
            )


def _not_finite(settings: Settings, layer: Layer) -> Iterator[SettingsError]:
    """Refuse infinity, which passes an open bound and then breaks every timer."""
    for key, _, value in leaves(settings):
        if isinstance(value, float) and not math.isfinite(value):
            yield _refusal(key, layer)


def _refusal(loc: Key, layer: Layer) -> SettingsError:
    # pydantic's location may go on below our key, to the item of a list.
    key = max(layer, key=lambda known: len(os.path.commonprefix([known, loc])))
    place, setting = place_at(key), layer[key]
    assert place is not None
    return wrong_value(key, place, setting.value, setting.origin)
