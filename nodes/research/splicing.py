"""Sentences of a Markdown text replaced or taken out, and what that leaves empty tidied away."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from nodes.research.state import Finding

_EMPTY_BULLET = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]*$\n?", re.MULTILINE)
# A line that only names what stood below it.
_NAMES_NOTHING = re.compile(r"^-[ \t]+\*\*[^*\n]+\*\*[ \t]*(?:\n(?=[ \t]*\n|-|#)|\Z)", re.MULTILINE)
_ONLY_MARKS = re.compile(r"^[ \t>]*[*_`.。,，;；:：|\-—\s]*$\n?", re.MULTILINE)
# What is left of a table's row, a fence, a quotation or an underlined title whose words are gone.
_EMPTY_ROW = re.compile(r"^[ \t]*\|(?:[ \t]*\|)+[ \t]*$\n?(?![ \t]*\|[ \t]*:?-)", re.MULTILINE)
_EMPTY_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n(?:[ \t]*\n)*[ \t]*\1[ \t]*$\n?", re.MULTILINE)
_EMPTY_QUOTE = re.compile(r"(?:\A\s*|(?<=\n\n))(?:[ \t]*>[ \t]*(?:\n|\Z))+(?![ \t]*>)")
_UNDERLINE = re.compile(r"(?:\A\s*|(?<=\n\n))[ \t]*={3,}[ \t]*(?:\n|\Z)")
_HEADING = re.compile(r"^#{1,6}[ \t].*$")


def spliced(
    text: str,
    findings: Sequence[Finding],
    edits: Mapping[int, str],
    between: Callable[[str], str] = lambda text: text,
) -> str:
    """The text with some of its sentences replaced.

    Args:
        text: that the findings are about.
        findings: sentences with their offsets.
        edits: the new words, by place among the findings; empty takes the sentence out.
        between: what is done to everything that stays.
    """
    parts: list[str] = []
    at = 0
    for place in sorted(edits, key=lambda one: findings[one].start):
        finding = findings[place]
        if finding.start < at:
            continue
        parts += [between(text[at : finding.start]), edits[place]]
        at = finding.end
    parts.append(between(text[at:]))
    return tidied("".join(parts))


def tidied(text: str) -> str:
    """A Markdown text without empty bullets, headings that hold nothing, and runs of empty lines."""
    for nothing in (_EMPTY_BULLET, _NAMES_NOTHING, _EMPTY_ROW, _EMPTY_FENCE, _EMPTY_QUOTE, _UNDERLINE):
        text = nothing.sub("", text)
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [re.sub(r"(?<=\S)[ \t]{2,}", " ", line) for line in lines]
    kept: list[str] = []
    for place, line in enumerate(lines):
        if _HEADING.match(line) and _holds_nothing(lines[place + 1 :], line):
            continue
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _holds_nothing(below: Sequence[str], heading: str) -> bool:
    """True if no words follow a heading before the next one of its level or above."""
    level = len(heading) - len(heading.lstrip("#"))
    for line in below:
        if _HEADING.match(line):
            if len(line) - len(line.lstrip("#")) <= level:
                return True
            continue
        if line.strip() and not _ONLY_MARKS.fullmatch(line):
            return False
    return True
