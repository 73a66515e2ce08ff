"""Configuration files, read into values: JSON, YAML, TOML, INI, .env and .properties. Pure."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import yaml

from nodes.tutor.proving import paths
from nodes.tutor.proving.assignments import read_dotenv, read_properties
from nodes.tutor.proving.unclear import Unclear, doubled
from nodes.tutor.proving.yaml_documents import read_yaml

LARGEST = 262_144
DEEPEST = 64
MOST_DOTS = 200
_UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    yaml.YAMLError,
    configparser.Error,
)
"""What the readers raise for a file that is not of its kind; libraries below them raise most of these."""


@dataclass(frozen=True)
class Document:
    """A configuration file's values.

    Attributes:
        root: mappings, lists, texts, numbers, true, false and null; `Unclear` where programs would read
            different values; other objects where the format has other types.
        textual: every value is text (INI, .env, .properties).
        folded: keys are found in capital or small letters by the programs that read it (INI).
        inherits: sections show the keys of a default section as well (INI).
    """

    root: object
    textual: bool = False
    folded: bool = False
    inherits: bool = False


def read(path: str, text: str) -> Document | None:
    """The values of a whole file, by its name's ending.

    Returns:
        None if its kind is not known, it is not well formed, too large or nested too deeply.
    """
    kind = kind_of(path)
    return _read(kind, text) if kind is not None and len(text) <= LARGEST else None


def kind_of(path: str) -> str | None:
    """The format a file's name tells."""
    name = paths.name(path).lower()
    _, dot, ending = name.rpartition(".")
    if dot and ending in _ENDINGS:
        return _ENDINGS[ending]
    return "env" if name.startswith(".env.") else None


@lru_cache(maxsize=128)
def _read(kind: str, text: str) -> Document | None:
    try:
        document = _READERS[kind](text)
        return document if document is not None and _bounded(document.root) else None
    except _UNREADABLE:
        return None


def _bounded(root: object) -> bool:
    """True if nothing is nested too deeply, nor holds itself (as YAML allows)."""
    depths: dict[int, int] = {}
    inside: set[int] = set()

    def depth(value: object) -> int:
        parts: Sequence[object] = ()
        if isinstance(value, Mapping):
            parts = list(value.values())
        elif isinstance(value, list | tuple):
            parts = value
        if not parts:
            return 0
        if id(value) in inside:
            raise RecursionError
        if id(value) not in depths:
            inside.add(id(value))
            depths[id(value)] = 1 + max(map(depth, parts))
            inside.discard(id(value))
        return depths[id(value)]

    return depth(root) <= DEEPEST


def _json(text: str) -> Document:
    return Document(json.loads(text, object_pairs_hook=_once))


def _once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """A mapping in which a key that was given twice has no clear value."""
    found: dict[str, object] = {}
    for key, value in pairs:
        found[key] = doubled(key) if key in found else value
    return found


def _toml(text: str) -> Document | None:
    # tomllib takes time in the square of the number of parts of a dotted key.
    if any(line.count(".") > MOST_DOTS for line in text.split("\n")):
        return None
    return Document(tomllib.loads(text))


class _Ini(configparser.ConfigParser):
    """Keys as written."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def _ini(text: str) -> Document | None:
    # The patterns of configparser take time in the square of the length of such a gap.
    if re.search(r"[^\S\n]{200}", text):
        return None
    parser = _Ini(interpolation=None)
    parser.read_string(text)
    root: dict[str, object] = {name: _section(dict(parser.items(name))) for name in parser.sections()}
    if parser.defaults():
        root["DEFAULT"] = _section(dict(parser.defaults()))
    return Document(root, textual=True, folded=True, inherits=bool(parser.defaults()))


def _section(values: Mapping[str, str]) -> dict[str, object]:
    written = [key.lower() for key in values]
    found: dict[str, object] = {}
    for key, value in values.items():
        if written.count(key.lower()) > 1:
            found[key] = doubled(key)
        elif "%(" in value or "%%" in value:
            found[key] = Unclear(f"The value of {key} holds places to be filled in.")
        else:
            found[key] = value
    return found


def _dotenv(text: str) -> Document | None:
    values = read_dotenv(text)
    return None if values is None else Document(values, textual=True)


def _properties(text: str) -> Document:
    return Document(read_properties(text), textual=True)


_READERS: Mapping[str, Callable[[str], Document | None]] = {
    "json": _json,
    "yaml": lambda text: Document(read_yaml(text)),
    "toml": _toml,
    "ini": _ini,
    "env": _dotenv,
    "properties": _properties,
}
_ENDINGS = {
    "json": "json",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "ini": "ini",
    "cfg": "ini",
    "conf": "ini",
    "env": "env",
    "properties": "properties",
}
