"""Texts in a line: in capital or small letters, and as whole words."""

from __future__ import annotations

import unicodedata


class Doubtful(ValueError):
    """Whether a line is selected depends on what a letter is, which two programs may see differently."""


def either_case(literal: str) -> str:
    """A basic regular expression for a text in capital or small ASCII letters."""
    signs = []
    for sign in literal:
        if sign.isascii() and sign.isalpha():
            signs.append(f"[{sign.upper()}{sign.lower()}]")
        else:
            signs.append(f"\\{sign}" if sign in ".*[^$\\" else sign)
    return "".join(signs)


def holds_word(line: str, literal: str, ignore_case: bool) -> bool:
    """True if a text stands in a line between signs that belong to no word.

    Raises:
        Doubtful: it stands beside a sign of which programs differ whether it belongs to a word.
    """
    if ignore_case:
        line, literal = _small(line), _small(literal)
    doubtful = False
    at = line.find(literal)
    while at >= 0:
        after = at + len(literal)
        beside = [_in_word(sign) for sign in (line[at - 1 : at], line[after : after + 1])]
        if True not in beside and None not in beside:
            return True
        doubtful = doubtful or True not in beside
        at = line.find(literal, at + 1)
    if doubtful:
        raise Doubtful
    return False


def _small(text: str) -> str:
    """ASCII letters as small ones; the text keeps its length."""
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def _in_word(sign: str) -> bool | None:
    """Whether a sign belongs to a word; None if that depends on who is asked. No sign at all does not."""
    if sign.isascii():
        return sign.isalnum() or sign == "_"
    category = unicodedata.category(sign)
    if category in ("Lu", "Ll", "Lo", "Lt"):
        return True
    return False if category[0] in "PZ" and category != "Pc" else None
