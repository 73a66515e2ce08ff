"""Values with the observations they follow from, and bounds of numbers that are not fully known. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from nodes.errors import Contradiction

Value = TypeVar("Value")
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Known(Generic[Value]):
    """A value, and the names of the observations it follows from."""

    value: Value
    used: frozenset[str]


@dataclass(frozen=True)
class Bounds:
    """Where a number lies.

    Attributes:
        least: it is not smaller.
        most: it is not larger; None if there is no limit.
    """

    least: Known[int]
    most: Known[int] | None

    @property
    def exact(self) -> bool:
        """True if it is one number."""
        return self.most is not None and self.most.value == self.least.value

    @property
    def used(self) -> frozenset[str]:
        """Observations both ends follow from."""
        return self.least.used | (self.most.used if self.most else NONE)

    def both(self, other: Bounds) -> Bounds:
        """What follows from two bounds of the same number.

        Raises:
            Contradiction: no number lies within both.
        """
        least = _better(self.least, other.least, other.least.value > self.least.value)
        if self.most is None or other.most is None:
            most = self.most or other.most
        else:
            most = _better(self.most, other.most, other.most.value < self.most.value)
        if most is not None and most.value < least.value:
            raise Contradiction("The observations give two sizes of one thing.")
        return Bounds(least, most)

    def shifted(self, by: int) -> Bounds:
        """Those of a number that is larger by so much, but never below 0."""
        least = at_least(self.least.value + by, self.least.used).least
        return Bounds(least, self.most and Known(max(0, self.most.value + by), self.most.used))

    def because(self, used: frozenset[str]) -> Bounds:
        """The same, resting on more observations."""
        most = self.most and Known(self.most.value, self.most.used | used)
        return Bounds(Known(self.least.value, self.least.used | used), most)


def _better(one: Known[int], other: Known[int], other_is_closer: bool) -> Known[int]:
    if one.value == other.value:
        return min(one, other, key=lambda known: len(known.used))
    return other if other_is_closer else one


UNKNOWN = Bounds(Known(0, NONE), None)


def exactly(value: int, used: frozenset[str]) -> Bounds:
    """One number."""
    return Bounds(Known(value, used), Known(value, used))


def between(least: int, most: int, used: frozenset[str]) -> Bounds:
    """A number of a range, both ends in it."""
    return Bounds(Known(least, used), Known(most, used))


def at_least(value: int, used: frozenset[str]) -> Bounds:
    """A number that is not smaller; nothing is used to know that it is not negative."""
    return Bounds(Known(value, used), None) if value > 0 else UNKNOWN


def at_most(value: int, used: frozenset[str]) -> Bounds:
    """A number that is not larger."""
    return Bounds(Known(0, NONE), Known(value, used))


def total(parts: Iterable[Bounds]) -> Bounds:
    """Bounds of a sum."""
    least, most = 0, 0
    least_used: set[str] = set()
    most_used: set[str] = set()
    limited = True
    for part in parts:
        least += part.least.value
        least_used |= part.least.used
        if part.most is None:
            limited = False
        else:
            most += part.most.value
            most_used |= part.most.used
    return Bounds(Known(least, frozenset(least_used)), Known(most, frozenset(most_used)) if limited else None)
