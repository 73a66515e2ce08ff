"""What is counted in files: lines, words, bytes, signs, and the longest line."""

from __future__ import annotations

import re
from typing import Any

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.draft import Draft, Facts, counted, read_step, shown
from memory.recipes.requests.line_wording import UNIT, Match
from memory.recipes.requests.lines_by_content import for_each_file
from memory.recipes.requests.marked import Marked
from memory.recipes.requests.sources import Source

UNITS = {
    "line": "lines",
    "word": "words",
    "character": "chars",
    "char": "chars",
    "letter": "chars",
    "byte": "bytes",
}


def counts(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Count lines, words, characters or bytes, in all or for each file."""
    words = [re.sub(r"s$", "", word.lower()) for word in re.findall(UNIT, match["units"], re.IGNORECASE)]
    flags = {UNITS[word]: True for word in words}
    if source.each or for_each_file(match) or len(source.paths) > 1:
        answer = AnswerTemplate(
            reader="counted",
            none="There are no such files.",
            one="${count} ${path}",
            many="${listing}",
            row="${count} ${path}",
        )
        if len(flags) > 1:
            return None
        return Draft([read_step("Count in each file", source.through(facts, "wc", **flags))], answer)
    what = f"{', '.join(words)} count of {source.described()}"
    if source.selection is None and len(flags) > 1:
        stages = source.through(facts, "wc", **flags)
        return shown(f"Count in {source.described()}", stages)
    if "words" in flags and len(flags) > 1:
        return None  # between two files a word may end where no byte stands
    read = source.text(facts) if "words" in flags else source.content(facts)
    return counted(f"Count in {source.described()}", [*read, {"tool": "wc", "args": flags}], what)


def longest_or_shortest(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """The longest or shortest line, or its length."""
    reader: Any = "shortest_line" if match["which"].lower().startswith("short") else "longest_line"
    length_only = match.groupdict().get("length") or match.groupdict().get("len2")
    one = "${length} characters" if length_only else "${text}\n(${length} characters)"
    answer = AnswerTemplate(reader=reader, none="It is empty.", one=one)
    return Draft([read_step(f"Read {source.described()}", source.text(facts))], answer)


def count_of_sign(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Count one sign, such as the comma."""
    signs = {
        "comma": ",",
        "tab": "\\t",
        "space": " ",
        "semicolon": ";",
        "colon": ":",
        "dot": ".",
        "newline": "\\n",
    }
    sign = signs[match["sign"].lower().rstrip("s")]
    stages = [
        *source.text(facts),
        {"tool": "tr", "argv": ["-cd", sign]},
        {"tool": "wc", "args": {"bytes": True}},
    ]
    return counted("Count the signs", stages, f"{match['sign']} in {source.described()}")
