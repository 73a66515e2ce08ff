"""Requests, read: every reading that understands each word."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from memory.recipes.requests.changes import read_change
from memory.recipes.requests.columns import read_columns
from memory.recipes.requests.draft import Parsed
from memory.recipes.requests.facts import read_fact
from memory.recipes.requests.lines import read_lines
from memory.recipes.requests.listing import read_directory, read_listing
from memory.recipes.requests.marked import Marked, mark
from memory.recipes.requests.wording import plain

MAX_CHARACTERS = 300
READERS: tuple[Callable[[str, Marked], Parsed | None], ...] = (
    read_fact,
    read_columns,
    read_directory,
    read_listing,
    read_lines,
    read_change,
)


@lru_cache(maxsize=256)
def read_requests(goal: str) -> tuple[Parsed, ...]:
    """What a goal may ask, where every word of it is understood; the likeliest reading first. Pure.

    What exists decides between them: "show docs" means one thing of a file, another of a directory.
    """
    if len(goal) > MAX_CHARACTERS or "\n" in goal.strip():
        return ()
    marked = mark(goal)
    text = plain(marked.text)
    return tuple(parsed for reader in READERS if (parsed := reader(text, marked)) is not None)


def changes_files(goal: str) -> bool:
    """True if a goal is a request that is wholly understood, and changes files."""
    return any(parsed.changes for parsed in read_requests(goal))
