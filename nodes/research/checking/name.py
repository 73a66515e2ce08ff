"""A name as the checks pass it on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        text: as written, folded.
        sure: its form alone shows that it is a name; else only what the sources hold can.
    """

    start: int
    end: int
    text: str
    sure: bool
