"""What is known of the sandbox from some facts: the part that is the same in every world they allow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from nodes.errors import Contradiction
from nodes.tutor.facts import (
    Compared,
    Digest,
    Entry,
    EntryKind,
    Fact,
    Hunk,
    Hunks,
    Lines,
    Matches,
    Measure,
    Search,
    Searched,
    Text,
    Walked,
)
from nodes.tutor.proving import paths
from nodes.tutor.proving.contents import Content, ContentFact
from nodes.tutor.proving.hunks import carried, turned
from nodes.tutor.proving.known import NONE, Known

__all__ = ["Known", "World"]

Value = TypeVar("Value")

Named = tuple[str, frozenset[str]]


class World:
    """Facts of the observations cited for one claim, found by path.

    Paths may be given as a claim writes them. Everything asked for raises `Contradiction` (nodes/errors.py)
    if two of the facts it rests on cannot both be so.

    Args:
        facts: by the observation's name.
    """

    def __init__(self, facts: Mapping[str, Iterable[Fact]]) -> None:
        self._cited = {name: tuple(some) for name, some in facts.items()}
        self._contents: dict[str, Content] = {}
        self._ways: dict[tuple[str, str], Known[None] | None] = {}

    def only(self, names: Iterable[str]) -> World:
        """What is known from some of the observations."""
        return World({name: self._cited[name] for name in names})

    def looked(self) -> frozenset[str]:
        """One observation that holds a fact, whichever; empty if none does."""
        return frozenset(sorted(name for name, facts in self._cited.items() if facts)[:1])

    def text(self, path: str) -> Known[str] | None:
        """The whole content of a file."""
        return self.content(path).text

    def lines_text(self, path: str) -> Known[str] | None:
        """The same, or all its lines, for readers that ignore the last line end."""
        return self.content(path).lines_text

    def read(self, path: str, reader: Callable[[str], Value]) -> Known[Value] | None:
        """What a reader makes of a file; None if not all lines are known, or the last line end matters.

        Args:
            path: of the file.
            reader: of its text; what it gives tells its value as `repr`.
        """
        known = self.lines_text(path)
        if known is None:
            return None
        value = reader(known.value)
        if self.text(path) is None and repr(reader(known.value.removesuffix("\n"))) != repr(value):
            return None
        return Known(value, known.used)

    def line(self, path: str, number: int) -> Known[str] | None:
        """One line of a file, from 1, without its line end; None if it is not known, or there is none."""
        return self.content(path).line(number)

    def content(self, path: str) -> Content:
        """What is known of the content of a file, also from files that are the same byte by byte."""
        known = self._contents.get(path)
        if known is not None:
            return known
        path = paths.normal(path) or path
        if path not in self._contents:
            facts: list[tuple[ContentFact, frozenset[str]]] = list(self._shown(path))
            for fact, used in self._differences[path]:
                other = fact.new if fact.old == path else fact.old
                carry = carried(Content(self._shown(other)), turned(fact, other), path)
                facts += [(line, used | seen) for line, seen in carry]
            self._contents[path] = Content(facts)
        return self._contents[path]

    def _shown(self, path: str) -> list[tuple[ContentFact, frozenset[str]]]:
        """Facts of a file, and of those that are the same byte by byte."""
        return [
            (fact, used | link) for same, link in self.same_as(path) for fact, used in self._of_content[same]
        ]

    def hunks(self, old: str, new: str) -> Known[Sequence[Hunk]] | None:
        """All that differs between two files, if a comparison showed it line by line."""
        for fact, used in self._differences[old]:
            if new in (fact.old, fact.new):
                return Known(turned(fact, old), used)
        return None

    def same_as(self, path: str) -> list[Named]:
        """Files of the same content, itself first, with the observations that show it."""
        reached = {path: NONE}
        waiting = [path]
        while waiting:
            at = waiting.pop(0)
            for other, link in self._same[at]:
                if other not in reached:
                    reached[other] = reached[at] | link
                    waiting.append(other)
        return list(reached.items())

    def differing(self, one: str, other: str) -> Known[None] | None:
        """Whether a comparison showed that two files differ."""
        for name, some in self._cited.items():
            for fact in some:
                if isinstance(fact, Compared) and not fact.same and {fact.old, fact.new} == {one, other}:
                    return Known(None, frozenset({name}))
        return None

    def kind(self, path: str) -> Known[EntryKind] | None:
        """What stands at a path, if an entry or a search showed it; a link is a link."""
        if path == ".":
            return Known("directory", NONE)
        return self._kinds.get(path)

    def is_file(self, path: str) -> Known[None] | None:
        """That a file can be read at a path: a regular one, or what a link leads to."""
        kind = self.kind(path)
        if kind is not None and kind.value == "file":
            return Known(None, kind.used)
        if self._of_content[path]:
            return Known(None, min((used for _, used in self._of_content[path]), key=len))
        if self._same[path]:
            return Known(None, self._same[path][0][1])
        if self._differences[path]:
            return Known(None, self._differences[path][0][1])
        return None

    def is_directory(self, path: str) -> Known[None] | None:
        """That a directory stands at a path, and no link to one."""
        kind = self.kind(path)
        if kind is not None:
            return Known(None, kind.used) if kind.value == "directory" else None
        for searches in (self.searches, self.text_searches):
            if path in searches:
                return Known(None, searches[path][0][1])
        return None

    def leads(self, directory: str, path: str) -> Known[None] | None:
        """That only directories, no links, lead from a directory to one below it, that one included."""
        if (directory, path) not in self._ways:
            self._ways[directory, path] = self._way(directory, path)
        return self._ways[directory, path]

    def _way(self, directory: str, path: str) -> Known[None] | None:
        if path == directory:
            kind = self.kind(path)
            return Known(None, NONE) if kind is None or kind.value == "directory" else None
        used = NONE
        for step in [*paths.between(path, directory), path]:
            kind = self.kind(step)
            if kind is None and step in self._walked:
                used |= self._walked[step]
                continue
            if kind is None or kind.value != "directory":
                return None
            used |= kind.used
        return Known(None, used)

    @cached_property
    def _walked(self) -> Mapping[str, frozenset[str]]:
        """Directories that a search went through."""
        return {path: used for fact, used in self._all() if isinstance(fact, Walked) for path in fact.paths}

    def entries(self, directory: str, fits: Callable[[str], bool]) -> list[tuple[str, Known[EntryKind]]]:
        """Everything known to stand below a directory whose name fits, with no link between."""
        return [
            (path, Known(kind.value, kind.used | way.used))
            for path, kind in self._kinds.items()
            if kind.value != "absent" and fits(paths.name(path)) and paths.is_below(path, directory)
            if (way := self.leads(directory, paths.parent(path))) is not None
        ]

    @cached_property
    def searches(self) -> Mapping[str, Sequence[tuple[Search, frozenset[str]]]]:
        """Searches for names, by the directory they looked in."""
        found: dict[str, list[tuple[Search, frozenset[str]]]] = defaultdict(list)
        for fact, used in self._all():
            if isinstance(fact, Search):
                found[fact.directory].append((fact, used))
        return dict(found)

    @cached_property
    def text_searches(self) -> Mapping[str, Sequence[tuple[Searched, frozenset[str]]]]:
        """Searches for text, by the directory they looked in."""
        found: dict[str, list[tuple[Searched, frozenset[str]]]] = defaultdict(list)
        for fact, used in self._all():
            if isinstance(fact, Searched):
                found[fact.directory].append((fact, used))
        return dict(found)

    @cached_property
    def paths_there(self) -> Mapping[str, frozenset[str]]:
        """What is known to stand somewhere, in order, with the observations that show it."""
        there = {path: self._of_content[path][0][1] for path in self.paths_with_content}
        there |= {path: kind.used for path, kind in self._kinds.items() if kind.value != "absent"}
        return dict(sorted(there.items()))

    @cached_property
    def paths_with_content(self) -> Sequence[str]:
        """Files of whose content something is known, in order."""
        return sorted(path for path, facts in self._of_content.items() if facts)

    @cached_property
    def paths_seen_twice(self) -> Sequence[str]:
        """Files of whose content several facts tell."""
        return [
            path
            for path in self.paths_with_content
            if len(self._of_content[path]) > 1 or self._same[path] or self._differences[path]
        ]

    @cached_property
    def occupied(self) -> Mapping[str, str]:
        """Paths below which something stands, each with one such path."""
        return {paths.parent(path): path for path, kind in self._kinds.items() if kind.value != "absent"}

    def _all(self) -> Iterable[tuple[Fact, frozenset[str]]]:
        for name, some in self._cited.items():
            used = frozenset({name})
            for fact in some:
                yield fact, used

    @cached_property
    def _of_content(self) -> defaultdict[str, list[tuple[ContentFact, frozenset[str]]]]:
        found: defaultdict[str, list[tuple[ContentFact, frozenset[str]]]] = defaultdict(list)
        for fact, used in self._all():
            if isinstance(fact, Text | Lines | Measure | Digest | Matches):
                found[fact.path].append((fact, used))
        return found

    @cached_property
    def _differences(self) -> defaultdict[str, list[tuple[Hunks, frozenset[str]]]]:
        """Comparisons line by line, by each of the two files."""
        found: defaultdict[str, list[tuple[Hunks, frozenset[str]]]] = defaultdict(list)
        for fact, used in self._all():
            if isinstance(fact, Hunks) and fact.old != fact.new:
                found[fact.old].append((fact, used))
                found[fact.new].append((fact, used))
        return found

    @cached_property
    def _same(self) -> defaultdict[str, list[Named]]:
        """Files of the same content, by one comparison or a pair of equal digests."""
        found: defaultdict[str, list[Named]] = defaultdict(list)
        digests: dict[str, Named] = {}
        for fact, used in self._all():
            if isinstance(fact, Compared) and fact.same:
                found[fact.old].append((fact.new, used))
                found[fact.new].append((fact.old, used))
            elif isinstance(fact, Digest):
                first, first_used = digests.setdefault(fact.sha256, (fact.path, used))
                if first != fact.path:
                    found[first].append((fact.path, used | first_used))
                    found[fact.path].append((first, used | first_used))
        return found

    @cached_property
    def _kinds(self) -> Mapping[str, Known[EntryKind]]:
        """What entries and searches show; what a search found was reached through directories only."""
        kinds: dict[str, Known[EntryKind]] = {}
        for fact, used in self._all():
            if isinstance(fact, Entry):
                _note(kinds, fact.path, fact.kind, used)
            elif isinstance(fact, Search):
                for entry in fact.found:
                    _note(kinds, entry.path, entry.kind, used)
                    _note_way(kinds, entry.path, fact.directory, used)
            elif isinstance(fact, Searched):
                for path in fact.files:
                    _note(kinds, path, "file", used)
                    _note_way(kinds, path, fact.directory, used)
        return kinds


def _note(kinds: dict[str, Known[EntryKind]], path: str, kind: EntryKind, used: frozenset[str]) -> None:
    old = kinds.get(path)
    if old is None:
        kinds[path] = Known(kind, used)
    elif old.value != kind:
        raise Contradiction(f"{path} was seen as {old.value} and as {kind}.")


def _note_way(kinds: dict[str, Known[EntryKind]], path: str, top: str, used: frozenset[str]) -> None:
    step = paths.parent(path)
    while step not in (top, ".") and step not in kinds:
        kinds[step] = Known("directory", used)
        step = paths.parent(step)
