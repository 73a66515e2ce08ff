"""Files by where they are, and how deep."""

from __future__ import annotations

import re

from memory.recipes.lexicon import load_lexicon
from memory.recipes.requests.filter_wording import DIR
from memory.recipes.requests.filters_by_name import listed_in
from memory.recipes.requests.marked import Marked, number
from memory.recipes.requests.selection import Selection, glob_escape

PLACE = re.compile(rf"\b(?:in|under|inside|{DIR}|directories|folders)\b", re.IGNORECASE)


def in_place(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "under src and tests": where is looked, said once."""
    found = listed_in(match["x"], marked)
    if selection.scope:
        return False
    selection.scope = [path.rstrip("/") or path for path in found]
    return True


def here(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "in this directory", or in it only."""
    if selection.scope:
        return False
    selection.scope = ["."]
    if re.search(r"\bonly\b", match[0], re.IGNORECASE):
        selection.mindepth, selection.maxdepth = 1, 1
    return True


def not_in(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "excluding vendor": a name of a directory or of a file, or a path."""
    # "containing a but not b" rules out a text, not a place.
    placed = PLACE.search(match[0]) or "‹P" in match[0]
    if not placed and re.match(r"\W*(?:but not|not|that are not|which are not)\b", match[0], re.IGNORECASE):
        return False
    for path in listed_in(match["x"], marked):
        plain = path.rstrip("/").removeprefix("./")
        if "*" in plain or not plain or (not placed and _is_kind(plain)):
            return False
        if "/" in plain:
            selection.excluded.append(plain)
        elif "." in plain.lstrip("."):
            selection.name_tests.append(((glob_escape(plain),), True, False))
        else:
            selection.pruned.append(plain)
            # "README" and ".env" may be files as well as directories, and what is ruled out is safe either way.
            if not (PLACE.search(match[0]) or path.endswith("/")):
                selection.name_tests.append(((glob_escape(plain),), True, False))
    return True


def _is_kind(name: str) -> bool:
    """True for "python", which rules out a kind of file and no directory of that name."""
    return any(kind.pattern.fullmatch(name) for kind in load_lexicon().kinds)


def not_below(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "not recursively": what lies in the directory itself."""
    selection.mindepth, selection.maxdepth = 1, 1
    return True


def so_deep(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "at most 2 levels deep"."""
    selection.maxdepth = number(match["n"])
    return True


def anywhere_below(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """Read "and its subdirectories", which is so unless something else is said."""
    return True
