"""What is known of the sandbox from some facts: the part that is the same in every world they allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from nodes.tutor.facts import Compared, Digest, Entry, EntryKind, Fact, Lines, Measure, Text

Value = TypeVar("Value")


@dataclass(frozen=True)
class Known(Generic[Value]):
    """A value, and the names of the observations it follows from."""

    value: Value
    used: frozenset[str]


class World:
    """Facts of the observations cited for one claim.

    Args:
        facts: by the observation's name.

    Raises:
        Contradiction: two of them cannot both be so.
    """

    def __init__(self, facts: Mapping[str, Iterable[Fact]]) -> None:
        self._facts = [(name, fact) for name, some in facts.items() for fact in some]

    def text(self, path: str) -> Known[str] | None:
        """The whole content of a file."""
        for name, fact in self._facts:
            if isinstance(fact, Text) and fact.path == path:
                return Known(fact.text, frozenset({name}))
        return None

    def line(self, path: str, number: int) -> Known[str] | None:
        """One line of a file, without its line end; None if it is not known, or there is none."""
        whole = self.text(path)
        if whole is not None:
            lines = whole.value.removesuffix("\n").split("\n") if whole.value else []
            return Known(lines[number - 1], whole.used) if 0 < number <= len(lines) else None
        for name, fact in self._facts:
            if isinstance(fact, Lines) and fact.path == path and fact.first is not None:
                at = number - fact.first
                if 0 <= at < len(fact.lines):
                    return Known(fact.lines[at], frozenset({name}))
        return None

    def kind(self, path: str) -> Known[EntryKind] | None:
        """What stands at a path, or that nothing does."""
        for name, fact in self._facts:
            if isinstance(fact, Entry) and fact.path == path:
                return Known(fact.kind, frozenset({name}))
        return None

    def same(self, old: str, new: str) -> Known[bool] | None:
        """Whether two files have the same content, byte for byte; sizes alone can only tell them apart."""
        for name, fact in self._facts:
            if isinstance(fact, Compared) and {fact.old, fact.new} == {old, new}:
                return Known(fact.same, frozenset({name}))
        texts = self.text(old), self.text(new)
        if texts[0] is not None and texts[1] is not None:
            return Known(texts[0].value == texts[1].value, texts[0].used | texts[1].used)
        digests = self._digest(old), self._digest(new)
        if digests[0] is not None and digests[1] is not None:
            return Known(digests[0].value == digests[1].value, digests[0].used | digests[1].used)
        for name, fact in self._facts:
            for other, against in self._facts:
                if (
                    isinstance(fact, Measure)
                    and isinstance(against, Measure)
                    and (fact.path, against.path, fact.unit) == (old, new, against.unit)
                    and fact.value != against.value
                ):
                    return Known(False, frozenset({name, other}))
        return None

    def _digest(self, path: str) -> Known[str] | None:
        for name, fact in self._facts:
            if isinstance(fact, Digest) and fact.path == path:
                return Known(fact.sha256.lower(), frozenset({name}))
        return None
