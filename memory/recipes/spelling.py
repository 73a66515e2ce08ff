"""Slips of the keyboard: a word that is nearly one of the words that mean something here."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from functools import cache

# difflib ratio: one wrong, missing or doubled letter in a word of six scores about 0.9.
NEAR = 0.84
SHORTEST = 4


def respell(word: str, words: Collection[str]) -> str | None:
    """The word that was meant, or None if the word is no slip of any of `words`.

    A slip keeps its first letter and has one letter more, less, or other, or two that changed places.
    """
    if (
        len(word) < SHORTEST
        or not word.isascii()
        or not word.isalpha()
        or word.lower() != word
        or word in words
    ):
        return None
    return _nearest(word, frozenset(words))


@cache
def _nearest(word: str, words: frozenset[str]) -> str | None:
    letters = sorted(word)
    swapped = [other for other in words if sorted(other) == letters and other[0] == word[0]]
    if swapped:
        return min(swapped)
    alike = [other for other in words if other[0] == word[0] and abs(len(other) - len(word)) <= 1]
    near = difflib.get_close_matches(word, sorted(alike), n=1, cutoff=NEAR)
    return near[0] if near else None
