"""What a text search looks for in lines, and which searches follow from which. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nodes.tutor.facts import Matches, Searched

Way = Literal["substring", "word", "line"]
Counted = Literal["matching lines", "occurrences"]


@dataclass(frozen=True)
class Wanted:
    """Lines that hold a text.

    Attributes:
        literal: the text.
        way: anywhere, not inside a longer word, or as the whole line.
        ignore_case: in capital or small letters.
    """

    literal: str
    way: Way = "substring"
    ignore_case: bool = False

    def holds(self, line: str) -> bool:
        """True if a line has it; case counts, since lines are never judged for a search that ignores it."""
        if self.way == "line":
            return line == self.literal
        return self.literal in line if self.way == "substring" else has_word(line, self.literal)


@dataclass(frozen=True)
class Weighed:
    """What is added up over lines.

    Attributes:
        wanted: only lines that hold it add anything.
        counted: such lines, or the places where the text stands in them.
    """

    wanted: Wanted
    counted: Counted = "matching lines"

    @property
    def spans_lines(self) -> bool:
        """True if single lines cannot show it."""
        return "\n" in self.wanted.literal

    def of(self, line: str) -> tuple[int, int]:
        """What one line adds, at least and at most."""
        if self.counted == "matching lines":
            held = int(self.wanted.holds(line))
            return held, held
        return occurrences(line, self.wanted.literal)

    def of_all(self, lines: Sequence[str]) -> tuple[int, int]:
        """What some lines add, at least and at most."""
        least = most = 0
        for line in lines:
            if self.wanted.literal in line:
                low, high = self.of(line)
                least, most = least + low, most + high
        return least, most

    def of_text(self, text: str, lines: Sequence[str]) -> tuple[int, int]:
        """What a whole file adds, at least and at most."""
        if not self.spans_lines:
            return self.of_all(lines)
        least, most = occurrences(text, self.wanted.literal)
        return (least, most) if self.counted == "occurrences" else (min(least, 1), min(most, 1))


def has_word(line: str, literal: str) -> bool:
    """True if a text stands in a line with no letter, digit or `_` right before or after it (grep -w)."""
    at = line.find(literal)
    while at >= 0:
        end = at + len(literal)
        before, after = line[at - 1 : at] if at else "", line[end : end + 1]
        if not (_of_word(before) or _of_word(after)):
            return True
        at = line.find(literal, at + 1)
    return False


def _of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def occurrences(text: str, literal: str) -> tuple[int, int]:
    """How often a text stands in another: counted one after the other, and with those that overlap."""
    apart, every = text.count(literal), 0
    at = text.find(literal)
    while at >= 0:
        every += 1
        at = text.find(literal, at + 1)
    return apart, every


def wanted_by(fact: Matches | Searched) -> Wanted | None:
    """What a text search selected lines for (or against, if inverted); None if it was no plain text."""
    if fact.literal is None or "\n" in fact.literal or (fact.word and not fact.literal):
        return None
    return Wanted(fact.literal, "word" if fact.word else "substring", fact.ignore_case)


def implies(one: Wanted, other: Wanted) -> bool:
    """True if every line that holds one holds the other; False where that is not sure."""
    if one.literal == other.literal and one.way == other.way and one.ignore_case <= other.ignore_case:
        return True
    if one.ignore_case:
        return False
    inner, outer = other.literal, one.literal
    if other.ignore_case and inner.isascii() and outer.isascii():
        inner, outer = inner.lower(), outer.lower()
    if other.way == "substring":
        return inner in outer
    if other.way == "line":
        return one.way == "line" and inner == outer
    if one.way == "substring":
        # The worst neighbours it can have: a letter on both sides that is no part of what is looked for.
        letter = next(chr(code) for code in range(0x4E00, 0x9FFF) if chr(code) not in inner)
        outer = f"{letter}{outer}{letter}"
    return has_word(outer, inner)
