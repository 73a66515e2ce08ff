"""Lines of a file as duplicates are looked for in: by their tokens, without layout and comments."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b


@dataclass(frozen=True)
class Units:
    """Lines of code in their order, column by column; a statement that is broken over lines is one unit.

    Attributes:
        first, last: lines, from 1.
        tokens: how many there are; `literals` of them are numbers and strings.
        shapes: hashes of the tokens, all names taken as one and all literals as one.
        exact: hashes of the tokens as they are written.
    """

    first: array[int] = field(default_factory=lambda: array("L"))
    last: array[int] = field(default_factory=lambda: array("L"))
    tokens: array[int] = field(default_factory=lambda: array("L"))
    literals: array[int] = field(default_factory=lambda: array("L"))
    shapes: array[int] = field(default_factory=lambda: array("Q"))
    exact: array[int] = field(default_factory=lambda: array("Q"))

    def __len__(self) -> int:
        """How many units there are."""
        return len(self.first)

    def add(self, first: int, last: int, shape: Sequence[str], written: Sequence[str]) -> None:
        """Append a unit.

        Args:
            first: line.
            last: line.
            shape: its tokens, a name as NAME and a literal as LITERAL.
            written: the same tokens as they stand there.
        """
        self.first.append(first)
        self.last.append(last)
        self.tokens.append(len(shape))
        self.literals.append(shape.count(LITERAL))
        self.shapes.append(_hash_of_shape(" ".join(shape)))
        self.exact.append(_hash(" ".join(written)))


NAME = "a"
LITERAL = "1"


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


_hash_of_shape = lru_cache(100_000)(_hash)
