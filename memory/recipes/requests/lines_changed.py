"""Lines changed on the way out: their case, their signs, their order. The file stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.recipes.requests.draft import Draft, Facts, Stage, shown
from memory.recipes.requests.line_wording import Match
from memory.recipes.requests.marked import Marked, number
from memory.recipes.requests.sources import Source

# tac joins a last line without a line break to the one before it; grep ends each.
LINES_BACKWARDS: list[Stage] = [
    {"tool": "grep", "argv": ["-a", "-e", ""], "expect_exit": [0, 1]},
    {"tool": "tac", "argv": []},
]


def in_case(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show a text in capitals, or without."""
    upper = match["case"].lower().startswith(("upper", "capital"))
    return shown("Change the case", [*source.text(facts), in_capitals(upper)], "It is empty.")


def in_capitals(upper: bool) -> Stage:
    """What writes a text in capitals, or without; tr works on bytes and knows no letters but those of English."""
    return {"tool": "sed", "argv": ["s/.*/\\U&/" if upper else "s/.*/\\L&/"]}


def through(tool: str, argv: list[str] | None = None) -> Callable[..., Draft | None]:
    """Show a text as one tool prints it."""

    def build(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
        last: list[Stage] = LINES_BACKWARDS if tool == "tac" else [{"tool": tool, "argv": argv or []}]
        stages = [*source.text(facts), *last]
        return shown(f"{tool} of {source.described()}", stages, "It is empty.")

    return build


def replaced(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show a text with a sign or another text in the place of one."""
    words = {"tabs": "\t", "tab": "\t", "spaces": " ", "space": " ", "a space": " ", "commas": ",", "comma": ",",
             "semicolons": ";", "semicolon": ";", "newlines": "\n", "newline": "\n", "colons": ":", "underscores": "_",
             "dashes": "-", "hyphens": "-", "dots": ".", "slashes": "/", "a comma": ",", "a tab": "\t", "a newline": "\n",
             "an underscore": "_", "a dash": "-", "a hyphen": "-"}  # fmt: skip
    old, new = (words.get(match[name].lower(), marked.value(match[name])) for name in ("x", "y"))
    if len(old) == 1 and len(new) == 1:
        escaped = {"\t": "\\t", "\n": "\\n", "\\": "\\\\", "-": "-", "[": "\\["}
        argv = [escaped.get(old, old), escaped.get(new, new)]
        return shown("Replace", [*source.text(facts), {"tool": "tr", "argv": ["--", *argv]}], "It is empty.")
    if "\n" in old + new:
        return None
    left = re.sub(r"([.\\*\[\]^$/])", r"\\\1", old).replace("\t", "\\t")
    right = re.sub(r"([\\&/])", r"\\\1", new).replace("\t", "\\t")
    return shown(
        "Replace", [*source.text(facts), {"tool": "sed", "argv": [f"s/{left}/{right}/g"]}], "It is empty."
    )


def characters(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show the same characters of every line."""
    groups = match.groupdict()
    if groups.get("n") is not None or groups.get("first"):
        span = f"1-{number(groups['n'] or '1')}"
    else:
        span = f"{groups['a']}-{groups['b']}"
    stages = [*source.text(facts), {"tool": "cut", "argv": [f"-c{span}"]}]
    return shown("Cut the lines", stages, "It is empty.")
