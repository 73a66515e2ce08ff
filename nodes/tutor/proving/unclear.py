"""A value that programs would read in different ways."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unclear:
    """Stands where a configuration file has no single value.

    Attributes:
        reason: why, in one sentence.
        doubled: its key is given twice, so that the number of keys is not clear either.
    """

    reason: str
    doubled: bool = False


def doubled(key: object) -> Unclear:
    """The value of a key that is given twice."""
    return Unclear(f"The key {key} is given twice.", doubled=True)
