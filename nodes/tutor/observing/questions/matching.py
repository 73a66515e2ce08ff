"""Lines that a text search selects, in named files and below directories."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from nodes.tutor.facts import Fact, Lines, Match, Matches, Searched
from nodes.tutor.observing.questions.base import Asked, Depends, Printed, Unclear, paths_of, plain
from nodes.tutor.observing.questions.letters import Doubtful, either_case, holds_word
from tools.arguments import Stage

DIALECTS = {"fixed": "-F", "basic": "-G", "extended": "-E", "perl": "-P"}
_Value = TypeVar("_Value")
LINE = re.compile(rb"([^\0]+)\0([0-9]+)([:-])([^\n]*)\n")
# What grep prints between groups of lines; a path begins with "./".
BETWEEN = b"--\n"
COUNT = re.compile(rb"([^\0]+)\0([0-9]+)\n")


@dataclass(frozen=True)
class Row:
    """A line as grep prints it; one that is not selected is shown beside one that is."""

    path: str
    number: int
    text: bytes
    selected: bool = True


class Selected(Asked):
    """Which lines a text search selects.

    Attributes:
        files: regular files that were named.
        directories: directories that were named; everything below them is searched.
        patterns: of which a line has to match one.
        dialect: what they are written in.
        literal: the text they stand for, if they stand for one: then this is searched for, not the patterns.
        ignore_case, word, line, inverted: grep's -i, -w, -x and -v. Of a literal, -i means ASCII letters.
        counts: only how many lines there are was shown.
        most: lines shown of a file at most (grep -m), or None.
        first: lines shown at all at most, or None.
        before, after: lines shown beside each selected one.
        narrowed: options that leave some files of the directories out.
    """

    ask: Literal["selected"] = "selected"
    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    patterns: tuple[str, ...]
    dialect: Literal["fixed", "basic", "extended", "perl"] = "basic"
    literal: str | None = None
    ignore_case: bool = False
    word: bool = False
    line: bool = False
    inverted: bool = False
    counts: bool = False
    most: int | None = None
    first: int | None = None
    before: int = 0
    after: int = 0
    narrowed: tuple[str, ...] = ()

    def stages(self) -> list[Stage]:
        """`grep` with the file, NUL and the number in front of each line; no file is taken for binary."""
        words = ["-a", "-H", "-Z", "-c" if self._counted else "-n"]
        words += ["-r"] if self.directories else []
        words += ["-v"] if self.inverted else []
        words += [f"-m{self.most}"] if self.most is not None else []
        words += [] if self._counted else [f"-B{self.before}", f"-A{self.after}"]
        if self.literal is None:
            words += [DIALECTS[self.dialect]]
            words += [
                option
                for option, given in (("-i", self.ignore_case), ("-w", self.word), ("-x", self.line))
                if given
            ]
            patterns: Iterable[str] = self.patterns
        elif self.ignore_case:
            words, patterns = [*words, "-G"], [either_case(self.literal)]
        else:
            words, patterns = [*words, "-F"], [self.literal]
        words += [word for pattern in patterns for word in ("-e", pattern)]
        paths = paths_of([*self.files, *self.directories])
        return [Stage(tool="grep", argv=[*words, *self.narrowed, *paths], expect_exit=(0, 1))]

    def depends(self) -> Depends:
        """See `Asked`."""
        return Depends((*self.files, *self.directories), deep=bool(self.directories))

    @property
    def _counted(self) -> bool:
        """Lines are needed to tell whole words, even if only counts are shown."""
        return self.counts and not (self.word and self.literal is not None)

    def facts(self, printed: Printed) -> list[Fact]:
        """The selected lines of every file of which all are known, and what a whole directory holds."""
        if printed.returncode not in (0, 1):
            return []
        if self._counted:
            counts = self._within(dict(_counts(printed.output)))
            if self.most is not None:
                counts = {path: count for path, count in counts.items() if count < self.most}
            selected = [self._matches(path, count, None) for path, count in counts.items()]
            return [*selected, *self._searched({path: count for path, count in counts.items() if count})]
        rows: dict[str, list[Row]] = {path: [] for path in self.files}
        printed_rows = list(_rows(printed.output))
        if self.first is not None and len(printed_rows) > self.first:
            return _single_lines(printed_rows[: self.first])
        for row in printed_rows:
            if row.selected:
                rows.setdefault(row.path, []).append(row)
        beside = _single_lines([row for row in printed_rows if not row.selected])
        return [*self._of_rows(self._within(rows)), *beside]

    def _of_rows(self, rows: dict[str, list[Row]]) -> list[Fact]:
        facts: list[Fact] = []
        try:
            found = {path: self._as_words(some) for path, some in rows.items()}
        except Doubtful:
            return [fact for some in rows.values() for fact in _single_lines(some)]
        for path, some in found.items():
            if self.most is not None and len(rows[path]) >= self.most:
                facts += _single_lines(some)
            else:
                facts.append(self._matches(path, len(some), some))
        return [*facts, *self._searched({path: len(some) for path, some in found.items() if some})]

    def _within(self, found: dict[str, _Value]) -> dict[str, _Value]:
        """The same, when every path lies where it was looked for.

        Raises:
            Unclear: one does not.
        """
        for path in found:
            searched = any(place == "." or path.startswith(f"{place}/") for place in self.directories)
            if path not in self.files and not searched:
                raise Unclear("a line is of a file that was not named")
        return found

    def _as_words(self, rows: list[Row]) -> list[Row]:
        """Those lines in which a literal stands as a whole word, where that was asked for.

        Raises:
            Doubtful: for one it cannot be told.
        """
        if not self.word or self.literal is None:
            return rows
        return [row for row in rows if holds_word(row.text.decode("utf-8"), self.literal, self.ignore_case)]

    def _matches(self, path: str, count: int, rows: list[Row] | None) -> Matches:
        shown = None if rows is None or self.counts else _shown(rows)
        return Matches(
            path=path, literal=self.literal, word=self.word, ignore_case=self.ignore_case,
            inverted=self.inverted, count=count, lines=shown,
        )  # fmt: skip

    def _searched(self, counts: dict[str, int]) -> list[Fact]:
        if self.literal is None or self.inverted or self.narrowed or self.most is not None:
            return []
        facts: list[Fact] = []
        for place in self.directories:
            inside = [path for path in counts if place == "." or path.startswith(f"{place}/")]
            facts.append(
                Searched(
                    directory=place, literal=self.literal, word=self.word, ignore_case=self.ignore_case,
                    files=tuple(inside), counts=tuple(counts[path] for path in inside),
                )
            )  # fmt: skip
        return facts


def _rows(output: bytes) -> Iterable[Row]:
    for path, number, sign, text in _records(LINE, output):
        yield Row(plain(path.decode("utf-8")), int(number), text, sign == b":")


def _counts(output: bytes) -> Iterable[tuple[str, int]]:
    for path, number in _records(COUNT, output):
        yield plain(path.decode("utf-8")), int(number)


def _records(form: re.Pattern[bytes], output: bytes) -> Iterable[tuple[bytes, ...]]:
    at = 0
    while at < len(output):
        at += len(BETWEEN) if output.startswith(BETWEEN, at) else 0
        found = form.match(output, at)
        if found is None:
            raise Unclear("a record has another form")
        yield found.groups()
        at = found.end()


def _shown(rows: list[Row]) -> tuple[Match, ...] | None:
    """The lines, if they are text."""
    try:
        return tuple(Match(path=row.path, number=row.number, text=row.text.decode("utf-8")) for row in rows)
    except UnicodeDecodeError:
        return None


def _single_lines(rows: list[Row]) -> list[Fact]:
    """What is known of a file some of whose selected lines were shown."""
    shown = _shown(rows) or ()
    return [Lines(path=match.path, first=match.number, lines=(match.text,)) for match in shown]
