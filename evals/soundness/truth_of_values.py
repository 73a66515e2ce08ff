"""Values of configuration files, and the units their keys tell; read with the formats' own parsers."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from fractions import Fraction
from typing import Any

import yaml

from configs.errors import ReflectError
from evals.soundness.tree import Tree

STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
SECONDS = {"us": "1/1000000", "ms": "1/1000", "s": "1", "min": "60", "h": "3600"}
BYTES = {"b": 1, "kb": 1000, "mb": 1000**2, "gb": 1000**3, "kib": 1024, "mib": 1024**2, "gib": 1024**3}
DIMENSIONS = (SECONDS, BYTES)


class Missing(ReflectError):
    """There is no such value."""


def parsed(path: str, text: str) -> Any:
    """A document, by the kind of file its name tells."""
    if path.endswith(".json"):
        return json.loads(text)
    if path.endswith((".yaml", ".yml")):
        return yaml.safe_load(text)
    if path.endswith(".toml"):
        return tomllib.loads(text)
    reader = configparser.ConfigParser(interpolation=None)
    reader.optionxform = str  # type: ignore[assignment,method-assign]  # keys as they are written
    reader.read_string(text)
    return {section: dict(reader[section]) for section in reader.sections()}


def value_at(tree: Tree, path: str, key: str) -> Any:
    """What stands under a key path such as `a.b[1].c`.

    Raises:
        Missing: nothing does.
    """
    text = tree.text(path)
    if text is None:
        raise Missing(path)
    value = parsed(path, text)
    for name, index in STEP.findall(key):
        step: Any = name or int(index)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError) as error:
            raise Missing(key) from error
    return value


def same(one: Any, other: Any) -> bool:
    """Equal by value and by type, in all parts: 1, 1.0, True and "1" are four values."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def stored(value: Any, key: str, claimed: Any, unit: str) -> bool:
    """True if a number stored under a key with a suffix is so many of a unit."""
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (value, claimed))
    for dimension in DIMENSIONS:
        suffix = key.rpartition("_")[2]
        if numbers and suffix in dimension and unit in dimension:
            factors = {name: Fraction(factor) for name, factor in dimension.items()}
            return Fraction(str(value)) * factors[suffix] == Fraction(str(claimed)) * factors[unit]
    return False
