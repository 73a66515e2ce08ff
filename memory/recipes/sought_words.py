"""Words of a question as patterns that find them, and their other endings, in prose, settings and code."""

from __future__ import annotations

import re
from collections.abc import Sequence

ENDINGS = {"ing": 4, "ed": 4, "es": 4, "s": 3}
"""Endings that are taken off, and how many letters must be left for it."""
_LONG = 4
"""Letters of a stem above which any other ending of a few letters makes the same word."""


def word_pattern(word: str) -> str:
    """A pattern, good for `grep -E -i` and for Python's `re.IGNORECASE`, of a word with any usual ending.

    It stands alone, between characters that are no letters: "port" is found in `APP_PORT`, not in "import".
    """
    ending = next((end for end in ENDINGS if _leaves_a_stem(word, end)), "")
    stem = word[: len(word) - len(ending)]
    return f"(^|[^A-Za-z]){re.escape(stem)}{_other_endings(stem)}([^A-Za-z]|$)"


def any_word_pattern(words: Sequence[str]) -> str | None:
    """A pattern of lines with at least one of the words; None without words."""
    return "|".join(map(word_pattern, words)) or None


def _leaves_a_stem(word: str, ending: str) -> bool:
    return word.lower().endswith(ending) and len(word) - len(ending) >= ENDINGS[ending]


def _other_endings(stem: str) -> str:
    if not stem[-1:].isascii() or not stem[-1:].isalpha():
        return ""
    return "[a-z]{0,3}" if len(stem) > _LONG else "(e?[sd]|e|ing)?"
