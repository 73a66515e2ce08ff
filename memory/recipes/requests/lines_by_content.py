"""Lines by what they hold: shown, numbered or counted."""

from __future__ import annotations

import re
from typing import Any

from memory.recipes.requests.draft import Draft, Facts, Stage, counted, shown
from memory.recipes.requests.line_wording import COUNTING, Match
from memory.recipes.requests.marked import KINDS_OF_SIGN, Marked, number
from memory.recipes.requests.sources import Source
from memory.recipes.requests.wording import COUNT, HOW_MANY


def ere(text: str) -> str:
    """A text as an extended regular expression that matches itself only."""
    return re.sub(r"([.\\*+?\[\](){}^$|])", r"\\\1", text)


def patterns_of(match: Match, marked: Marked) -> list[dict[str, Any]] | None:
    """Arguments of one grep, or of two that must both match."""
    how = (match["how"] or "").lower()
    noun = (match["noun"] or "").lower()
    texts = [marked.value(match["x"])] + ([marked.value(match["y"])] if match["y"] else [])
    join = (match["join"] or "").lower()
    if any("\n" in text for text in texts) or (match["no"] and join):
        return None
    unquoted = [match[name].lower() for name in ("x", "y") if match[name] and not match[name].startswith("‹")]
    if any(word in KINDS_OF_SIGN for word in unquoted):
        return None
    word = noun in ("word", "words") and all(re.fullmatch(r"\w+", text) for text in texts)
    raw = "pattern" in noun or "reg" in noun
    unsaid = ("pattern" in noun or how.startswith("match")) and "reg" not in noun
    if unsaid and not all(re.fullmatch(r"[\w ,:;=/@#%&-]+", text) for text in texts):
        return None  # whether it is a regular expression is not said
    wrap = {"start": "^{}", "begin": "^{}", "end": "{}$"}
    form = next((shape for key, shape in wrap.items() if how.startswith(key)), "{}")
    written = [form.format(text if raw else ere(text)) for text in texts]
    base: dict[str, Any] = (
        {"extended": True} | ({"word": True} if word else {}) | ({"invert": True} if match["no"] else {})
    )
    if join == "or":
        return [{**base, "pattern": "|".join(f"({text})" for text in written)}]
    return [{**base, "pattern": text} for text in written]


def matching(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
    """Show lines that hold a text, or two texts, or none."""
    greps = patterns_of(match, marked)
    if greps is None or (len(greps) > 1 and source.several):
        return None
    prefix = {"with_filename": True} if source.several else {}
    first = source.through(facts, "grep", **{**greps[0], **options, **prefix, "skip_binary": True})
    stages = [
        *first,
        *({"tool": "grep", "args": {**grep, **_without_numbers(options)}} for grep in greps[1:]),
    ]
    stages = [stage | ({"expect_exit": [0, 1]} if stage["tool"] == "grep" else {}) for stage in stages]
    none = f"No line of {source.described()} does."
    return shown(f"Search {source.described()}", stages, none, expect_exit=[0, 1])


def numbers_of_matching(
    match: Match, marked: Marked, source: Source, facts: Facts, **options: bool
) -> Draft | None:
    """Show the numbers of lines that hold a text."""
    greps = patterns_of(match, marked)
    if greps is None or len(greps) > 1 or source.several:
        return None
    args = {**greps[0], **options, "line_number": True}
    stages = source.through(facts, "grep", **args)
    stages[-1]["expect_exit"] = [0, 1]
    return shown("Number the lines", [*stages, {"tool": "cut", "argv": ["-d:", "-f1"]}], "No line does.")


def _without_numbers(options: dict[str, bool]) -> dict[str, bool]:
    return {name: value for name, value in options.items() if name != "line_number"}


def how_many_match(
    match: Match, marked: Marked, source: Source, facts: Facts, **options: bool
) -> Draft | None:
    """Count lines that hold a text, in all or for each file."""
    greps = patterns_of(match, marked)
    if greps is None:
        return None
    per_file = source.each or for_each_file(match)
    if per_file:
        if len(greps) > 1:
            return None
        stages = source.through(
            facts, "grep", **{**greps[0], **options, "count": True, "with_filename": True}
        )
        stages[-1]["expect_exit"] = [0, 1]
        return shown("Count the lines", stages, "There are no such files.", expect_exit=[0, 1])
    stages = source.text(facts)
    for grep in greps[:-1]:
        stages.append({"tool": "grep", "args": {**grep, **options}, "expect_exit": [0, 1]})
    stages.append({"tool": "grep", "args": {**greps[-1], **options, "count": True}, "expect_exit": [0, 1]})
    return counted("Count the lines", stages, f"lines of {source.described()}", expect_exit=[0, 1])


def for_each_file(match: Match) -> bool:
    """Whether the request asks for a figure of each file: "in each of the logs"."""
    return bool(re.match(r"(?:each|every)\b", match["src"])) or bool(match.groupdict().get("each"))


def occurrences(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
    """Count how often a text stands there, not the lines it stands in."""
    if source.each:
        return None
    text = marked.value(match["x"])
    word = (match["noun"] or "").lower() == "word" and re.fullmatch(r"\w+", text) is not None
    args: dict[str, Any] = {"pattern": text, "fixed": True, "only_matching": True, **options}
    args |= {"word": True} if word else {}
    search: Stage = {"tool": "grep", "args": args, "expect_exit": [0, 1]}
    stages = [*source.text(facts), search, {"tool": "wc", "args": {"lines": True}}]
    return counted(f"Count {text!r}", stages, f"in {source.described()}")


def blank(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show or count lines without a sign, or all others."""
    count = bool(re.match(rf"{COUNT}|{HOW_MANY}", match[0], re.IGNORECASE))
    invert = {"invert": True} if "no" in match.re.groupindex and match["no"] else {}
    args = {"pattern": "^[[:space:]]*$" if match["word"].lower() == "blank" else "^$", **invert}
    stage: Stage = {"tool": "grep", "args": args | ({"count": True} if count else {}), "expect_exit": [0, 1]}
    stages = [*source.text(facts), stage]
    if count:
        return counted("Count the lines", stages, f"lines of {source.described()}", expect_exit=[0, 1])
    return shown("Leave lines out", stages, "There are none.", expect_exit=[0, 1])


def of_length(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show or count lines longer or shorter than a number of characters."""
    amount = number(match["n"])
    longer = match["how"].lower() in ("longer", "more")
    if amount > 1000 or source.several or (not longer and amount < 1):
        return None
    pattern = f".{{{amount + 1},}}" if longer else f"^.{{0,{amount - 1}}}$"
    count = re.fullmatch(COUNTING, match["verb"], re.IGNORECASE) is not None
    args = {"pattern": pattern, "extended": True} | ({"count": True} if count else {})
    stages = [*source.text(facts), {"tool": "grep", "args": args, "expect_exit": [0, 1]}]
    if count:
        return counted("Count the lines", stages, f"lines of {source.described()}", expect_exit=[0, 1])
    return shown("Search the lines", stages, "There are none.", expect_exit=[0, 1])
