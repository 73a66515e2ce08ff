"""What observations showed the player, as far as it can fill the slots of a move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Any

from nodes.tutor.facts import Compared, Digest, Entry, Fact, Lines, Matches, Measure, Search, Searched, Text
from nodes.tutor.helping.config_keys import keys_in
from nodes.tutor.helping.node_data import observation_of
from nodes.tutor.observing.reading import facts_of
from nodes.tutor.proof_graph import Node

MOST = 120
"""Things of one sort kept of one observation."""
_LONGEST_LINE = 300
_PATH = re.compile(r"(?<![\w./-])[\w-][\w./-]*\.[A-Za-z]\w{0,7}\b")
_DEFINED = re.compile(r"^\s*(?:async\s+)?(def|class)\s+(\w+)", re.MULTILINE)
_IMPORTED = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+\(?([\w, ]*)|import\s+([\w., ]+))", re.MULTILINE)


@dataclass(frozen=True)
class Sighting:
    """What was seen, in the order in which it was seen, nothing twice.

    Attributes:
        files: regular files.
        directories: directories.
        lines: (file, number from 1, text).
        keys: (configuration file, key path, value); values are JSON.
        names: (Python file, "function" or "class", name).
        modules: (Python file, dotted module it imports).
        numbers: (file, or text looked for, unit, number).
        read: files whose whole text was seen.
        mentioned: paths that stand in a text; they need not exist.
    """

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    lines: tuple[tuple[str, int, str], ...] = ()
    keys: tuple[tuple[str, str, Any], ...] = ()
    names: tuple[tuple[str, str, str], ...] = ()
    modules: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, str, int], ...] = ()
    read: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()

    @cached_property
    def paths(self) -> frozenset[str]:
        """Files and directories."""
        return frozenset((*self.files, *self.directories))

    @cached_property
    def opened(self) -> frozenset[str]:
        """Files of which more than the name was seen."""
        return frozenset(path for path, *_ in chain(self.lines, self.numbers))


NOTHING = Sighting()
_SORTS = tuple(sort.name for sort in fields(Sighting))


@dataclass(frozen=True)
class _Sealed:
    """An observation node, compared by its seal, so that its facts are read once."""

    seal: str
    node: Node = field(compare=False)


def sighting_at(node: Node) -> Sighting:
    """What an observation node shows; nothing of a large one, whose text is kept elsewhere."""
    return _sighting(_Sealed(str(node.data.get("seal", "")), node)) if "stdout" in node.data else NOTHING


@lru_cache(maxsize=1024)
def _sighting(sealed: _Sealed) -> Sighting:
    observation = observation_of(sealed.node)
    return NOTHING if observation is None else sighting_of(facts_of(observation))


def seen_in(nodes: Sequence[Node]) -> Sighting:
    """What some observation nodes show together, the latest first."""
    return _together(tuple(_Sealed(str(node.data.get("seal", "")), node) for node in reversed(nodes)))


@lru_cache(maxsize=256)
def _together(sealed: tuple[_Sealed, ...]) -> Sighting:
    shown = [sighting_at(one.node) for one in sealed]
    return Sighting(**{sort: _once(sort, chain(*(getattr(one, sort) for one in shown))) for sort in _SORTS})


def inside(seen: Sighting) -> Sighting:
    """The same, without files of which nothing but the name was seen."""
    return replace(seen, files=tuple(path for path in seen.files if path in seen.opened), directories=())


def outside(seen: Sighting) -> Sighting:
    """The same, with files only of which nothing but the name was seen."""
    return replace(seen, files=tuple(path for path in seen.files if path not in seen.opened))


@lru_cache(maxsize=64)
def sighting_of(facts: tuple[Fact, ...]) -> Sighting:
    """What some facts show."""
    sorts: dict[str, list[Any]] = {sort: [] for sort in _SORTS}
    for fact in facts:
        _note(fact, sorts)
    known = dict.fromkeys(sorts["files"])
    sorts["directories"] += [path.rpartition("/")[0] for path in known if "/" in path]
    sorts["mentioned"] = [path for path in sorts["mentioned"] if path not in known]
    return Sighting(**{sort: _once(sort, found)[:MOST] for sort, found in sorts.items()})


def _note(fact: Fact, sorts: dict[str, list[Any]]) -> None:
    match fact:
        case Entry(path=path, kind=kind):
            _place(path, kind, sorts)
        case Search(found=found):
            for one in found:
                _place(one.path, one.kind, sorts)
        case Measure(path=path, unit=unit, value=value):
            sorts["files"].append(path)
            sorts["numbers"].append((path, unit, value))
        case Digest(path=path):
            sorts["files"].append(path)
        case Compared(old=old, new=new):
            sorts["files"] += [old, new]
        case Text() | Lines():
            _note_text(fact, sorts)
        case Matches() | Searched():
            _note_matches(fact, sorts)


def _note_text(fact: Text | Lines, sorts: dict[str, list[Any]]) -> None:
    sorts["files"].append(fact.path)
    if isinstance(fact, Text):
        sorts["read"].append(fact.path)
        sorts["keys"] += [(fact.path, key, value) for key, value in keys_in(fact.path, fact.text)]
        _note_lines(fact.path, 1, fact.text.split("\n"), sorts)
        _note_python(fact.path, fact.text, sorts)
    elif fact.first is not None:
        _note_lines(fact.path, fact.first, fact.lines, sorts)


def _note_matches(fact: Matches | Searched, sorts: dict[str, list[Any]]) -> None:
    if isinstance(fact, Searched):
        sorts["files"] += fact.files
        sorts["numbers"] += [(fact.literal, "matching lines", count) for count in fact.counts or ()]
        return
    sorts["files"].append(fact.path)
    if fact.literal is not None and not fact.inverted:
        sorts["numbers"].append((fact.literal, "matching lines", fact.count))
    for line in islice(fact.lines or (), MOST):
        _note_lines(line.path, line.number, [line.text], sorts)


def _place(path: str, kind: str, sorts: dict[str, list[Any]]) -> None:
    if kind in ("file", "directory"):
        sorts["files" if kind == "file" else "directories"].append(path)


def _note_lines(path: str, first: int, lines: Sequence[str], sorts: dict[str, list[Any]]) -> None:
    for number, text in enumerate(islice(lines, MOST), first):
        if text.strip() and len(text) <= _LONGEST_LINE:
            sorts["lines"].append((path, number, text))
            sorts["mentioned"] += _PATH.findall(text)


def _note_python(path: str, text: str, sorts: dict[str, list[Any]]) -> None:
    if not path.endswith(".py"):
        return
    for word, name in islice(_DEFINED.findall(text), MOST):
        sorts["names"].append((path, "class" if word == "class" else "function", name))
    for source, imported, plain in islice(_IMPORTED.findall(text), MOST):
        for module in _modules(path, source, imported, plain):
            sorts["modules"].append((path, module))


def _modules(path: str, source: str, imported: str, plain: str) -> list[str]:
    """Dotted names an import may be of; relative ones are counted from the file's own directory."""
    if plain:
        return [one.split()[0] for one in plain.split(",") if one.split()]
    name = source.lstrip(".")
    if level := len(source) - len(name):
        above = path.split("/")[:-level]
        name = ".".join([*above, name] if name else above)
    taken = [one.split()[0] for one in imported.split(",") if one.split()]
    return [one for one in (name, *(f"{name}.{one}" for one in taken)) if one.strip(".")]


def _once(sort: str, found: Iterable[Any]) -> tuple[Any, ...]:
    """Without repeats; values of keys may be lists, and 1 is not true, so they are told apart as text."""
    if sort != "keys":
        return tuple(dict.fromkeys(found))
    first: dict[str, Any] = {}
    for one in found:
        first.setdefault(repr(one), one)
    return tuple(first.values())
