"""Lines changed on the way out: their case, their signs, their order. The file stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.recipes.requests.draft import Draft, Facts, shown
from memory.recipes.requests.line_wording import Match
from memory.recipes.requests.marked import Marked, number
from memory.recipes.requests.sources import Source


def in_case(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show a text in capitals, or without."""
    upper = match["case"].lower().startswith(("upper", "capital"))
    # tr works on bytes: other letters than these would stay as they are.
    sets = ["[:lower:]", "[:upper:]"] if upper else ["[:upper:]", "[:lower:]"]
    return shown("Change the case", [*source.text(facts), {"tool": "tr", "argv": sets}], "It is empty.")


def through(tool: str, argv: list[str] | None = None) -> Callable[..., Draft | None]:
    """Show a text as one tool prints it."""

    def build(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
        stages = [*source.text(facts), {"tool": tool, "argv": argv or []}]
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
