"""The language of `find`: start points, then tests and actions that only look and print."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from tools.policy.options import COUNT, anything
from tools.policy.paths import check_path
from tools.policy.vectors import refuse

# Escapes and directives that print facts of a file; none opens or runs anything.
PRINTF = re.compile(
    r"(?:[^%\\]|\\[abfnrtv0\\]|\\0[0-7]{2}|%%|%[-+ #0]*\d*(?:\.\d+)?"
    r"(?:[abcdDfFgGhHiklmMnpPsStuUyY]|[ABCT][@HIklMprST+XZaAbBcdDhjmUwWxyY]))*"
)
SIZE_TEST = re.compile(r"[+-]?\d{1,15}[bcwkMG]?")
NUMBER_TEST = re.compile(r"[+-]?\d{1,9}(?:\.\d+)?")


def _is(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda value: pattern.fullmatch(value) is not None


NUMERIC = _is(NUMBER_TEST)
ALONE = frozenset(
    "! ( ) , -a -and -o -or -not -empty -executable -readable -writable -true -false -print -print0 -ls "
    "-prune -quit -depth -d -mount -xdev -daystart -noleaf -ignore_readdir_race -noignore_readdir_race "
    "-nouser -nogroup -P".split()
)
VALUED: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(
        "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname "
        "-user -group -newermt -perm".split(),
        anything,
    ),
    **dict.fromkeys("-mtime -mmin -atime -amin -ctime -cmin -links -inum -uid -gid".split(), NUMERIC),
    "-regextype": _is(re.compile(r"[\w-]{1,40}")),
    "-type": _is(re.compile(r"[bcdpfls](?:,[bcdpfls])*")),
    "-xtype": _is(re.compile(r"[bcdpfls]")),
    "-size": _is(SIZE_TEST),
    "-maxdepth": COUNT,
    "-mindepth": COUNT,
    "-printf": _is(PRINTF),
}
PATHS = frozenset({"-newer", "-anewer", "-cnewer", "-samefile"})


def check_find(root: Path, argv: Sequence[str]) -> list[str]:
    """The same vector when every part only looks.

    Raises:
        CommandRefused: an action that writes, runs or deletes, an option that follows links, a wrong value,
            or a start point outside the root.
    """
    words = list(argv)
    checked: list[str] = []
    while words and not _is_expression(words[0]):
        checked.append(check_path(root, words.pop(0)))
    checked = checked or ["."]
    while words:
        word = words.pop(0)
        if word in ALONE:
            checked.append(word)
        elif word in PATHS or word in VALUED:
            if not words:
                raise refuse(f"find {word}", "its value is missing", "Give one.")
            value = words.pop(0)
            if word in PATHS:
                value = check_path(root, value)
            elif not VALUED[word](value):
                raise refuse(f"find {word} {value}", "the value is not accepted", "Use a plain value.")
            checked += [word, value]
        else:
            raise refuse(f"find {word}", *_refusal(word))
    return checked


def _refusal(word: str) -> tuple[str, str]:
    """Why a word is no part of a search that only looks, and what to write instead."""
    if word.startswith(("-exec", "-ok")):
        return "it runs a program", "Pipe the names on: find ... -print0 | xargs -0 TOOL."
    if word in ("-L", "-H", "-follow"):
        return "it follows links", "Leave it out; links are listed, not followed."
    if word == "-delete" or word.startswith(("-fprint", "-fls")):
        return "it writes", "Use -print, and say in the answer what should be changed."
    return "find does not know it, or it reads elsewhere", "Use tests such as -name, -type, -size and -mtime."


def _is_expression(word: str) -> bool:
    return word.startswith("-") or word in ("!", "(", ")", ",")
