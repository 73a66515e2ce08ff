r"""Facts: what one observation shows of the sandbox, typed. Provers see nothing else.

Every fact is whole: what was cut off, capped, ambiguous or printed by a failing command makes no fact.
Paths are relative to the sandbox, without "./", doubled or closing slashes; the sandbox itself is ".".
Text is divided into lines at "\n" only, as wc and grep do.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

EntryKind = Literal["file", "directory", "link", "other", "absent"]
MeasureUnit = Literal["lines", "words", "bytes"]


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Fact):
    """What stands at a path; a link is a link, whatever it leads to."""

    fact: Literal["entry"] = "entry"
    path: str
    kind: EntryKind


class Text(_Fact):
    """The whole content of a file."""

    fact: Literal["text"] = "text"
    path: str
    text: str


class Lines(_Fact):
    """Whole lines of a file that follow one another.

    Attributes:
        path: the file.
        first: number of the first of them, from 1; None if it is not known (as with the last lines of a
            file of unknown length).
        lines: without their line ends.
        ends: True if the last of them is the file's last.
        terminated: whether the file ends with a line end, if they are its last and that was seen; else None.
    """

    fact: Literal["lines"] = "lines"
    path: str
    first: int | None
    lines: tuple[str, ...]
    ends: bool = False
    terminated: bool | None = None


class Measure(_Fact):
    """A size as wc counts it: lines are line ends, words are separated by white space."""

    fact: Literal["measure"] = "measure"
    path: str
    unit: MeasureUnit
    value: int


class Digest(_Fact):
    """SHA-256 of a file's bytes, in small hexadecimal digits."""

    fact: Literal["digest"] = "digest"
    path: str
    sha256: str


class Found(_Fact):
    """One entry a search found."""

    path: str
    kind: EntryKind


class Search(_Fact):
    """Everything in a directory that passes all tests; links are not followed.

    Attributes:
        directory: where it looked; itself never among `found`.
        names: globs as fnmatch(3) has them, of which the last part of a path has to match one; empty for
            every name.
        kind: what it has to be, or None for anything.
        depth: levels below the directory, 1 for its own entries; None for all.
        hidden: False if names that begin with a dot, and what is below them, were left out.
        found: in no order.
    """

    fact: Literal["search"] = "search"
    directory: str
    names: tuple[str, ...] = ()
    kind: Literal["file", "directory", "link"] | None = None
    depth: int | None = None
    hidden: bool = True
    found: tuple[Found, ...]


class Walked(_Fact):
    """Directories a search went through, none of them a link; what they hold was not shown.

    Attributes:
        directory: where it began.
        paths: those below it, in no order.
    """

    fact: Literal["walked"] = "walked"
    directory: str
    paths: tuple[str, ...]


class Match(_Fact):
    """A line that a text search printed.

    Attributes:
        path: its file.
        number: of the line, from 1.
        text: the whole line.
    """

    path: str
    number: int
    text: str


class Matches(_Fact):
    """Lines of one file that a text search selects, all of them.

    One for every file that was searched and whose lines are known; files without a match are in `Searched`.

    Attributes:
        path: the file.
        literal: the text looked for, if a line is selected for holding this text, and else None.
        word: it had to stand there as a whole word (grep -w).
        ignore_case: in capital or small letters.
        inverted: the lines are those without it.
        count: how many lines.
        lines: the lines themselves, if they were shown; their number is `count`.
    """

    fact: Literal["matches"] = "matches"
    path: str
    literal: str | None
    word: bool = False
    ignore_case: bool = False
    inverted: bool = False
    count: int
    lines: tuple[Match, ...] | None = None


class Searched(_Fact):
    """A text search over a whole directory, links not followed: every file with a selected line is named.

    Attributes:
        directory: where it looked.
        literal, word, ignore_case: as in `Matches`; never inverted.
        files: those with at least one such line.
        counts: selected lines of each of `files`, if known.
    """

    fact: Literal["searched"] = "searched"
    directory: str
    literal: str
    word: bool = False
    ignore_case: bool = False
    files: tuple[str, ...]
    counts: tuple[int, ...] | None = None


class Hunk(_Fact):
    """Lines of an old file, and those of the new one that stand in their place.

    Attributes:
        old_first, new_first: number of the first of them, from 1; if there are none, of the line that would
            follow.
        old, new: the lines, without their ends; one of the two may be empty.
        old_unended, new_unended: True if the last of them is its file's last and has no line end.
    """

    old_first: int
    old: tuple[str, ...]
    new_first: int
    new: tuple[str, ...]
    old_unended: bool = False
    new_unended: bool = False


class Hunks(_Fact):
    """Two files that differ, compared line by line: outside of the hunks they are the same, line by line.

    Attributes:
        old, new: the files.
        hunks: all of them, in order.
    """

    fact: Literal["hunks"] = "hunks"
    old: str
    new: str
    hunks: tuple[Hunk, ...]


class Compared(_Fact):
    """Two files, compared byte by byte."""

    fact: Literal["compared"] = "compared"
    old: str
    new: str
    same: bool


Fact = Annotated[
    Entry | Text | Lines | Measure | Digest | Search | Walked | Matches | Searched | Compared | Hunks,
    Field(discriminator="fact"),
]
