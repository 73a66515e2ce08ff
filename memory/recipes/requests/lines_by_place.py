"""Lines by where they stand in a file: all, the first and last ones, a span, every other one."""

from __future__ import annotations

import re
from typing import Any

from memory.recipes.requests.draft import Draft, Facts, Stage, shown
from memory.recipes.requests.line_wording import Match
from memory.recipes.requests.marked import Marked, number
from memory.recipes.requests.sources import Source


def whole(
    match: Match, marked: Marked, source: Source, facts: Facts, line_number: bool = False
) -> Draft | None:
    """Show a text from beginning to end."""
    tool: dict[str, Any] = {"number": True} if line_number else {}
    return shown(f"Print {source.described()}", source.through(facts, "cat", **tool), "It is empty.")


def first_or_last(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show the first or last lines, bytes or characters."""
    if (
        source.several
        and not source.each
        and source.selection is not None
        and not re.search(r"\bfiles\b", match["src"])
    ):
        return None
    first = match["end"].lower() in ("first", "top", "initial", "starting", "leading", "beginning", "opening")
    amount = match["n"]
    unit = match["unit"].lower()
    if not amount and unit.endswith("s"):
        amount = "10" if unit == "lines" else None
    if not amount and unit in ("byte", "character", "char", "line"):
        amount = "1"
    if amount is None:
        return None
    option = "-n" if unit.startswith("line") else "-c"
    if option == "-c" and unit.startswith("char") and source.several:
        return None
    tool = "head" if first else "tail"
    argv = ["-q", option, str(number(amount))]
    if option == "-n" and source.several:
        tool, argv = _ends_apart(first, number(amount))
    run: Stage = {"tool": tool, "argv": argv} | ({"expect_exit": [0, 1]} if tool == "grep" else {})
    if source.selection is None:
        stages = [run | {"argv": [*argv, "--", *source.at(facts)]}]
    else:
        stages = [*source.listed(facts), run | {"from_input": True, "null_separated": True}]
    return shown(f"Print the {match['end']} {unit} of {source.described()}", stages, "It is empty.")


def _ends_apart(first: bool, amount: int) -> tuple[str, list[str]]:
    """The tool and options for lines of several files; head and tail join a last line without a line break."""
    if first:
        return "grep", ["-h", "-a", "-m", str(amount), "-e", ""]
    return ("sed", ["-s", "-n", "-e", "$p"]) if amount == 1 else ("tail", ["-v", "-n", str(amount)])


def span_of(
    match: Match, marked: Marked, source: Source, facts: Facts, line_number: bool = False
) -> Draft | None:
    """Show one line by its number, or those from one to another."""
    groups = match.groupdict()
    first = number(groups.get("a") or groups.get("ord") or "")
    last = number(groups["b"]) if groups.get("b") else first
    if source.several or not 0 < first <= last:
        return None
    span = f"{first},{last}p" if last > first else f"{first}p"
    stages: list[Stage] = [{"tool": "sed", "argv": ["-n", span, "--", *source.at(facts)]}]
    return (
        None
        if line_number
        else shown(f"Print the lines {first} to {last}", stages, f"{source.described()} has no such line.")
    )


def without_ends(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show all but the first or last lines."""
    if source.several:
        return None
    amount = number(match["n"]) if match["n"] else 1
    if match["end"].lower() in ("first", "header", "top"):
        stages: list[Stage] = [{"tool": "tail", "argv": ["-n", f"+{amount + 1}", "--", *source.at(facts)]}]
    else:
        stages = [{"tool": "head", "argv": ["-n", f"-{amount}", "--", *source.at(facts)]}]
    return shown("Leave lines out", stages, "Nothing is left.")


def every_other(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show the odd or the even lines."""
    if source.several:
        return None
    span = "1~2p" if match["parity"].lower() == "odd" else "2~2p"
    stages: list[Stage] = [{"tool": "sed", "argv": ["-n", span, "--", *source.at(facts)]}]
    return shown(f"Print the {match['parity']} lines", stages, "There are none.")
