"""What the tools that print files, their sizes, digests, states and differences ask."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from nodes.tutor.facts import MeasureUnit
from nodes.tutor.observing.meaning.calls import Call
from nodes.tutor.observing.places import Place, place_of
from nodes.tutor.observing.questions.base import Asked
from nodes.tutor.observing.questions.comparing import Difference, Trees
from nodes.tutor.observing.questions.contents import Content, Ending, Sizes, Sums
from nodes.tutor.observing.questions.entries import Kinds, Listing

# Each file that is printed is read by a process of its own.
MOST_FILES = 50
UNITS: dict[str, MeasureUnit] = {"l": "lines", "w": "words", "c": "bytes"}
SED_LINES = re.compile(r"\s*([0-9]+)(?:,([0-9]+|\$|\+[0-9]+))?\s*p;?\s*")
Asking = Callable[[Call, list[Place]], list[Asked] | None]


def asked(call: Call, root: Path) -> list[Asked] | None:
    """The questions of one stage, none if it must fail; None if an option or a path is uncertain."""
    asking = ASKING.get(call.tool)
    found = [place_of(root, operand) for operand in call.operands]
    places = [place for place in found if place]
    if len(places) < len(found):
        return None
    if call.tool == "diff":
        return _diff(call, places, root)
    return asking(call, places) if asking is not None else None


def _printed(call: Call, places: list[Place]) -> list[Asked] | None:
    """`cat`, `nl`, `sort`: all of each file, numbered or in another order."""
    return _contents(places, 1, None) if call.names <= WHOLE[call.tool] else None


WHOLE = {
    "cat": frozenset("AbeEntTuv"),
    "nl": frozenset("bnw") | {"body-numbering", "number-format", "number-width"},
    "sort": frozenset("bdfghinrVkt") | {"numeric-sort", "reverse", "ignore-case", "key"},
    "tac": frozenset[str](),
}


def _head(call: Call, places: list[Place]) -> list[Asked] | None:
    most = call.value("n") if "n" in call.names else "10"
    if not call.names <= frozenset("nqv") or most is None or not most.isdigit():
        return None
    return _contents(places, 1, int(most))


def _tail(call: Call, places: list[Place]) -> list[Asked] | None:
    most = call.value("n") if "n" in call.names else "10"
    found = re.fullmatch(r"([+-]?)([0-9]+)", most or "")
    if not call.names <= frozenset("nqv") or found is None:
        return None
    number = int(found[2])
    if found[1] == "+":
        return _contents(places, max(number, 1), None)
    return [Ending(path=place.path, most=number) for place in places] if _are_files(places) else []


def _sed(call: Call, places: list[Place]) -> list[Asked] | None:
    """`sed -n 3,5p`: some lines of one file."""
    script = SED_LINES.fullmatch(call.value("e") or "")
    scripts = [name for name, _ in call.options if name == "e"]
    known = call.names <= {"n", "e", "E", "sandbox"}
    if script is None or len(scripts) != 1 or not known or "n" not in call.names or len(places) != 1:
        return None
    first, last = int(script[1]), script[2] or script[1]
    if first < 1:
        return None
    if last == "$":
        return _contents(places, first, None)
    most = int(last[1:]) + 1 if last.startswith("+") else int(last) - first + 1
    return _contents(places, first, max(most, 1))


def _contents(places: list[Place], start: int, most: int | None) -> list[Asked] | None:
    if not _are_files(places):
        return []
    return [Content(path=place.path, start=start, most=most) for place in places]


def _are_files(places: list[Place]) -> bool:
    return 0 < len(places) <= MOST_FILES and all(place.is_file for place in places)


def _wc(call: Call, places: list[Place]) -> list[Asked] | None:
    if not call.names <= frozenset("lwcmL"):
        return None
    units = tuple(unit for letter, unit in UNITS.items() if letter in call.names)
    if (call.names and not units) or not places or not all(place.is_file for place in places):
        return []
    return [Sizes(paths=tuple(place.path for place in places), units=units or tuple(UNITS.values()))]


def _sha256sum(call: Call, places: list[Place]) -> list[Asked] | None:
    if not call.names <= {"b", "t", "tag"}:
        return None
    if not places or not all(place.is_file for place in places):
        return []
    return [Sums(paths=tuple(place.path for place in places))]


def _stat(call: Call, places: list[Place]) -> list[Asked] | None:
    if not call.names <= {"c", "t", "terse"} or not places:
        return None
    written = call.value("c")
    sizes = "c" not in call.names or _SIZE.search(written or "") is not None
    return [Kinds(paths=tuple(place.path for place in places), sizes=sizes)]


# `%s` of a format, but not the `%%s` that prints a percent sign.
_SIZE = re.compile(r"(?<!%)(?:%%)*%[-+ #0]*\d*s")


def _du(call: Call, places: list[Place]) -> list[Asked] | None:
    """`du -b`: the sizes of the files it is given."""
    if not {"b"} <= call.names <= {"b", "a", "s", "c"} or not places:
        return None
    files = tuple(place.path for place in places if place.standing == "file")
    return [Kinds(paths=files, sizes=True)] if files else []


def _ls(call: Call, places: list[Place]) -> list[Asked] | None:
    """Options of ls print more of each entry, or in another order, or let hidden entries in."""
    if not call.names <= LISTING:
        return None
    sizes = "l" in call.names and not call.names & {"h", "k", "s"}
    files = tuple(place.path for place in places if place.standing == "file")
    sized: list[Asked] = [Kinds(paths=files, sizes=True)] if sizes and files else []
    if "d" in call.names:
        return sized
    places = places or [Place(".", "directory", False)]
    if any(place.standing == "link to a directory" for place in places):
        return []
    directories = [place for place in places if place.standing == "directory"]
    if not all(place.is_own_directory for place in directories):
        return []
    depth = None if "R" in call.names else 1
    hidden = bool({"a", "A", "f"} & call.names)
    listed = [Listing(directory=place.path, depth=depth, hidden=hidden, sizes=sizes) for place in directories]
    return [*sized, *listed]


LISTING = frozenset("1aAcCdfFgGhiklmnNopQqrRsStuUvxX") | {
    "sort", "time", "color", "group-directories-first", "full-time", "time-style", "format", "classify",
}  # fmt: skip


def _diff(call: Call, places: list[Place], root: Path) -> list[Asked] | None:
    if not call.names <= COMPARING or len(places) != 2:
        return None
    old, new = places
    if old.standing == "file" and new.standing == "file":
        return [Difference(old=old.path, new=new.path, lines="q" not in call.names)]
    if not (old.is_own_directory and new.is_own_directory):
        return []
    depth = None if "r" in call.names else 1
    listings = [Listing(directory=place.path, depth=depth) for place in places]
    shown = [] if "q" in call.names else _in_both(root, old.path, new.path, depth)
    return [Trees(old=old.path, new=new.path, depth=depth), *listings, *shown]


def _in_both(root: Path, old: str, new: str, depth: int | None) -> list[Asked]:
    """The files that two directories have under the same path, each compared; none if they are many."""
    found: list[Asked] = []
    for place, directories, names in os.walk(root / old):
        inside = os.path.relpath(place, root / old)
        directories[:] = sorted(directories) if depth is None else []
        for name in sorted(names):
            pair = [place_of(root, os.path.join(top, inside, name)) for top in (old, new)]
            files = [one.path for one in pair if one and one.standing == "file" and not one.through_link]
            if len(files) == len(pair):
                found.append(Difference(old=files[0], new=files[1]))
            if len(found) > MOST_FILES:
                return []
    return found


# None of these lets differences pass.
COMPARING = frozenset("qusUCcyWLaprtTdN") | {"color", "suppress", "no-dereference"}
ASKING: dict[str, Asking] = {
    "cat": _printed, "nl": _printed, "sort": _printed, "tac": _printed, "head": _head, "tail": _tail,
    "sed": _sed, "wc": _wc, "sha256sum": _sha256sum, "stat": _stat, "du": _du, "ls": _ls,
}  # fmt: skip
