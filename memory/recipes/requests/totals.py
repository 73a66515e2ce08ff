"""Requests for one figure of files: how many they are, how large together."""

from __future__ import annotations

import re

from memory.recipes.requests.draft import Draft, Facts, Parsed, all_exist, counted, over, shown
from memory.recipes.requests.filters import read_selection
from memory.recipes.requests.list_form import Form
from memory.recipes.requests.marked import Marked
from memory.recipes.requests.selection import Selection
from memory.recipes.requests.wording import COUNT, FIND, HOW_MANY, SHOW


def read_count(text: str, form: Form, marked: Marked) -> Parsed | None:
    """A request for how many files or directories, or None."""
    match = re.fullmatch(rf"(?:{COUNT} (?P<a>.+)|{HOW_MANY} (?P<b>.+))", text, re.IGNORECASE)
    if match is None or form != Form():
        return None
    phrase = match["a"] or match["b"]
    if match["b"]:
        # "How many files are in docs", "how many subfolders does data have".
        phrase = re.sub(r"^(\S+(?: \S+)?) (?:does|do) (.+?) (?:have|contain|hold)$", r"\1 in \2", phrase)
        phrase = re.sub(r" (?:are|is|exist)(?: there)?$| (?:are|is) there(?= )", "", phrase)
    selection = read_selection(phrase, marked)
    if selection is None:
        return None
    return Parsed("count", lambda facts: _counted(selection, facts), selection.names())


def _counted(selection: Selection, facts: Facts) -> Draft | None:
    if not all_exist(selection, facts):
        return None
    if selection.contents:
        stages = [
            *selection.stages(),
            {"tool": "tr", "argv": ["-cd", "\\0"]},
            {"tool": "wc", "args": {"bytes": True}},
        ]
    else:
        one_line = {"tool": "find", "args": selection.arguments(printf=".\\n")}
        stages = [one_line, {"tool": "wc", "args": {"lines": True}}]
    return counted(f"Count the {selection.described()}", stages, selection.described())


def read_total(text: str, form: Form, marked: Marked) -> Parsed | None:
    """A request for the size of files together, or None."""
    match = re.fullmatch(
        rf"(?:{COUNT}|{SHOW}|{FIND}|what is|sum(?: up)?|add up|calculate|compute|determine|measure)? ?(?:the )?(?:total|combined|overall|cumulative|sum of the)?(?: file| disk)? ?(?P<word>sizes?|usage|space)(?: in bytes)?(?: used| taken| occupied)?(?: by| of| for)? (?P<rest>.+?)(?P<bytes> in bytes)?",
        text,
        re.IGNORECASE,
    )
    if (
        match is None
        or form != Form()
        or not re.search(r"\b(?:total|combined|overall|sum|cumulative)\b", text, re.IGNORECASE)
    ):
        return None
    selection = read_selection(match["rest"], marked)
    if selection is None or selection.kind != "f":
        return None
    if match["word"].lower() != "size" and match["word"].lower() != "sizes":
        return None  # what is used is counted in blocks, not in bytes of contents
    in_bytes = re.search(r"\bin bytes\b", text, re.IGNORECASE) is not None
    return Parsed("total-size", lambda facts: _summed(selection, facts, in_bytes), selection.names())


def _summed(selection: Selection, facts: Facts, in_bytes: bool) -> Draft | None:
    if not all_exist(selection, facts):
        return None
    if selection.contents:
        stages = [*selection.stages(), over("stat", format="%s")]
    else:
        stages = [{"tool": "find", "args": selection.arguments(printf="%s\\n")}]
    draft = shown(f"Measure the {selection.described()}", stages)
    answer = draft.answer.model_copy(  # type: ignore[union-attr]  # `shown` always has one
        update={
            "reader": "numbers",
            "one": "${sum}" if in_bytes else "${sum} bytes (${what})",
            "none": "0 bytes: there are no ${what}.",
        }
    )
    return Draft(draft.steps, answer, {"what": selection.described()})
