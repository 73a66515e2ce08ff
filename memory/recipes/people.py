"""Whose commits, changes or addresses a goal is about."""

from __future__ import annotations

import re

from memory.recipes.quantities import MONTHS

NOT_BY = re.compile(
    r"\b(?:besides|except(?: for)?|other than|apart from|aside from|excluding|without|not by"
    r"|(?:is|are|was|were)n't by) (?:those (?:of|by) )?[A-Z]"
)
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
CALENDAR_NAMES = frozenset({*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)})
# "Anna and Ben" are no one's name; whether each is meant or both, no plan says.
TWO_PEOPLE = re.compile(r"(?<!\w)[A-Z][\w'-]+,? (?:and|or|nor|but not|and not) (?:not )?[A-Z][\w'-]+")


def read_person(
    goal: str, things: frozenset[str], residue: tuple[str, ...]
) -> tuple[str | None, tuple[str, ...]]:
    """The one person a goal about history names, and the words that are left; None where there are two.

    Args:
        goal: as written.
        things: what it is about.
        residue: its words that nothing explains.
    """
    if not things & {"commit", "author", "changed", "added", "deleted", "message", "history", "email"}:
        return None, residue
    if TWO_PEOPLE.search(goal) or NOT_BY.search(goal):
        return None, residue
    name = tuple(
        word.removesuffix("'s")
        for word in residue
        if word[:1].isupper() and word.lower() not in CALENDAR_NAMES
    )
    return (" ".join(name) or None), tuple(
        word for word in residue if not word[:1].isupper() or word.lower() in CALENDAR_NAMES
    )
