"""What stands at some paths, and what stands in directories."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from nodes.tutor.facts import Entry, EntryKind, Fact, Found, Measure, Search, Walked
from nodes.tutor.observing.questions.base import (
    Asked,
    Depends,
    Printed,
    Unclear,
    below,
    fields,
    kind_of,
    operand,
    paths_of,
    plain,
)
from tools.arguments import Stage

# Kind, size and name of stat(1), and what it calls kinds.
STATUS = "%F\\0%s\\0%n\\0"
STATUS_KINDS: dict[str, EntryKind] = {
    "regular file": "file", "regular empty file": "file", "directory": "directory", "symbolic link": "link",
}  # fmt: skip
WITHIN = "%y\\0%s\\0%P\\0"
LOCATED = "%y\\0%H\\0%P\\0"
MISSING = re.compile(r"(?:/\S*/)?stat: cannot statx? '(.*)': No such file or directory")


class Kinds(Asked):
    """What stands at each path; a link is a link. Paths with nothing there are told by the diagnostics.

    Attributes:
        paths: what was named in a call.
        above: directories and links on the way to them.
        sizes: the sizes of files are facts, too.
    """

    ask: Literal["kinds"] = "kinds"
    paths: tuple[str, ...]
    above: tuple[str, ...] = ()
    sizes: bool = False

    def stages(self) -> list[Stage]:
        """`stat`, which follows no link it is given, so that one that leads out can be told of."""
        return [Stage(tool="stat", argv=[f"--printf={STATUS}", *paths_of([*self.paths, *self.above])])]

    def depends(self) -> Depends:
        """See `Asked`; every footprint tells of what is on the way."""
        return Depends(self.paths, contents=self.sizes)

    def facts(self, printed: Printed) -> list[Fact]:
        """An entry for each path, and the size of files if asked for."""
        facts: list[Fact] = []
        for kind, size, name in fields(printed.output, 3):
            facts.append(Entry(path=plain(name), kind=STATUS_KINDS.get(kind, "other")))
            if self.sizes and STATUS_KINDS.get(kind) == "file":
                facts.append(Measure(path=plain(name), unit="bytes", value=int(size)))
        told = {found[1] for line in printed.errors.split("\n") if (found := MISSING.fullmatch(line))}
        there = {fact.path for fact in facts if isinstance(fact, Entry)}
        missing = [
            path
            for path in self.paths
            if path not in there and _is_quoted_plainly(path) and operand(path) in told
        ]
        return [*facts, *(Entry(path=path, kind="absent") for path in missing)]


def _is_quoted_plainly(path: str) -> bool:
    """True if stat quotes a name as it is, so that no other name has the same message."""
    return not {"'", "\\"} & set(path) and all(
        sign == " " or unicodedata.category(sign)[0] not in "CZ" for sign in path
    )


class Listing(Asked):
    """Everything in a directory that passes some tests; fields as in `Search`.

    Attributes:
        first: how many of the entries were shown, or None for all; then there is no `Search` of fewer.
        sizes: the sizes of files were shown, too, in bytes.
    """

    ask: Literal["listing"] = "listing"
    directory: str
    names: tuple[str, ...] = ()
    kind: Literal["file", "directory", "link"] | None = None
    depth: int | None = None
    hidden: bool = True
    first: int | None = None
    sizes: bool = False

    def stages(self) -> list[Stage]:
        """One `find`, with the kind, the size and the path of each entry."""
        words = [operand(self.directory), "-mindepth", "1"]
        words += ["-maxdepth", str(self.depth)] if self.depth is not None else []
        words += [] if self.hidden else ["-name", ".*", "-prune", "-o"]
        words += ["-type", self.kind[0]] if self.kind else []
        globs = [word for name in self.names for word in ("-o", "-name", name)]
        words += ["(", *globs[1:], ")"] if globs else []
        return [Stage(tool="find", argv=[*words, "-printf", WITHIN])]

    def depends(self) -> Depends:
        """See `Asked`."""
        # A footprint looks at the sizes of what is below a directory only if it looks at all of it.
        return Depends((self.directory,), deep=self.depth != 1 or self.sizes, contents=self.sizes)

    def facts(self, printed: Printed) -> list[Fact]:
        """The whole search, and what the directory is."""
        if printed.returncode != 0:
            return []
        records = fields(printed.output, 3)
        found = tuple(
            Found(path=below(self.directory, name), kind=kind_of(letter)) for letter, _, name in records
        )
        if self.first is not None and len(found) > self.first:
            return [Entry(path=each.path, kind=each.kind) for each in found[: self.first]]
        sizes = [
            Measure(path=each.path, unit="bytes", value=int(size))
            for each, (_, size, _) in zip(found, records, strict=True)
            if self.sizes and each.kind == "file"
        ]
        search = Search(
            directory=self.directory, names=self.names, kind=self.kind, depth=self.depth, hidden=self.hidden,
            found=found,
        )  # fmt: skip
        return [search, *sizes]


class Walk(Asked):
    """The directories that a search of a directory goes through, whatever it looks for."""

    ask: Literal["walk"] = "walk"
    directory: str

    def stages(self) -> list[Stage]:
        """One `find` for directories."""
        words = [operand(self.directory), "-mindepth", "1", "-type", "d", "-printf", "%P\\0"]
        return [Stage(tool="find", argv=words)]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends((self.directory,), deep=True, contents=False)

    def facts(self, printed: Printed) -> list[Fact]:
        """That they are directories."""
        if printed.returncode != 0:
            return []
        found = tuple(below(self.directory, name) for (name,) in fields(printed.output, 1))
        return [Walked(directory=self.directory, paths=found)]


class Located(Asked):
    """What a `find` prints whose tests are more than names and kinds: each path is there, no more is known.

    Attributes:
        starts: where it begins.
        words: the expression of find, every action that prints replaced by one that tells kinds.
        first: how many of the entries were shown, or None for all.
    """

    ask: Literal["located"] = "located"
    starts: tuple[str, ...]
    words: tuple[str, ...]
    first: int | None = None

    def stages(self) -> list[Stage]:
        """The same search."""
        return [Stage(tool="find", argv=[*map(operand, self.starts), *self.words])]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends(self.starts, deep=True, contents=False)

    def facts(self, printed: Printed) -> list[Fact]:
        """An entry for each path printed."""
        if printed.returncode != 0:
            return []
        records = fields(printed.output, 3)[: self.first]
        facts: list[Fact] = []
        for letter, start, name in records:
            if plain(start) not in self.starts:
                raise Unclear("a start point is not as it was given")
            path = below(plain(start), name) if name else plain(start)
            facts.append(Entry(path=path, kind=kind_of(letter)))
        return facts
