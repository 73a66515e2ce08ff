"""What is known of the sandbox from some facts: the part that is the same in every world they allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from nodes.tutor.facts import Fact, Lines, Text

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
