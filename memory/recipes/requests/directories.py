"""Requests for what is in a directory: its entries, its tree, the sizes of its parts."""

from __future__ import annotations

import re

from memory.recipes.requests.draft import SORT_BY_NAME, TO_LINES, Draft, Facts, Parsed, shown
from memory.recipes.requests.list_form import DOWN, OF_TIME
from memory.recipes.requests.marked import NUMBER, PATH, Marked, number
from memory.recipes.requests.wording import COUNT, FIND, SHOW


def read_directory(text: str, marked: Marked) -> Parsed | None:
    """What is in a directory, and how large its parts are."""
    path = rf"(?:the )?(?:(?:directory|folder) )?(?P<x>{PATH}|(?:the )?(?:current|this|working)(?: working)? (?:directory|folder))(?: (?:directory|folder))?"
    listing = re.fullmatch(
        rf"(?:{SHOW}|{FIND}|ls) (?:(?:all |the )*(?:contents?|content|entries)(?: of| in)? |(?:what(?: is|'s)|everything) in )?{path}(?P<all>,? (?:including|and|with) (?:the |all )?hidden (?:ones|files|entries)(?: and (?:directories|folders))?)?(?:,? (?:sorted|ordered) by (?P<key>size|(?:last )?(?:modification )?(?:time|date)|modification time)(?:,? (?:\(?(?P<first>largest|biggest|newest|latest|oldest|smallest|most recent)(?: ones?| files?| entries)? first\)?|in (?P<way>ascending|descending|reverse) order))?)?",
        text,
        re.IGNORECASE,
    )
    tree = re.fullmatch(
        rf"(?:{SHOW}|draw) (?:the |a )?(?:directory |folder |file )?(?:tree|structure|hierarchy|tree structure)(?: view)? (?:of|for|under|below|in|at) {path}(?:,? ?(?:up to|to(?: a)?|with(?: a)?|limited to|only)? ?(?:(?:max(?:imum)? )?depth (?:of )?(?P<d>{NUMBER})|(?P<e>{NUMBER}) levels?(?: deep| down)?|depth (?P<f>{NUMBER})))?",
        text,
        re.IGNORECASE,
    )
    usage = re.fullmatch(
        rf"(?:{SHOW}|{COUNT}|what is) (?:the )?(?:disk )?(?:usage|sizes?|space used)(?: of| by| for)? (?:each|every|all|the)(?: of the)?(?: (?:immediate|direct))? ?(?:sub-?)?(?:directory|folder|directories|folders)(?: (?:of|in|under|inside|within) {path})?(?:(?P<human>,? in (?:a )?human[- ]readable (?:format|form))|,? in (?P<unit>bytes|kilobytes|kb|megabytes|mb))?",
        text,
        re.IGNORECASE,
    )
    match = tree or usage or listing
    if match is None:
        return None
    token = match["x"] or "."
    here = re.search(r"\b(?:current|this|working)\b", token, re.IGNORECASE) is not None
    if listing and here and not re.match(r"list|ls|.*\b(?:contents?|what|everything)\b", text, re.IGNORECASE):
        return None  # "print the current directory" asks where it is
    name = "." if here else marked.value(token)

    def build(facts: Facts) -> Draft | None:
        if facts.kind(name) != "directory":
            return None
        place = facts.place(name)
        if tree:
            depth = next((tree[group] for group in "def" if tree[group]), None)
            limits = {"maxdepth": number(depth)} if depth else {}
            stages = [
                {"tool": "find", "args": {"paths": [place], "print0": True, **limits}},
                SORT_BY_NAME,
                TO_LINES,
            ]
            return shown(f"Walk {place}", stages)
        if usage:
            measure = _measure(usage)
            if measure is None:
                return None
            stages = [
                {
                    "tool": "find",
                    "args": {"paths": [place], "type": "d", "mindepth": 1, "maxdepth": 1, "print0": True},
                },
                SORT_BY_NAME,
                {"tool": "du", "argv": ["-s", *measure], "from_input": True, "null_separated": True},
            ]
            return shown(f"Measure what is in {place}", stages, f"There are no directories in {place}.")
        assert listing is not None
        options = _ls_options(listing)
        if options is None:
            return None
        stages = [{"tool": "ls", "argv": [options, "--", place] if place != "." else [options]}]
        return shown(f"List {place}", stages, f"{place} is empty.")

    return Parsed("directory", build, (name,))


def _ls_options(listing: re.Match[str]) -> str | None:
    """Options of ls for what is said of the order and of hidden entries, or None if that contradicts itself."""
    options = "-1A" if listing["all"] else "-1"
    if not listing["key"]:
        return options
    of_time, first = listing["key"].lower() != "size", (listing["first"] or "").lower()
    if first and (first in OF_TIME) != of_time:
        return None
    way = (listing["way"] or "").lower()
    down = first in DOWN or way == "descending" or (not first and not way)
    # Without a word for it, ls has the newest and the largest first; that is what such an order is taken for.
    return options + ("t" if of_time else "S") + ("" if down else "r")


def _measure(usage: re.Match[str]) -> list[str] | None:
    """Options of du: what is used is counted in blocks; a size in bytes is that of the contents."""
    used = re.search(r"\b(?:usage|used)\b", usage[0], re.IGNORECASE)
    unit = (usage["unit"] or "").lower()
    if usage["human"]:
        return ["-h"]
    if unit and unit[0] != "b":
        return [f"-{unit[0]}"] if used else None
    if used:
        return ["-B1"] if unit else ["-k"]
    return ["-b"]
