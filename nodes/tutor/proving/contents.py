"""What is known of the content of one file: its text, or some of its lines, sizes and searches. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property

from nodes.errors import Contradiction
from nodes.tutor.facts import Digest, Lines, Matches, Measure, MeasureUnit, Text
from nodes.tutor.proving.known import (
    NONE,
    UNKNOWN,
    Bounds,
    Known,
    at_least,
    between,
    exactly,
)
from nodes.tutor.proving.sizes import size

ContentFact = Text | Lines | Measure | Digest | Matches


def lines_of(text: str) -> list[str]:
    r"""The lines of a text, without their ends; divided at "\n" only."""
    return text.removesuffix("\n").split("\n") if text else []


class Content:
    """Content of one file, from facts about it and about files that are the same byte by byte.

    Args:
        facts: each with the names of the observations it rests on.
    """

    def __init__(self, facts: Sequence[tuple[ContentFact, frozenset[str]]]) -> None:
        self.facts = facts

    @classmethod
    def of_text(cls, text: str) -> Content:
        """That of a file with this text."""
        return cls([(Text(path=".", text=text), NONE)])

    @cached_property
    def text(self) -> Known[str] | None:
        """The whole text, as seen or put together from lines.

        Raises:
            Contradiction: two texts of the same file.
        """
        whole: Known[str] | None = None
        for fact, used in self.facts:
            if isinstance(fact, Text):
                if whole is not None and whole.value != fact.text:
                    raise Contradiction(f"Two texts of {fact.path} were seen.")
                if whole is None or len(used) < len(whole.used):
                    whole = Known(fact.text, used)
        return whole or self._put_together()

    @cached_property
    def whole_lines(self) -> Known[Sequence[str]] | None:
        """All lines; whether the last has a line end may be open."""
        if self.text is not None:
            return Known(lines_of(self.text.value), self.text.used)
        return self._all_lines

    @cached_property
    def lines_text(self) -> Known[str] | None:
        """The whole text, for readers that ignore the last line end: made of all lines, it may have one more.

        None if the last line ends with a carriage return, which is a line end of its own to some of them.
        """
        lines = self.whole_lines
        if self.text is not None or lines is None:
            return self.text
        if lines.value and lines.value[-1].endswith("\r"):
            return None
        return Known("".join(f"{line}\n" for line in lines.value), lines.used)

    @cached_property
    def hashed(self) -> str | None:
        """SHA-256 of the text in UTF-8, in hexadecimal digits; None if the text is not known."""
        if self.text is None:
            return None
        return hashlib.sha256(self.text.value.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def digest(self) -> Known[str] | None:
        """SHA-256 as it was shown."""
        shown = {
            fact.sha256: Known(fact.sha256, used) for fact, used in self.facts if isinstance(fact, Digest)
        }
        if len(shown) > 1:
            raise Contradiction("Two digests of one file were seen.")
        return next(iter(shown.values()), None)

    def line(self, number: int) -> Known[str] | None:
        """One line, from 1; None if it is not known, or there is none."""
        if self.text is not None:
            lines = self.whole_lines
            known = lines is not None and 0 < number <= len(lines.value)
            return Known(lines.value[number - 1], lines.used) if lines and known else None
        return self.numbered.get(number)

    def measure(self, unit: MeasureUnit) -> Bounds:
        """Its size as wc counts it."""
        bounds = UNKNOWN
        for fact, used in self.facts:
            if isinstance(fact, Measure) and fact.unit == unit:
                bounds = bounds.both(exactly(fact.value, used))
        if self.text is not None:
            if unit == "words" and bounds.exact and not self.text.value.isascii():
                return bounds
            return bounds.both(between(*size(self.text.value, unit), self.text.used))
        return bounds if bounds.exact else bounds.both(self._measure_of_lines(unit))

    @cached_property
    def numbered(self) -> Mapping[int, Known[str]]:
        """Lines whose numbers are known, if not the whole text is.

        Raises:
            Contradiction: two texts of the same line.
        """
        lines: dict[int, Known[str]] = {}
        for fact, used in self.facts:
            if isinstance(fact, Matches):
                _add(lines, {match.number: match.text for match in fact.lines or ()}, used)
            elif isinstance(fact, Lines) and fact.first is not None:
                _add(lines, dict(enumerate(fact.lines, fact.first)), used)
        number = self.line_count
        for last, used in self.unplaced:
            if last.ends and number.exact:
                first = number.least.value - len(last.lines) + 1
                _add(lines, dict(enumerate(last.lines, first)), used | number.used)
        return lines

    @cached_property
    def line_count(self) -> Bounds:
        """How many lines; one without a line end at the end of the file counts."""
        if self.facts and any(isinstance(fact, Text) for fact, _ in self.facts) and self.text is not None:
            return exactly(len(lines_of(self.text.value)), self.text.used)
        bounds = UNKNOWN
        for fact, used in self.facts:
            if isinstance(fact, Lines):
                bounds = bounds.both(_counted_by_lines(fact, used))
            elif isinstance(fact, Matches):
                bounds = bounds.both(_counted_by_search(fact, used))
            elif isinstance(fact, Measure):
                bounds = bounds.both(self._counted_by_measure(fact, used))
        return bounds

    @cached_property
    def _terminated(self) -> Known[bool] | None:
        """Whether the file ends with a line end, as far as its last lines were shown with it."""
        for fact, used in self.facts:
            if isinstance(fact, Lines) and fact.ends and fact.terminated is not None:
                return Known(fact.terminated, used)
        return None

    @property
    def unplaced(self) -> list[tuple[Lines, frozenset[str]]]:
        """Lines of the end whose numbers were not shown."""
        return [(fact, used) for fact, used in self.facts if isinstance(fact, Lines) and fact.first is None]

    @cached_property
    def _all_lines(self) -> Known[Sequence[str]] | None:
        count = self.line_count
        if not count.exact or len(self.numbered) < count.least.value:
            return None
        used = count.used.union(*(line.used for line in self.numbered.values()))
        return Known([self.numbered[number].value for number in sorted(self.numbered)], used)

    def _put_together(self) -> Known[str] | None:
        """The text from all its lines, if it is known whether the last one has a line end."""
        lines = self._all_lines
        if lines is None:
            return None
        if not lines.value:
            return Known("", lines.used)
        joined = "\n".join(lines.value)
        if self._terminated is not None:
            end = "\n" if self._terminated.value else ""
            return Known(joined + end, lines.used | self._terminated.used)
        for fact, used in self.facts:
            if isinstance(fact, Measure) and fact.unit != "words":
                for text in (joined, joined + "\n"):
                    if size(text, fact.unit)[0] == fact.value:
                        return Known(text, lines.used | used)
        return None

    def _counted_by_measure(self, fact: Measure, used: frozenset[str]) -> Bounds:
        if fact.unit == "bytes" and fact.value == 0:
            return exactly(0, used)
        if fact.unit != "lines":
            return UNKNOWN
        if self._terminated is None:
            return between(fact.value, fact.value + 1, used)
        return exactly(fact.value + (not self._terminated.value), used | self._terminated.used)

    def _measure_of_lines(self, unit: MeasureUnit) -> Bounds:
        if unit == "lines":
            return self._line_ends()
        known = self.numbered.values()
        sizes = [size(line.value, unit) for line in known]
        least, most = sum(low for low, _ in sizes), sum(high for _, high in sizes)
        if unit == "bytes":
            # Every line but the last has a line end for certain.
            least, most = least + max(0, len(sizes) - 1), most + len(sizes)
        if self._all_lines is not None:
            return between(least, most, self._all_lines.used)
        return at_least(least, NONE.union(*(line.used for line in known)))

    def _line_ends(self) -> Bounds:
        """The last line may have no line end."""
        count, terminated = self.line_count, self._terminated
        if count.exact and not count.least.value:
            return count
        if count.exact and terminated is not None:
            return count.shifted(0 if terminated.value else -1).because(terminated.used)
        return Bounds(count.shifted(-1).least, count.most)


def _add(lines: dict[int, Known[str]], new: Mapping[int, str], used: frozenset[str]) -> None:
    for number, text in new.items():
        old = lines.get(number)
        if old is not None and old.value != text:
            raise Contradiction(f"Two texts of line {number} of one file were seen.")
        if old is None or len(used) < len(old.used):
            lines[number] = Known(text, used)


def _counted_by_lines(fact: Lines, used: frozenset[str]) -> Bounds:
    shown = len(fact.lines)
    if fact.first is None or not shown:
        # Without any line shown, an end tells nothing, except at the very beginning.
        return exactly(0, used) if fact.ends and fact.first == 1 else at_least(shown, used)
    last = fact.first + shown - 1
    return exactly(last, used) if fact.ends else at_least(last, used)


def _counted_by_search(fact: Matches, used: frozenset[str]) -> Bounds:
    if fact.literal == "" and not fact.word:
        return UNKNOWN if fact.inverted else exactly(fact.count, used)
    largest = max((match.number for match in fact.lines or ()), default=0)
    return at_least(max(largest, fact.count), used)
