"""What files hold: their text or a part of it, their sizes, their digests."""

from __future__ import annotations

import re
from typing import Literal

from nodes.tutor.facts import Digest, Fact, Lines, Measure, MeasureUnit, Text
from nodes.tutor.observing.questions.base import (
    Asked,
    Depends,
    Printed,
    Unclear,
    fields,
    lines_of,
    paths_of,
    plain,
)
from tools.arguments import Stage

OPTIONS: dict[MeasureUnit, str] = {"lines": "-l", "words": "-w", "bytes": "-c"}


class Content(Asked):
    """Lines of a file from one on.

    Attributes:
        path: the file.
        start: number of the first line, from 1.
        most: how many lines at most, or None for all that follow.
    """

    ask: Literal["content"] = "content"
    path: str
    start: int = 1
    most: int | None = None

    def stages(self) -> list[Stage]:
        """`cat`, `head`, `tail`, or the last two."""
        path = paths_of([self.path])
        if self.start == 1 and self.most is None:
            return [Stage(tool="cat", argv=path)]
        if self.start == 1:
            return [Stage(tool="head", argv=["-n", str(self.most), *path])]
        rest = Stage(tool="tail", argv=["-n", f"+{self.start}", *path])
        return [rest] if self.most is None else [rest, Stage(tool="head", argv=["-n", str(self.most)])]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends((self.path,))

    def facts(self, printed: Printed) -> list[Fact]:
        """The whole text if the output reaches from the first line to the end, else the lines."""
        if printed.returncode != 0:
            return []
        text = printed.output.decode("utf-8")
        ends = self.most is None or text.count("\n") < self.most
        if self.most == 0:
            return []
        if ends and self.start == 1:
            return [Text(path=self.path, text=text)]
        if not text:
            return []
        return [
            Lines(
                path=self.path, first=self.start, lines=tuple(lines_of(text)), ends=ends,
                terminated=text.endswith("\n") if ends else None,
            )
        ]  # fmt: skip


class Ending(Asked):
    """The last lines of a file.

    Attributes:
        path: the file.
        most: how many.
    """

    ask: Literal["ending"] = "ending"
    path: str
    most: int

    def stages(self) -> list[Stage]:
        """`tail`."""
        return [Stage(tool="tail", argv=["-n", str(self.most), *paths_of([self.path])])]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends((self.path,))

    def facts(self, printed: Printed) -> list[Fact]:
        """The whole text if the file has fewer lines, else lines of unknown numbers."""
        if printed.returncode != 0 or self.most == 0:
            return []
        text = printed.output.decode("utf-8")
        lines = lines_of(text)
        if len(lines) < self.most:
            return [Text(path=self.path, text=text)]
        terminated = text.endswith("\n")
        return [Lines(path=self.path, first=None, lines=tuple(lines), ends=True, terminated=terminated)]


class Sizes(Asked):
    """Sizes of files as wc counts them.

    Attributes:
        paths: the files.
        units: what was counted.
    """

    ask: Literal["sizes"] = "sizes"
    paths: tuple[str, ...]
    units: tuple[MeasureUnit, ...]

    def stages(self) -> list[Stage]:
        """`wc`, which prints one line a file in the order they are given, names with line ends quoted."""
        return [Stage(tool="wc", argv=[*(OPTIONS[unit] for unit in self.units), *paths_of(self.paths)])]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends(self.paths)

    def facts(self, printed: Printed) -> list[Fact]:
        """Every size of every file."""
        if printed.returncode != 0:
            return []
        # wc prints in this order, whatever the order of its options.
        units = [unit for unit in OPTIONS if unit in self.units]
        row = re.compile(rb" *" + rb" +".join([rb"([0-9]+)"] * len(units)) + rb" .*", re.DOTALL)
        rows = [row.fullmatch(line) for line in printed.output.split(b"\n")[:-1]]
        if len(rows) != len(self.paths) + (len(self.paths) > 1):
            raise Unclear("there is not one line for each file")
        facts: list[Fact] = []
        for path, found in zip(self.paths, rows, strict=False):
            if found is None:
                raise Unclear("a line does not begin with numbers")
            facts += [
                Measure(path=path, unit=unit, value=int(number))
                for unit, number in zip(units, found.groups(), strict=True)
            ]
        return facts


class Sums(Asked):
    """SHA-256 of files."""

    ask: Literal["sums"] = "sums"
    paths: tuple[str, ...]

    def stages(self) -> list[Stage]:
        """`sha256sum`, each line ending with NUL."""
        return [Stage(tool="sha256sum", argv=["-z", *paths_of(self.paths)])]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends(self.paths)

    def facts(self, printed: Printed) -> list[Fact]:
        """A digest for each file."""
        if printed.returncode != 0:
            return []
        return [Digest(path=path, sha256=digest) for path, digest in digests(printed.output)]


def digests(output: bytes) -> list[tuple[str, str]]:
    """Path and digest of each record of `sha256sum -z`.

    Raises:
        Unclear: it is no such output.
    """
    found = []
    for (record,) in fields(output, 1):
        match = re.fullmatch(r"([0-9a-f]{64})  (.+)", record, re.DOTALL)
        if match is None:
            raise Unclear("a record holds no digest")
        found.append((plain(match[2]), match[1]))
    return found
