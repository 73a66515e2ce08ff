"""A settings file read into a layer, every key remembered with its line.

PyYAML's pure Python reader is used, not libyaml's: it can be told to stop at a depth, and a settings
file of every key reads in 6 ms.
"""

from __future__ import annotations

import errno
import stat
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.reader import ReaderError

from configs.errors import SettingsError
from configs.keys import Key, dotted
from configs.layers import Layer, flatten
from configs.redaction import escaped, path_text

MAX_BYTES = 1_000_000
_MAX_DEPTH = 20
_MAX_VALUES = 10_000
_MAPPING, _SEQUENCE = "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"


def read_layer(path: Path) -> Layer:
    """Read a settings file; one that does not exist, or is empty, sets nothing.

    Raises:
        SettingsError: the file cannot be read, is not YAML, or holds a key the schema does not know.
            The message names file, line, and column or key.
    """
    text = _read_text(path)
    return _Document(path).layer(text) if text is not None else {}


def _read_text(path: Path) -> str | None:
    name = path_text(path)
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            # Opening a named pipe would wait for its writer, so the kind is looked at first.
            kind = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
            raise SettingsError(f"{name} is {kind}.", "Put a YAML file there, or remove it.")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except NotADirectoryError:
        # HOME=/dev/null is how many containers say that there is no home.
        return None
    except FileNotFoundError as error:
        if path.is_symlink():
            raise SettingsError(
                f"{name} is a link to a missing file.", "Repair or remove the link."
            ) from error
        return None
    except OSError as error:
        remedy = (
            "Give this user permission to read it." if error.errno == errno.EACCES else "Repair or remove it."
        )
        raise SettingsError(f"{name} cannot be read: {error.strerror}.", remedy) from error
    if len(content) > MAX_BYTES:
        raise SettingsError(f"{name} is larger than {MAX_BYTES // 10**6} MB.", "Keep only settings in it.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(
            f"file {name}:{line}: this is not UTF-8 text.", "Save the file as UTF-8."
        ) from error


class _BoundedLoader(yaml.SafeLoader):
    """A loader that stops at a depth and a count, instead of exhausting the stack or the patience."""

    _depth = 0
    _nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self._depth += 1
        self._nodes += 1
        if self._depth > _MAX_DEPTH:
            raise self._refused(f"found more than {_MAX_DEPTH} levels of nesting")
        if self._nodes > _MAX_VALUES:
            raise self._refused(f"found more than {_MAX_VALUES} values")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _refused(self, problem: str) -> ComposerError:
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]  # untyped in types-PyYAML
        return ComposerError(None, None, problem, mark)


class _Document:
    """One settings file while it is turned from YAML nodes into a layer."""

    def __init__(self, path: Path) -> None:
        self._name = path_text(path)
        self._lines: dict[Key, int] = {}
        self._values = 0

    def layer(self, text: str) -> Layer:
        """Parse a whole file."""
        try:
            self._loader = _BoundedLoader(text)
            root = self._loader.get_single_node()
            if root is None or root.tag == "tag:yaml.org,2002:null":
                return {}
            tree = self._value(root, ())
        except yaml.MarkedYAMLError as error:
            raise self._corrupt(error) from error
        except ReaderError as error:
            place = self._at(text.count("\n", 0, error.position) + 1)
            raise SettingsError(
                f"{place}: the file holds an unprintable character.", "Remove it with a text editor."
            ) from error
        if not isinstance(tree, dict):
            kind = "a list" if isinstance(tree, list) else "a single value"
            raise SettingsError(
                f"{self._at(root.start_mark.line + 1)}: the file holds {kind}, expected `key: value` lines.",
                "Write for example `model: ollama:qwen2.5:7b`.",
            )
        return flatten(tree, lambda key: self._at(self._line(key)))

    def _value(self, node: yaml.Node, key: Key) -> Any:
        self._values += 1
        if self._values > _MAX_VALUES or len(key) > _MAX_DEPTH:
            raise self._refused(node, f"found more than {_MAX_VALUES} values, or aliases in a circle")
        if isinstance(node, yaml.MappingNode) and node.tag == _MAPPING:
            return self._mapping(node, key)
        if isinstance(node, yaml.SequenceNode) and node.tag == _SEQUENCE:
            return [self._value(item, (*key, str(number))) for number, item in enumerate(node.value)]
        try:
            return self._loader.construct_object(node, deep=True)
        except ValueError as error:
            raise self._refused(node, f"found a value its type cannot hold ({error})") from error

    def _mapping(self, node: yaml.MappingNode, key: Key) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        for name_node, value_node in node.value:
            if not isinstance(name_node, yaml.ScalarNode):
                raise self._refused(name_node, "found a list or section where a key was expected")
            name, line = str(name_node.value), name_node.start_mark.line + 1
            inner = (*key, name)
            if name in tree:
                raise SettingsError(
                    f"{self._at(line)}: `{escaped(dotted(inner))}` is set twice, "
                    f"first on line {self._lines[inner]}.",
                    "Keep one of them.",
                )
            self._lines[inner] = line
            tree[name] = self._value(value_node, inner)
        return tree

    def _refused(self, node: yaml.Node, problem: str) -> ComposerError:
        return ComposerError(None, None, problem, node.start_mark)

    def _line(self, key: Key) -> int:
        return self._lines[key]

    def _at(self, line: int) -> str:
        return f"file {self._name}:{line}"

    def _corrupt(self, error: yaml.MarkedYAMLError) -> SettingsError:
        mark = error.problem_mark or error.context_mark
        place = self._at(mark.line + 1) + f":{mark.column + 1}" if mark else f"file {self._name}"
        saw = escaped(", ".join(part for part in (error.context, error.problem) if part))
        tab = "\\t" in saw
        remedy = "Indent with spaces, never with a tab." if tab else "Correct the YAML at that place."
        return SettingsError(f"{place}: this is not valid settings YAML: {saw}.", remedy)
