"""Where a request reads its text: named files, or all files of a selection."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memory.recipes.requests.draft import SORT_BY_NAME, Facts, Stage, over
from memory.recipes.requests.filter_wording import PATHS
from memory.recipes.requests.filters import read_selection
from memory.recipes.requests.marked import BARE, Marked
from memory.recipes.requests.selection import Selection

NAMED = re.compile(
    rf"(?:the |both |both the |all of )?(?:(?:text |log |csv |tsv |input )?(?:files?|scripts?) )?(?:named |called )?(?P<x>{PATHS})(?: files?)?",
    re.IGNORECASE,
)
EACH = re.compile(r"^(?:in )?(?:each|every)(?: of)?(?: the)? ", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """Files to read.

    Attributes:
        paths: names in the request; empty for a selection.
        selection: which files, where they are not named.
        each: True if the request wants something of each of them.
    """

    paths: tuple[str, ...] = ()
    selection: Selection | None = None
    each: bool = False

    def names(self) -> tuple[str, ...]:
        """Paths of the request that must exist."""
        return self.paths or (self.selection.names() if self.selection else ())

    @property
    def several(self) -> bool:
        """True if there may be more than one file."""
        return len(self.paths) != 1

    def fits(self, facts: Facts) -> bool:
        """True if what is named exists and can be read as files."""
        if self.selection is not None:
            return all(facts.kind(name) for name in self.selection.names())
        return bool(self.paths) and all(facts.kind(path) in ("file", "link") for path in self.paths)

    def listed(self, facts: Facts) -> list[Stage]:
        """Stages that print the names of the files, each ended by NUL."""
        if self.selection is None:
            return [{"tool": "find", "args": {"paths": self.at(facts), "maxdepth": 0, "print0": True}}]
        return [*self.selection.stages(), SORT_BY_NAME]

    def at(self, facts: Facts) -> list[str]:
        """The paths of named files."""
        return [facts.place(path) for path in self.paths]

    def text(self, facts: Facts) -> list[Stage]:
        """Stages that print the lines of all files, one after the other.

        A last line without a line break is not joined to the first of the next file, as cat would join it.
        """
        if not self.several:
            return self.content(facts)
        every_line = ["-h", "-a", "-e", ""]
        found: Stage = {"tool": "grep", "expect_exit": [0, 1]}
        if self.selection is None:
            return [found | {"argv": [*every_line, "--", *self.at(facts)]}]
        return [*self.listed(facts), found | {"argv": every_line, "from_input": True, "null_separated": True}]

    def content(self, facts: Facts) -> list[Stage]:
        """Stages that print the content of all files, byte for byte."""
        return self.through(facts, "cat")

    def through(self, facts: Facts, tool: str, **args: Any) -> list[Stage]:
        """Stages that run a tool on the files."""
        if self.selection is None:
            return [{"tool": tool, "args": {**args, "paths": self.at(facts)}}]
        return [*self.listed(facts), over(tool, **args)]

    def inside(self, facts: Facts) -> Source:
        """All files below a directory, where just one is named."""
        if len(self.paths) != 1 or facts.kind(self.paths[0]) != "directory":
            return self
        return Source(selection=Selection(kind="f", scope=[facts.place(self.paths[0])], noun="files"))

    def described(self) -> str:
        """The files in words."""
        return ", ".join(self.paths) if self.selection is None else self.selection.described()


def read_source(text: str, marked: Marked) -> Source | None:
    """The files a noun phrase names, or None."""
    phrase = text.strip()
    each = bool(EACH.match(phrase))
    match = NAMED.fullmatch(phrase)
    if match and not re.search(r"‹[EG]", phrase):
        parts = re.split(r"(?:,? (?:and|or) |, ?)", match["x"])
        bare = [part for part in parts if re.fullmatch(BARE, part)]
        # A word that is no path by its looks names a file only where it is said to be one.
        if not bare or re.search(r"\bfiles?\b", phrase):
            return Source(tuple(marked.value(part) for part in parts))
        return Source(tuple(marked.value(part) for part in parts)) if len(parts) == 1 else None
    selection = read_selection(EACH.sub("", phrase), marked)
    if selection is None or selection.kind != "f":
        return None
    return Source(selection=selection, each=each)
