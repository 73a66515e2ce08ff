"""A document as its sentences; a line ended on purpose ends one, too: in lists, fact sheets, posts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.research.passages import CJK, sentences

# Signs (a Chinese one counts twice): nobody wraps lines at less.
LEAST_WIDTH = 40
LONGEST_LABEL = 60
_HAN_WIDTH = 2
_CONTINUES = re.compile(
    r"[,，、;；—–-]\s*$|\b(?:and|or|of|the|a|an|to|in|for|with|by|at|on|from|that|as)\s*$", re.I
)
_STOPS = re.compile(r"[.!?。！？][\"'”’」』)）]*\s*$")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<words>.+?)\s*#*\s*$")
_LABEL = re.compile(
    rf"^\s*(?:[-*+•]\s+)?(?:\*\*|__)?(?P<label>[^:：\n]{{1,{LONGEST_LABEL}}}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*(?=\S)"
)
_BULLET = re.compile(r"\s*(?:[-*+•·]|\d{1,3}[.)、])\s*")
_HAN = re.compile(f"[{CJK}]")


@dataclass(frozen=True)
class Line:
    """A sentence of a document, or an entry of a list that has no full stop.

    Attributes:
        start, end: offsets in the document.
        text: what stands there.
        heading: the heading it stands under; empty without one.
        entry: True for a line that was ended on purpose, such as "Workforce: 1,170 employees".
    """

    start: int
    end: int
    text: str
    heading: str = ""
    entry: bool = False


def lines_of(text: str, start: int = 0, end: int | None = None) -> list[Line]:
    """The lines of a stretch of a document in order, headings left out.

    Args:
        text: the document, prose or Markdown.
        start: offset of the stretch.
        end: offset after it; None is the end of the document.
    """
    found: list[Line] = []
    heading = ""
    for first, last in sentences(text, start, end):
        title = _HEADING.match(text[first:last])
        if title is not None:
            heading = title["words"]
            continue
        parts = _parted(text, first, last)
        for begin, stop in parts:
            words = text[begin:stop]
            entry = len(parts) > 1 or labelled(words) or _bulleted(text, begin)
            found.append(Line(begin, stop, words, heading, entry))
    return found


def _bulleted(text: str, start: int) -> bool:
    """True for an item of a list."""
    return _BULLET.fullmatch(text[text.rfind("\n", 0, start) + 1 : start]) is not None


def labelled(text: str) -> bool:
    """True for "label: value"."""
    return _LABEL.match(text) is not None


def _parted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentence, cut where a line ends although the next word would have had room in it."""
    breaks = [match.start() for match in re.finditer(r"\n", text[start:end])]
    if not breaks:
        return [(start, end)]
    width = _width(text, start, end)
    cut, begin = [], start
    for place in (start + one for one in breaks):
        line = text[text.rfind("\n", 0, place) + 1 : place]
        if _ended(line, text[place + 1 : end], width):
            cut.append((begin, place))
            begin = place + 1
    cut.append((begin, end))
    return [_trimmed(text, *one) for one in cut if text[one[0] : one[1]].strip()]


def _ended(line: str, rest: str, width: int) -> bool:
    """True if a line was ended on purpose: its writer had room for the next word and did not use it."""
    following = rest.lstrip()
    if following and _STOPS.search(line):
        return True
    if not following or _CONTINUES.search(line) or re.match(r"[a-z,，、。;；)）]", following):
        # A label ends its line whatever comes; a lower-case word goes on with the sentence.
        return bool(following) and _LABEL.match(line) is not None and _LABEL.match(following) is not None
    word = following[:1] if _HAN.match(following) else re.split(r"\s", following, maxsplit=1)[0]
    return _signs(line) + 1 + _signs(word) <= width


def _width(text: str, start: int, end: int) -> int:
    """Signs of the longest line around a sentence."""
    first = text.rfind("\n\n", 0, start) + 1
    last = text.find("\n\n", end)
    around = text[first : last if last >= 0 else len(text)].split("\n")
    return max(LEAST_WIDTH, *(_signs(line) for line in around))


def _signs(text: str) -> int:
    return sum(_HAN_WIDTH if _HAN.match(sign) else 1 for sign in text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
