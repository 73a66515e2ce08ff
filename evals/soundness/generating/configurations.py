"""Configuration files: the same settings as JSON, YAML, TOML and INI."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from evals.soundness.generating.trees import WORDS

KINDS = ("json", "yaml", "toml", "ini")


def document(dice: Random) -> dict[str, Any]:
    """Nested settings with values of every type; some keys tell a unit."""
    names = dice.sample(WORDS, 6)
    return {
        "server": {
            "port": dice.randint(1000, 9999),
            "host": dice.choice(names) + ".local",
            "debug": dice.random() < 0.5,
            "ratio": dice.choice((0.5, 1.0, 2.25, 12.75)),
            "timeout_ms": dice.choice((250, 1500, 3000, 60000)),
        },
        "limits": {
            "memory_mb": dice.choice((64, 512, 2048)),
            "cache_kib": dice.choice((512, 1024, 3)),
            "retries": dice.randint(0, 9),
            "label": str(dice.randint(1, 99)),
        },
        names[0]: {"deep": {"level": dice.randint(1, 50), "names": names[1:4]}},
        "steps": [{"name": name, "weight": dice.randint(1, 9)} for name in names[3:6]],
    }


def written(settings: dict[str, Any], kind: str) -> str:
    """Settings as a file of some kind; INI has sections of texts only."""
    if kind == "json":
        return json.dumps(settings, indent=2) + "\n"
    if kind == "yaml":
        return "# settings\n" + "\n".join(_yaml(settings, 0)) + "\n"
    if kind == "toml":
        return "\n".join(_toml(settings, "")) + "\n"
    lines = []
    for section, values in settings.items():
        if isinstance(values, dict):
            lines += [
                f"[{section}]",
                *(f"{key} = {value}" for key, value in values.items() if is_plain(value)),
                "",
            ]
    return "; settings\n" + "\n".join(lines)


def is_plain(value: object) -> bool:
    """True for a value that holds no others."""
    return not isinstance(value, dict | list)


def _yaml(settings: dict[str, Any], depth: int) -> Iterator[str]:
    blank = "  " * depth
    for key, value in settings.items():
        if isinstance(value, dict):
            yield f"{blank}{key}:"
            yield from _yaml(value, depth + 1)
        elif isinstance(value, list):
            yield f"{blank}{key}:"
            yield from (f"{blank}  - {json.dumps(item)}" for item in value)
        else:
            yield f"{blank}{key}: {json.dumps(value)}"


def _toml(settings: dict[str, Any], table: str) -> Iterator[str]:
    for key, value in settings.items():
        if is_plain(value):
            yield f"{key} = {json.dumps(value)}"
        elif isinstance(value, list) and is_plain(value[0]):
            yield f"{key} = {json.dumps(value)}"
    for key, value in settings.items():
        name = f"{table}.{key}".lstrip(".")
        if isinstance(value, dict):
            yield f"[{name}]"
            yield from _toml(value, name)
        elif isinstance(value, list) and not is_plain(value[0]):
            for item in value:
                yield f"[[{name}]]"
                yield from _toml(item, f"{name}.item")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Key paths of all values that hold no others."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}[{index}]")
    else:
        yield path, value
