"""Two files or two directories, compared."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from nodes.tutor.facts import Compared, Fact, Hunk, Hunks, Lines
from nodes.tutor.observing.questions.base import Asked, Depends, Printed, Unclear, below, operand, paths_of
from nodes.tutor.observing.questions.contents import digests
from tools.arguments import Stage

HUNK = re.compile(rb"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@[^\n]*")
NO_END = rb"\ No newline at end of file"


class Difference(Asked):
    """Two files, compared byte by byte.

    Attributes:
        old, new: the files.
        lines: the lines that differ are facts, too.
    """

    ask: Literal["difference"] = "difference"
    old: str
    new: str
    lines: bool = True

    def stages(self) -> list[Stage]:
        """`diff` without context, all files taken for text."""
        words = ["-q"] if not self.lines else ["-a", "-U0", "-L", "old", "-L", "new"]
        return [Stage(tool="diff", argv=[*words, *paths_of([self.old, self.new])], expect_exit=(0, 1))]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends((self.old, self.new))

    def facts(self, printed: Printed) -> list[Fact]:
        """Whether they are the same, and the lines of each that the other has not at its place."""
        if printed.returncode not in (0, 1):
            return []
        same = printed.returncode == 0
        facts: list[Fact] = [Compared(old=self.old, new=self.new, same=same)]
        if not self.lines or same:
            return facts
        try:
            return [*facts, *self._changed(printed.output)]
        except UnicodeDecodeError:
            return facts

    def _changed(self, output: bytes) -> list[Fact]:
        rows = output.split(b"\n")[:-1]
        if rows[:2] != [b"--- old", b"+++ new"]:
            raise Unclear("the output has no header")
        facts: list[Fact] = []
        hunks: list[Hunk] = []
        at = 2
        while at < len(rows):
            header = HUNK.fullmatch(rows[at])
            if header is None:
                raise Unclear("a hunk has no header")
            old, at = _part(rows, at + 1, b"-", header[1], header[2])
            new, at = _part(rows, at, b"+", header[3], header[4])
            facts += [part.of(path) for path, part in ((self.old, old), (self.new, new)) if part.lines]
            hunks.append(
                Hunk(
                    old_first=old.first, old=old.lines, new_first=new.first, new=new.lines,
                    old_unended=old.unended, new_unended=new.unended,
                )
            )  # fmt: skip
        return [*facts, Hunks(old=self.old, new=self.new, hunks=tuple(hunks))]


class _Part(NamedTuple):
    """One side of a hunk; `unended` if its last line is the file's and has no line end."""

    first: int
    lines: tuple[str, ...]
    unended: bool

    def of(self, path: str) -> Lines:
        """The lines, as those of a file."""
        terminated = False if self.unended else None
        return Lines(path=path, first=self.first, lines=self.lines, ends=self.unended, terminated=terminated)


def _part(rows: list[bytes], at: int, sign: bytes, first: bytes, count: bytes | None) -> tuple[_Part, int]:
    """One side of a hunk that begins at a row, and where the next begins.

    Raises:
        Unclear: a row is missing, or is of the other side.
    """
    number = int(count) if count is not None else 1
    part, at = rows[at : at + number], at + number
    if len(part) != number or any(row[:1] != sign for row in part):
        raise Unclear("a hunk is not whole")
    unended = number > 0 and rows[at : at + 1] == [NO_END]
    lines = tuple(row[1:].decode("utf-8") for row in part)
    # Of no lines, diff tells the number of the line before.
    return _Part(int(first) + (number == 0), lines, unended), at + unended


class Trees(Asked):
    """The files below two directories that have the same path in both, compared by their digests.

    Attributes:
        old, new: the directories.
        depth: levels below them, or None for all.
    """

    ask: Literal["trees"] = "trees"
    old: str
    new: str
    depth: int | None = None

    def stages(self) -> list[Stage]:
        """`find ... -print0 | xargs -0 sha256sum -z`."""
        depth = ["-maxdepth", str(self.depth)] if self.depth is not None else []
        starts = [operand(self.old), operand(self.new)]
        files = Stage(tool="find", argv=[*starts, *depth, "-type", "f", "-print0"])
        return [files, Stage(tool="sha256sum", argv=["-z"], from_input=True, null_separated=True)]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends((self.old, self.new), deep=True)

    def facts(self, printed: Printed) -> list[Fact]:
        """One comparison for each file that is in both."""
        if printed.returncode != 0:
            return []
        digest = dict(digests(printed.output))
        start = "" if self.old == "." else f"{self.old}/"
        names = [path[len(start) :] for path in digest if path.startswith(start)]
        pairs = [(below(self.old, name), below(self.new, name)) for name in names]
        return [
            Compared(old=old, new=new, same=digest[old] == digest[new]) for old, new in pairs if new in digest
        ]
