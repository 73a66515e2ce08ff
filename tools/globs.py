"""Unquoted patterns of a command, expanded as bash does: `*`, `?` and `[...]`, never into hidden names.

The standard library's glob reads no `[^a]`, no `[[:upper:]]` and no quoted sign inside brackets.
"""

from __future__ import annotations

import os
import string
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

# A character of a word and whether it was quoted.
Sign = tuple[str, bool]
Match = Callable[[str], bool]
SIGNS = frozenset("*?[")
CLASSES: dict[str, Match] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": lambda character: character in " \t",
    "cntrl": lambda character: ord(character) < 32 or ord(character) == 127,
    "digit": lambda character: character in string.digits,
    "graph": lambda character: character.isprintable() and not character.isspace(),
    "lower": str.islower,
    "print": str.isprintable,
    "punct": lambda character: character in string.punctuation,
    "space": str.isspace,
    "upper": str.isupper,
    "word": lambda character: character.isalnum() or character == "_",
    "xdigit": lambda character: character in string.hexdigits,
}


def is_pattern(signs: Sequence[Sign]) -> bool:
    """True if a word holds an unquoted sign."""
    return any(character in SIGNS and not quoted for character, quoted in signs)


def expand(signs: Sequence[Sign], root: Path) -> list[str]:
    """The names below the root that a pattern stands for, in the order of their code points.

    Args:
        signs: the characters of the word.
        root: directory a relative pattern starts from.
    """
    parts: list[list[Sign]] = [[]]
    for sign in signs:
        if sign[0] == "/":
            parts.append([])
        else:
            parts[-1].append(sign)
    # Behind the first pattern, bash writes one slash for several.
    first = next(number for number, part in enumerate(parts) if is_pattern(part))
    kept = [*parts[: first + 1], *(part for part in parts[first + 1 : -1] if part), *parts[first + 1 :][-1:]]
    return sorted(_names(root, "", kept))


def _names(root: Path, prefix: str, parts: Sequence[Sequence[Sign]]) -> Iterator[str]:
    part, rest = parts[0], parts[1:]
    for name in _found(root / prefix, part) if is_pattern(part) else ["".join(c for c, _ in part)]:
        path = prefix + name
        if rest and os.path.isdir(root / path):
            yield from _names(root, f"{path}/", rest)
        elif not rest and os.path.lexists(root / path):
            yield path


def _found(directory: Path, part: Sequence[Sign]) -> list[str]:
    try:
        names = os.listdir(directory)
    except OSError:
        return []  # as in a shell, what cannot be listed has no names
    shows_hidden = part[0][0] == "."
    steps = _steps(part)
    return [name for name in names if (shows_hidden or name[0] != ".") and _fits(steps, name)]


def _steps(part: Sequence[Sign]) -> list[Match | None]:
    """One test for each character; None stands for any number of them."""
    steps: list[Match | None] = []
    at = 0
    while at < len(part):
        character, quoted = part[at]
        at += 1
        if not quoted and character == "[" and (bracket := _bracket(part, at)) is not None:
            step, at = bracket
            steps.append(step)
        elif not quoted and character in "*?":
            steps.append(None if character == "*" else lambda _: True)
        else:
            steps.append(character.__eq__)
    return steps


def _bracket(part: Sequence[Sign], at: int) -> tuple[Match, int] | None:
    """The test of a bracket expression and where it ends; None if it is not closed."""
    negated = at < len(part) and part[at] in (("!", False), ("^", False))
    first = at = at + negated
    tests: list[Match] = []
    while at < len(part):
        if part[at] == ("]", False) and at > first:
            return (lambda character: any(test(character) for test in tests) != negated), at + 1
        name = _class_name(part, at)
        if name:
            tests.append(CLASSES[name])
            at += len(name) + 4
        elif part[at + 1 : at + 2] == [("-", False)] and part[at + 2 : at + 3] not in ([], [("]", False)]):
            tests.append(_between(part[at][0], part[at + 2][0]))
            at += 3
        else:
            tests.append(part[at][0].__eq__)
            at += 1
    return None


def _class_name(part: Sequence[Sign], at: int) -> str:
    """The name in `[:name:]`, or nothing."""
    text = "".join("\0" if quoted else character for character, quoted in part[at:])
    end = text.find(":]", 2)
    name = text[2:end] if text.startswith("[:") and end > 0 else ""
    return name if name in CLASSES else ""


def _between(low: str, high: str) -> Match:
    return lambda character: low <= character <= high


def _fits(steps: Sequence[Match | None], name: str) -> bool:
    """Whether a name fits; goes back to the last star only, so its time is steps times characters."""
    step = at = 0
    star, mark = -1, 0
    while at < len(name):
        test = steps[step] if step < len(steps) else _never
        if test is None:
            star, mark = step, at
            step += 1
        elif test(name[at]):
            step, at = step + 1, at + 1
        elif star >= 0:
            mark += 1
            step, at = star + 1, mark
        else:
            return False
    return all(test is None for test in steps[step:])


def _never(_: str) -> bool:
    return False
