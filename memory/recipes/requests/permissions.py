"""Requests to change permissions, and the mode they come to."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memory.recipes.requests.actions import Action, Made, World
from memory.recipes.requests.draft import change_step, read_step
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import Marked
from memory.recipes.requests.sources import Source, read_source

WHO = {
    "everyone": "a", "everybody": "a", "all": "a", "all users": "a", "anyone": "a", "the owner": "u", "owner": "u",
    "the user": "u", "user": "u", "its owner": "u", "the group": "g", "group": "g", "others": "o", "other": "o",
    "other users": "o", "its group": "g", "the others": "o", "world": "o", "the world": "o",
}  # fmt: skip
ONE_WHO = "|".join(sorted(map(re.escape, WHO), key=len, reverse=True))
WHOS = rf"(?P<who>(?:{ONE_WHO})(?:(?:,|,? and|,? or) (?:{ONE_WHO}))*)"
ONE_RIGHT = r"(?:read|write|execute|execution|executable)"
RIGHTS = rf"(?P<rights>{ONE_RIGHT}(?:(?:,|,? and) {ONE_RIGHT})*)"
PERMISSION = r"(?:permissions?|access|rights?|bits?)"
ON = r"(?:on|to|of|for|from)"
SRC = r"(?P<src>.+)"
SYMBOLIC = re.compile(r"(?P<who>[ugoa]*)(?P<op>[+=-])(?P<rights>[rwx]+)")
LONG = re.compile(r"[r-][w-][x-][r-][w-][x-][r-][w-][x-]")
PRESENT = {"r": 4, "w": 2, "x": 1}
SHIFT = {"u": 6, "g": 3, "o": 0}


def applied(mode: int, change: str) -> int | None:
    """The mode a change in chmod's notation leads to, octal or one symbolic clause; None if it is neither.

    Without a who, everyone is meant.
    """
    if re.fullmatch(r"[0-7]{3,4}", change):
        return int(change, 8)
    match = SYMBOLIC.fullmatch(change)
    if match is None:
        return None
    bits = sum({PRESENT[letter] for letter in match["rights"]})
    who = set(match["who"] or "a")
    places = {"u", "g", "o"} if "a" in who else who
    mask = sum(bits << SHIFT[place] for place in places)
    if match["op"] == "+":
        return mode | mask
    if match["op"] == "-":
        return mode & ~mask
    return (mode & ~sum(7 << SHIFT[place] for place in places)) | mask


def _action(source: Source | None, change: str) -> Action | None:
    if source is None or applied(0, change) is None:
        return None

    def build(world: World, listed: Sequence[str]) -> Made | None:
        paths = list(source.paths) or list(listed)
        modes = {path: world.mode(path) for path in paths}
        known = {path: mode for path, mode in modes.items() if mode is not None}
        is_link = any(world.kind(path) == "link" for path in paths)
        octal = re.fullmatch(r"[0-7]+", change)
        if not paths or is_link or (len(known) < len(paths) and not octal):
            return None
        if source.paths and any(world.kind(path) is None for path in paths):
            return None
        written = change if octal or SYMBOLIC.fullmatch(change)["who"] else f"a{change}"  # type: ignore[index]  # `applied` knows it
        places = [world.path(path) for path in paths]
        step = change_step(
            f"Set {written} on {', '.join(places)}", "run", argv=["chmod", written, "--", *places]
        )
        wanted = [f"{applied(known.get(path, 0), change):o}" for path in paths]
        look = {"format": "%a", "paths": places}
        return Made(
            [step],
            [
                read_step(
                    "See the permissions", [{"tool": "stat", "args": look}], expect_text="\n".join(wanted)
                )
            ],
        )

    return Action("permissions", build, source.names(), source.selection)


def _mode(match: re.Match[str], marked: Marked) -> Action | None:
    written = marked.value(match["mode"])
    if LONG.fullmatch(written):
        bits = "".join("0" if sign == "-" else "1" for sign in written)
        written = f"{int(bits, 2):o}".rjust(3, "0")
    return _action(read_source(match["src"], marked), written)


def _rights(operator: str) -> Callable[[re.Match[str], Marked], Action | None]:
    def read(match: re.Match[str], marked: Marked) -> Action | None:
        letters = "".join(
            word[0].replace("e", "x") for word in re.findall(ONE_RIGHT, match["rights"], re.IGNORECASE)
        )
        who = "a"
        if match["who"]:
            words = re.findall(ONE_WHO, match["who"], re.IGNORECASE)
            who = "".join(dict.fromkeys(WHO[word.lower()] for word in words))
        return _action(read_source(match["src"], marked), f"{who}{operator}{letters.lower()}")

    return read


def _made(change: str) -> Callable[[re.Match[str], Marked], Action | None]:
    def read(match: re.Match[str], marked: Marked) -> Action | None:
        words = re.findall(ONE_WHO, match["who"] or "", re.IGNORECASE)
        who = "".join(dict.fromkeys(WHO[word.lower()] for word in words)) or "a"
        return _action(read_source(match["src"], marked), f"{who}{change}")

    return read


MODE = r"(?P<mode>[0-7]{3,4}|[ugoa]*[+=-][rwx]+|[r-][w-][x-][r-][w-][x-][r-][w-][x-]|‹Q\d+›)"
CHANGE = r"(?:change|set|modify|update|make)"
RAW = [
    (rf"{CHANGE} (?:the )?(?:file |access )?(?:permissions?|modes?)(?: bits)? (?:of|for|on) {SRC} to (?:mode )?{MODE}", _mode),
    (rf"{CHANGE} (?:the )?(?:permissions?|modes?) (?:to )?{MODE} (?:of|for|on) {SRC}", _mode),
    (rf"chmod {MODE} {SRC}", _mode),
    (rf"(?:give|grant) {WHOS} {RIGHTS} {PERMISSION}? ?{ON} {SRC}", _rights("+")),
    (rf"(?:give|grant|add|set) (?:the )?{RIGHTS} {PERMISSION}(?: (?:to|for) {WHOS})? {ON} {SRC}", _rights("+")),
    (rf"add (?:the )?{RIGHTS} {PERMISSION} {ON} (?P<src>.+?) for {WHOS}", _rights("+")),
    (rf"(?:remove|revoke|take away|drop) (?:the )?{RIGHTS} {PERMISSION}(?: (?:for|from|of) {WHOS})? {ON} {SRC}", _rights("-")),
    (rf"(?:remove|revoke|drop) (?:the )?{RIGHTS} {PERMISSION} {ON} (?P<src>.+?) (?:for|from) {WHOS}", _rights("-")),
    (rf"make (?P<src>.+?) executable(?: (?:for|by) {WHOS})?", _made("+x")),
    (rf"make (?P<src>.+?) (?:read[- ]?only)(?: (?:for|by) {WHOS})?", _made("-w")),
    (rf"make (?P<src>.+?) writ(?:e)?able(?: (?:for|by) {WHOS})", _made("+w")),
    (rf"make (?P<src>.+?) readable(?: (?:for|by) {WHOS})", _made("+r")),
]  # fmt: skip
PERMISSION_ACTIONS = tuple((LazyPattern(raw), read) for raw, read in RAW)
