"""Requests, read: every reading that understands each word."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from memory.recipes.ground import QUOTED, QUOTES
from memory.recipes.requests.audits import read_audit
from memory.recipes.requests.changes import read_change
from memory.recipes.requests.columns import read_columns
from memory.recipes.requests.directories import read_directory
from memory.recipes.requests.draft import Parsed
from memory.recipes.requests.facts import read_fact
from memory.recipes.requests.kept_text import read_kept_text
from memory.recipes.requests.line_kinds import read_line_kind
from memory.recipes.requests.lines import read_lines
from memory.recipes.requests.listing import read_listing
from memory.recipes.requests.marked import Marked, mark
from memory.recipes.requests.wording import in_one, plain

MAX_CHARACTERS = 300
READERS: tuple[Callable[[str, Marked], Parsed | None], ...] = (
    read_audit,
    read_fact,
    read_columns,
    read_directory,
    read_listing,
    read_lines,
    read_line_kind,
)
# Searches go into subdirectories anyway; a change does so only if the word is part of what is understood.
DEEP = re.compile(r"^recursively (?=list|find|search|show|print|display|count|look|get)", re.IGNORECASE)


@lru_cache(maxsize=256)
def read_requests(goal: str) -> tuple[Parsed, ...]:
    """What a goal may ask, where every word of it is understood; the likeliest reading first. Pure.

    What exists decides between them: "show docs" means one thing of a file, another of a directory.
    """
    if len(goal) > MAX_CHARACTERS or "\n" in goal.strip():
        return ()
    marked = mark(goal)
    text = in_one(plain(marked.text))
    looked_at = DEEP.sub("", text)
    found = [parsed for reader in READERS if (parsed := reader(looked_at, marked)) is not None]
    change = read_change(text, marked)
    kept = read_kept_text(text, marked, READERS)
    every = (*found, *kept, *([change] if change is not None else []))
    return tuple(parsed for parsed in every if not parsed.changes) if _reads_quotes_otherwise(goal) else every


def _reads_quotes_otherwise(goal: str) -> bool:
    """True if a quoted text is not read as it stands: typographic quotes become plain, and a tab a space.

    That finds what is asked about; what is written to a file must be the text itself.
    """
    plain = goal.translate(QUOTES)
    inner = [slice(match.start() + 1, match.end() - 1) for match in QUOTED.finditer(plain)]
    return any(goal[part] != plain[part] or re.search(r"[^\S ]", plain[part]) for part in inner)


def only_shows(goal: str) -> bool:
    """True if a goal is wholly understood as a wish to see what something comes to, whatever its verbs."""
    return any(parsed.shows for parsed in read_requests(goal))


def changes_files(goal: str) -> bool:
    """True if a goal is a request that is wholly understood, and changes files."""
    return any(parsed.changes for parsed in read_requests(goal))
