"""Which line of a configuration file sets which key: JSON, YAML, TOML, INI and .env."""

from __future__ import annotations

import configparser
import json
import posixpath
import re
import tomllib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Literal

import yaml

KeyPath = tuple[str | int, ...]
Kind = Literal["json", "yaml", "toml", "ini", "env"]

_LONGEST = 200_000
_DEEPEST = 60
_MOST_KEYS = 20_000
_SUFFIXES: dict[str, Kind] = {
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".toml": "toml",
    ".ini": "ini",
    ".cfg": "ini",
    ".conf": "ini",
    ".env": "env",
}
_JSON_SPACE = re.compile(r"[ \t\r\n]*")
_JSON_WORD = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_INI_SECTION = re.compile(r"\[(?P<name>.+)\]")
_INI_OPTION = re.compile(r"(?P<name>[^\s=:#;\[][^=:]*?)\s*[=:]")
_ENV_LINE = re.compile(r"(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>.*)")
_ENV_QUOTED = re.compile(r"(?P<quote>['\"])(?P<text>[^'\"\\$]*)(?P=quote)\s*(?:#.*)?")
_TOML_HEADER = re.compile(r"\s*\[")


class _NotReadable(ValueError):
    """Not of its kind, too large or too deep, or with a key twice."""


@dataclass(frozen=True)
class Setting:
    """One key of a document.

    Attributes:
        path: from the document on; positions in lists are numbers.
        value: as the format types it; text in INI and .env.
        line: on which the key, or the item of a list, begins; None if it stands there through a reference.
    """

    path: KeyPath
    value: Any
    line: int | None


@dataclass
class Settings:
    """A configuration file.

    Attributes:
        kind: of its format.
        value: the whole document.
        by_path: its keys, those inside of others as well.
    """

    kind: Kind
    value: Any
    by_path: dict[KeyPath, Setting] = field(default_factory=dict)


def kind_of(path: str) -> Kind | None:
    """The format of a file, by its name."""
    name = posixpath.basename(path)
    if name == ".env" or name.startswith(".env."):
        return "env"
    return _SUFFIXES.get(posixpath.splitext(name)[1])


@lru_cache(maxsize=64)
def settings_of(path: str, text: str) -> Settings | None:
    """Read a file; None if it is none of these formats, is broken, or has a key twice.

    Args:
        path: whose name tells the format.
        text: the whole of it.
    """
    kind = kind_of(path)
    if kind is None or len(text) > _LONGEST:
        return None
    try:
        value, lines = _READERS[kind](text)
        settings = Settings(kind, value)
        for key, one in _walk(value):
            settings.by_path[key] = Setting(key, one, lines.get(key))
            if len(settings.by_path) > _MOST_KEYS:
                return None
    except (ValueError, TypeError, OverflowError, RecursionError, yaml.YAMLError, configparser.Error):
        return None
    return settings


def written(path: KeyPath) -> str:
    """A key path as claims write it."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in path]
    return "".join(parts).removeprefix(".")


def _walk(value: object) -> Iterator[tuple[KeyPath, object]]:
    pending: list[tuple[KeyPath, object]] = [((), value)]
    while pending:
        path, one = pending.pop()
        if path:
            yield path, one
        if len(path) > _DEEPEST:
            raise _NotReadable
        if isinstance(one, dict):
            pending.extend(((*path, key), inner) for key, inner in one.items() if isinstance(key, str))
        elif isinstance(one, list):
            pending.extend(((*path, at), inner) for at, inner in enumerate(one))


Lines = dict[KeyPath, int]


class _JsonReader:
    """Reads JSON as the json module does, and notes where keys and items stand."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: Lines = {}
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def _line(self, at: int) -> int:
        return bisect_left(self._ends, at) + 1

    def read(self) -> Any:
        value, at = self._value(self._space(0), ())
        if self._space(at) != len(self.text):
            raise _NotReadable
        return value

    def _space(self, at: int) -> int:
        match = _JSON_SPACE.match(self.text, at)
        assert match is not None
        return match.end()

    def _value(self, at: int, path: KeyPath) -> tuple[Any, int]:
        if len(path) > _DEEPEST:
            raise _NotReadable
        opening = self.text[at : at + 1]
        if opening == "{":
            return self._object(at + 1, path)
        if opening == "[":
            return self._array(at + 1, path)
        if opening == '"':
            return self._text(at)
        word = _JSON_WORD.match(self.text, at)
        if word is None:
            raise _NotReadable
        return json.loads(word.group()), word.end()

    def _text(self, at: int) -> tuple[str, int]:
        text, end = scanstring(self.text, at + 1, True)
        return str(text), int(end)

    def _object(self, at: int, path: KeyPath) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self._space(at)
        while not (not found and self.text.startswith("}", at)):
            start = at
            if not self.text.startswith('"', at):
                raise _NotReadable
            key, at = self._text(at)
            at = self._space(at)
            if key in found or not self.text.startswith(":", at):
                raise _NotReadable
            found[key], at = self._value(self._space(at + 1), (*path, key))
            self.lines[(*path, key)] = self._line(start)
            at, closed = self._next(at, "}")
            if closed:
                return found, at
        return found, at + 1

    def _array(self, at: int, path: KeyPath) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._space(at)
        while not (not found and self.text.startswith("]", at)):
            start = at
            value, at = self._value(at, (*path, len(found)))
            self.lines[(*path, len(found))] = self._line(start)
            found.append(value)
            at, closed = self._next(at, "]")
            if closed:
                return found, at
        return found, at + 1

    def _next(self, at: int, closing: str) -> tuple[int, bool]:
        at = self._space(at)
        if self.text.startswith(closing, at):
            return at + 1, True
        if not self.text.startswith(",", at):
            raise _NotReadable
        return self._space(at + 1), False


def _read_json(text: str) -> tuple[Any, Lines]:
    reader = _JsonReader(text)
    return reader.read(), reader.lines


def _read_yaml(text: str) -> tuple[Any, Lines]:
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise _NotReadable
        lines: Lines = {}
        _note_yaml(node, lines)
        return loader.construct_document(node), lines
    finally:
        loader.dispose()


def _note_yaml(root: yaml.Node, lines: Lines) -> None:
    pending: list[tuple[KeyPath, yaml.Node]] = [((), root)]
    seen: set[int] = set()
    while pending:
        path, node = pending.pop()
        # What is referred to stands where it was first, and nowhere else.
        if id(node) in seen:
            _forget(path, lines)
            continue
        seen.add(id(node))
        if len(path) > _DEEPEST:
            raise _NotReadable
        inside = list(_parts(node))
        lines.update({(*path, key): line for key, line, _ in inside})
        pending.extend(((*path, key), value) for key, _, value in reversed(inside))


def _parts(node: yaml.Node) -> Iterator[tuple[str | int, int, yaml.Node]]:
    """Keys or positions of what is in a node, the lines they are on, and their values."""
    if isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in keys:
                raise _NotReadable
            keys.add(key.value)
            if key.tag != "tag:yaml.org,2002:merge":
                yield key.value, key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode):
        for at, value in enumerate(node.value):
            yield at, value.start_mark.line + 1, value


def _forget(path: KeyPath, lines: Lines) -> None:
    for key in [key for key in lines if key[: len(path)] == path]:
        del lines[key]


def _read_toml(text: str) -> tuple[Any, Lines]:
    value = tomllib.loads(text)
    lines: Lines = {}
    table: KeyPath = ()
    counts: dict[KeyPath, int] = defaultdict(int)
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        row = rows[at].strip()
        if not row or row.startswith("#"):
            at += 1
            continue
        read, end = _toml_entry(rows, at)
        path, one = _only_path(read)
        if _TOML_HEADER.match(row):
            listed = row.startswith("[[")
            table = _placed(path, counts)
            if listed:
                counts[table] += 1
                table = (*table, counts[table] - 1)
            lines[table] = at + 1
        else:
            for key, _ in _walk(read):
                if end == at + 1 or not any(isinstance(part, int) for part in key):
                    lines[(*table, *key)] = at + 1
        at = end
    return value, lines


def _toml_entry(rows: list[str], at: int) -> tuple[dict[str, Any], int]:
    """One header, or one key with its value, and the number of rows up to its end."""
    for end in range(at + 1, min(len(rows), at + 200) + 1):
        try:
            return tomllib.loads("\n".join(rows[at:end])), end
        except tomllib.TOMLDecodeError:
            continue
    raise _NotReadable


def _only_path(read: object) -> tuple[KeyPath, object]:
    path: KeyPath = ()
    while isinstance(read, dict) and len(read) == 1:
        key, read = next(iter(read.items()))
        path = (*path, key)
    return path, read


def _placed(path: KeyPath, counts: Mapping[KeyPath, int]) -> KeyPath:
    """The path of a table's header, with the number of the last item of each list of tables on the way."""
    placed: KeyPath = ()
    for at, key in enumerate(path):
        placed = (*placed, key)
        if at < len(path) - 1 and counts.get(placed):
            placed = (*placed, counts[placed] - 1)
    return placed


def _read_ini(text: str) -> tuple[Any, Lines]:
    # With a name no file can have for it, the section of defaults is a section like any other.
    parser = configparser.ConfigParser(interpolation=None, default_section="\0")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    value = {name: dict(parser.items(name)) for name in parser.sections()}
    lines: Lines = {}
    section: str | None = None
    for number, row in enumerate(text.split("\n"), 1):
        header, option = _INI_SECTION.match(row), _INI_OPTION.match(row)
        if header:
            section = header["name"]
            lines[(section,)] = number
        elif option and section is not None and option["name"] in value.get(section, {}):
            name = option["name"]
            if (section, name) in lines:
                raise _NotReadable
            lines[(section, name)] = number
    return value, lines


def _read_env(text: str) -> tuple[Any, Lines]:
    value: dict[str, str] = {}
    lines: Lines = {}
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        match = _ENV_LINE.fullmatch(row.strip())
        if match is None or match["name"] in value:
            raise _NotReadable
        value[match["name"]] = _env_value(match["value"])
        lines[(match["name"],)] = number
    return value, lines


def _env_value(text: str) -> str:
    quoted = _ENV_QUOTED.fullmatch(text)
    if quoted:
        return quoted["text"]
    # What stands for other variables, or spans lines, is not to be known from here.
    if text[:1] in ("'", '"') or "$" in text or "\\" in text or "`" in text:
        raise _NotReadable
    return re.split(r"\s+#", text, maxsplit=1)[0].strip()


_READERS: Mapping[Kind, Callable[[str], tuple[Any, Lines]]] = {
    "json": _read_json,
    "yaml": _read_yaml,
    "toml": _read_toml,
    "ini": _read_ini,
    "env": _read_env,
}
