"""What a `find` asks: its expression, in the grammar of find(1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Literal

from nodes.tutor.observing.places import Place, place_of
from nodes.tutor.observing.questions.base import Asked
from nodes.tutor.observing.questions.entries import LOCATED, Listing, Located
from tools.policy.find import PATHS, VALUED

Kind = Literal["file", "directory", "link"]
KINDS: dict[str, Kind] = {"f": "file", "d": "directory", "l": "link"}
PRINTING = frozenset({"-print", "-print0", "-ls"})
# Options that hold for the whole expression, wherever they stand.
DEPTHS = frozenset({"-maxdepth", "-mindepth"})
ORDERING = frozenset({"-depth", "-d", "-noleaf", "-P"})

# `%%` prints a percent sign; `%s`, `%p` and `%P` a size and paths.
_DIRECTIVE = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?([spP])|.)")


class Complex(ValueError):
    """An expression is more than names and a kind."""


@dataclass
class Tests:
    """What an entry has to be.

    Attributes:
        names: globs, one of which its name has to match.
        kind: what it has to be.
        depth: levels below the start.
        sizes: the size of each is printed with its path.
    """

    names: tuple[str, ...] = ()
    kind: Kind | None = None
    depth: int | None = None
    sizes: bool = False


def found(words: tuple[str, ...], root: Path) -> list[Asked] | None:
    """The questions of a find, none if it fails; None if a start point has no certain path."""
    begins = starts_of(words)
    places = [place_of(root, word) for word in begins or (".",)]
    expression = list(words[len(begins) :])
    if not all(places):
        return None
    starts = [place for place in places if place]
    try:
        tests = _tests(expression)
    except Complex:
        return _located(starts, expression)
    if not all(place.is_own_directory for place in starts):
        return _located(starts, expression)
    return [
        Listing(
            directory=place.path, names=tests.names, kind=tests.kind, depth=tests.depth, sizes=tests.sizes
        )
        for place in starts
    ]


def starts_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words in front of the expression: where to begin."""
    return tuple(takewhile(lambda word: not word.startswith("-") and word not in ("!", "(", ")", ","), words))


def _tests(expression: list[str]) -> Tests:
    """An expression of names, one kind and a depth, joined by "and", names also by "or".

    Raises:
        Complex: it is another.
    """
    tests, words = Tests(), list(expression)
    rest: list[str] = []
    printed = False
    while words:
        word = words.pop(0)
        if word in DEPTHS:
            number = int(words.pop(0))
            if (word == "-mindepth" and number > 1) or (word == "-maxdepth" and number < 1):
                raise Complex
            tests.depth = number if word == "-maxdepth" else tests.depth
        elif word in ORDERING:
            continue
        elif (word in PRINTING and not words) or (word == "-printf" and len(words) == 1):
            tests.sizes = word == "-ls" or {"s", "p"} <= {sign.lower() for sign in _printed(words)}
            printed, words = True, []
        elif word in VALUED or word in PATHS:
            rest += [word, words.pop(0)]
        else:
            rest.append(word)
    if printed and {"-o", "-or"} & set(_outside(rest)):
        raise Complex  # what is printed is only the last alternative
    _factors(rest, tests)
    return tests


def _printed(format: list[str]) -> list[str]:
    """The directives of a format that print something plain; none without a format."""
    return [sign for sign in _DIRECTIVE.findall(format[0]) if sign] if format else []


def _outside(words: list[str]) -> list[str]:
    """The words that stand in no parentheses and are no values."""
    outside, depth, at = [], 0, 0
    while at < len(words):
        depth += (words[at] == "(") - (words[at] == ")")
        outside += [words[at]] if depth == 0 else []
        at += 2 if words[at] in VALUED or words[at] in PATHS else 1
    return outside


def _factors(words: list[str], tests: Tests) -> None:
    """Read tests that all have to hold into `tests`."""
    if {"-o", "-or"} & set(_outside(words)):
        tests.names = _alternatives(words)
        return
    words = list(words)
    while words:
        word = words.pop(0)
        if word in ("-a", "-and"):
            continue
        if word == "-type" and tests.kind is None and words[0] in KINDS:
            tests.kind = KINDS[words.pop(0)]
        elif word in ("-name", "-iname") and not tests.names:
            tests.names = (_glob(word, words.pop(0)),)
        elif word == "(" and not tests.names:
            end = _closing(words)
            tests.names = _alternatives(words[:end])
            words = words[end + 1 :]
        else:
            raise Complex


def _closing(words: list[str]) -> int:
    """Index of the parenthesis that closes what has been opened before; no other may be opened.

    Raises:
        Complex: there is none, or another is opened.
    """
    at = 0
    while at < len(words) and words[at] != ")":
        if words[at] == "(":
            raise Complex
        at += 2 if words[at] in VALUED else 1
    if at >= len(words):
        raise Complex
    return at


def _alternatives(words: list[str]) -> tuple[str, ...]:
    """Names joined by "or".

    Raises:
        Complex: there is something else.
    """
    names = []
    for at in range(0, len(words), 3):
        test, joint = words[at : at + 2], words[at + 2 : at + 3]
        if len(test) != 2 or test[0] not in ("-name", "-iname") or joint not in ([], ["-o"], ["-or"]):
            raise Complex
        if joint and at + 3 >= len(words):
            raise Complex
        names.append(_glob(*test))
    if not names:
        raise Complex
    return tuple(names)


def _glob(test: str, glob: str) -> str:
    """A glob whose letters count as they stand.

    Raises:
        Complex: it cannot be written so.
    """
    if "/" in glob:
        raise Complex  # find warns that no name matches
    if test == "-name":
        return glob
    if not glob.isascii() or set(glob) & set("[]\\"):
        raise Complex
    return "".join(f"[{sign.upper()}{sign.lower()}]" if sign.isalpha() else sign for sign in glob)


def _located(starts: list[Place], expression: list[str]) -> list[Asked]:
    """The same search, whose every printing action tells kinds."""
    if not all(place.standing in ("file", "link to a file") or place.is_own_directory for place in starts):
        return []
    words, prints, at = [], False, 0
    while at < len(expression):
        word = expression[at]
        if word in PRINTING or word == "-printf":
            words += ["-printf", LOCATED]
            prints = True
            at += 2 if word == "-printf" else 1
        elif word in VALUED or word in PATHS:
            words += expression[at : at + 2]
            at += 2
        else:
            words.append(word)
            at += 1
    if not prints:
        depths, tests = _split_depths(words)
        body = ["(", *tests, ")"] if tests else []
        words = [*depths, *body, "-printf", LOCATED]
    return [Located(starts=tuple(place.path for place in starts), words=tuple(words))]


def _split_depths(words: list[str]) -> tuple[list[str], list[str]]:
    depths: list[str] = []
    tests: list[str] = []
    at = 0
    while at < len(words):
        into = depths if words[at] in DEPTHS or words[at] in ORDERING else tests
        step = 2 if words[at] in VALUED or words[at] in PATHS else 1
        into += words[at : at + step]
        at += step
    return depths, tests
