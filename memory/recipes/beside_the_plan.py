"""Parts of a goal that no ready plan looks at, though all their words are known ones."""

from __future__ import annotations

import re

from memory.recipes.stated_numbers import NUMBER

# What stands before it was read as no part of a name.
IN_NAME = re.compile(r"\bin (?:its|their|the) (?:file ?)?names?\b\W*$", re.IGNORECASE)
ON_BRANCH = re.compile(
    r"\bcommit(?:s|ted)?\b.*\bon (?:the )?(?:main|master|trunk|develop|dev|default)(?: branch)?\W*$",
    re.IGNORECASE,
)
# Limits on lines, words and bytes have been read before; nothing counts classes or commits against one.
LIMIT = re.compile(
    r"(?<!\w)(?:(?:more|fewer|less|greater) than|at least(?! (?:one|1)\b)|at most|no more than)"
    rf" {NUMBER}(?!\w)",
    re.IGNORECASE,
)
EXACT_NUMBER = re.compile(
    rf"(?<!\w)(?:exactly|precisely) {NUMBER}"
    r" (?!bytes?\b|[kmg]i?b\b|kilobytes?\b|megabytes?\b|lines?\b|times\b)",
    re.IGNORECASE,
)
# The largest file need not be the longest.
LENGTH_OF_LARGEST = re.compile(
    r"\b(?:lines|words|characters)\b.*\b(?:in|of|has|have|does) (?:the |my |our )*"
    r"(?:largest|biggest|heaviest|smallest)\b"
    r"|\b(?:largest|biggest|heaviest|smallest)\b.*,? and how (?:many (?:lines|words|characters)|long)\b",
    re.IGNORECASE,
)
# A word that names nothing known, or a directory: what uses it is not told by what it holds.
WORD_USED = re.compile(
    r"\b(?:is|are) (?:the )?(?:function |method |class |variable )?\w+ (?:ever )?"
    r"(?:used|called|invoked|imported)\b",
    re.IGNORECASE,
)


def states_limit(text: str) -> bool:
    """True if a text holds a limit on a number that was not read as one of lines, words or bytes."""
    return LIMIT.search(text) is not None


def beside_the_plan(text: str, facets: dict[str, str], limited: bool) -> set[str]:
    """What no plan looks at, though its words are all known ones: a part of a name, a branch, a limit.

    Args:
        text: the goal, its quoted texts and paths marked.
        facets: what was read of it.
        limited: whether it states a limit that nothing counts against.
    """
    named = facets.get("relation") in ("named", "exact", "start", "end")
    found = {
        "part-of-name": bool(IN_NAME.search(text)) and not named,
        "on-branch": bool(ON_BRANCH.search(text)),
        "other-limit": limited or bool(EXACT_NUMBER.search(text)),
        "lines-of-largest": bool(LENGTH_OF_LARGEST.search(text)),
        "use-of-word": "relation" not in facets and bool(WORD_USED.search(text)),
    }
    return {name for name, here in found.items() if here}
