"""The one text a pattern stands for, if it stands for one whatever the locale."""

from __future__ import annotations

import re
from typing import Literal

Dialect = Literal["fixed", "basic", "extended", "perl"]

# In front of these a backslash takes every meaning but their own away, in each dialect.
SIGNS = frozenset(".*[]^$\\/")
# Anchors are such at the ends of a basic expression; GNU grep takes them so beside a parenthesis, too.
OPERATORS: dict[str, frozenset[str]] = {
    "basic": frozenset(".*[\\^$"),
    "extended": frozenset(".*[\\^$+?(){}|"),
}
ESCAPED = {"basic": SIGNS - {"/", "]"}, "extended": SIGNS - {"/"} | frozenset("+?(){}|")}
# Anchors alone match every line, as the empty text does.
EVERY_LINE = frozenset({"^", "$"})
# Nothing of this means anything to a Perl expression.
PLAIN = re.compile(r"[A-Za-z0-9_ =:,;\"'/<>@%&~!-]*")


def literal_of(pattern: str, dialect: Dialect) -> str | None:
    """The text of which a line has to hold one occurrence, or None.

    Regular expressions: POSIX.1-2017, chapter 9, with the operators GNU adds. A pattern of several lines is
    several alternatives.
    """
    if "\n" in pattern:
        return None
    if dialect == "fixed":
        return pattern
    if pattern in EVERY_LINE:
        return ""
    if dialect == "perl":
        return pattern if PLAIN.fullmatch(pattern) else None
    signs = []
    at = 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\" and at + 1 < len(pattern) and pattern[at + 1] in ESCAPED[dialect]:
            signs.append(pattern[at + 1])
            at += 2
        elif sign in OPERATORS[dialect]:
            return None
        else:
            signs.append(sign)
            at += 1
    return "".join(signs)


def own_text_of(pattern: str, dialect: Dialect) -> str | None:
    """A pattern as a text, if it is no literal and certain to match that text: one of plain signs, `.`, `.*`.

    Where no line matches such a pattern, no line holds the text either.
    """
    if dialect not in OPERATORS or "\\" in pattern or literal_of(pattern, dialect) is not None:
        return None
    plain = all(literal_of(part, dialect) is not None for part in re.split(r"\.\*?", pattern))
    return pattern if plain else None
