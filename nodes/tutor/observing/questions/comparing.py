"""Two files or two directories, compared."""

from __future__ import annotations

import re
from typing import Literal

from nodes.tutor.facts import Compared, Fact, Lines
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
        at = 2
        while at < len(rows):
            hunk = HUNK.fullmatch(rows[at])
            if hunk is None:
                raise Unclear("a hunk has no header")
            at += 1
            for path, sign, first, count in (
                (self.old, b"-", hunk[1], hunk[2]),
                (self.new, b"+", hunk[3], hunk[4]),
            ):
                number = int(count) if count is not None else 1
                part, at = rows[at : at + number], at + number
                if len(part) != number or any(row[:1] != sign for row in part):
                    raise Unclear("a hunk is not whole")
                ends = rows[at : at + 1] == [NO_END]
                at += ends
                if number:
                    lines = tuple(row[1:].decode("utf-8") for row in part)
                    facts.append(Lines(path=path, first=int(first), lines=lines, ends=ends))
        return facts


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
