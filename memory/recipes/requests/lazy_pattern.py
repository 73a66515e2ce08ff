"""Patterns of requests, compiled when a text first begins as they do.

There are 300, most of them long: compiling all takes 0.3 s, and a goal begins with the verb of a few.
"""

from __future__ import annotations

import re
from functools import cached_property

_LITERAL = re.compile(r"[a-z]+", re.IGNORECASE)
_GROUP = re.compile(r"\(\?(?::|P<\w+>)")
_OPTIONAL = ("?", "*", "{")


class LazyPattern:
    """A pattern for a text of any case.

    Args:
        raw: the expression.
    """

    def __init__(self, raw: str) -> None:
        self._raw = raw

    @cached_property
    def openings(self) -> tuple[str, ...] | None:
        """What each text it matches begins with, one of these, folded; None if that is not to be seen."""
        return _openings(self._raw)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern."""
        return re.compile(self._raw, re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """As a compiled pattern does."""
        return self.compiled.search(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As a compiled pattern does."""
        if self.openings is not None and not _folded(text).startswith(self.openings):
            return None
        return self.compiled.fullmatch(text)


def _folded(text: str) -> str:
    """A text as patterns that ignore case see it; they take an i without a dot, or a large one with, for an i."""
    return text.casefold().replace("\u0131", "i").replace("i\u0307", "i")


def _openings(raw: str) -> tuple[str, ...] | None:
    """Beginnings of every alternative of an expression; None where one begins with something else."""
    found: list[str] = []
    for branch in _branches(raw):
        begins = _of_branch(branch)
        if begins is None:
            return None
        found += begins
    return tuple(dict.fromkeys(found))


def _of_branch(branch: str) -> tuple[str, ...] | None:
    group = _GROUP.match(branch)
    if group is not None:
        end = _closing(branch, group.end())
        inside, rest = _openings(branch[group.end() : end]), branch[end + 1 :]
        if inside is None or not rest.startswith(_OPTIONAL):
            return inside
        after = _openings(rest.lstrip("?*")) if rest.startswith(("?", "*")) else None
        return (*inside, *after) if after is not None else None
    literal = _LITERAL.match(branch)
    if literal is None:
        return None
    rest = branch[literal.end() :]
    word = literal[0][:-1] if rest.startswith(_OPTIONAL) else literal[0]
    return (word.casefold(),) if word else None


def _branches(raw: str) -> list[str]:
    """An expression's alternatives, those within groups and classes left alone."""
    parts, start, position = [], 0, 0
    while position < len(raw):
        if raw[position] == "|":
            parts.append(raw[start:position])
            start = position + 1
        position = _after(raw, position)
    return [*parts, raw[start:]]


def _after(raw: str, position: int) -> int:
    """Where the next part of an expression begins."""
    sign = raw[position]
    if sign == "\\":
        return position + 2
    if sign == "[":
        end = position + (3 if raw.startswith("[^", position) else 2)
        while raw[end] != "]":
            end += 2 if raw[end] == "\\" else 1
        return end + 1
    return _closing(raw, position + 1) + 1 if sign == "(" else position + 1


def _closing(raw: str, position: int) -> int:
    """Where the group ends whose inside begins at a position."""
    while raw[position] != ")":
        position = _after(raw, position)
    return position
