"""Passages of a text, each a place in the whole, cut where paragraphs and sentences end."""

from __future__ import annotations

import re
from typing import NamedTuple

TARGET = 450
"""Width a passage grows to; a character of Chinese counts as two and a half, being about half a word."""

WIDE = re.compile("[\u0e00-\u109f\u1780-\u17ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WIDE_COUNTS = 2.5
# What stands first is for speed: four times, since most characters end nothing.
_END = re.compile(
    r"(?=[\n。！？；!?.])"
    r"(?:\n[ \t]*\n\s*|[。！？；!?]+[」』”’\"）)]*\s*|(?<=[\w\])\"”’%])\.[\"”’)]*\s+(?=[^a-z])|\n+)"
)


class Passage(NamedTuple):
    """A place in a text: `text[start:end]`."""

    start: int
    end: int


def passages_of(text: str, target: int = TARGET) -> list[Passage]:
    """Cut a text into passages in order, which cover all of it but blanks between them.

    A sentence wider than `target` is a passage of its own up to twice that, then it is cut.
    """
    passages: list[Passage] = []
    start = at = 0
    width = 0.0
    for end in _ends(text):
        for piece_end in _pieces(at, end, target):
            piece = _width(text, at, piece_end)
            if width and width + piece > target:
                passages.append(Passage(start, at))
                start, width = at, 0.0
            width += piece
            at = piece_end
    passages.append(Passage(start, len(text)))
    return [kept for kept in (_stripped(text, passage) for passage in passages) if kept.start < kept.end]


def _ends(text: str) -> list[int]:
    ends = [match.end() for match in _END.finditer(text)]
    return ends if ends and ends[-1] == len(text) else [*ends, len(text)]


def _pieces(start: int, end: int, target: int) -> list[int]:
    return [*range(start + 2 * target, end, 2 * target), end]


def _width(text: str, start: int, end: int) -> float:
    wide = len(WIDE.findall(text, start, end))
    return end - start + (_WIDE_COUNTS - 1) * wide


def _stripped(text: str, passage: Passage) -> Passage:
    piece = text[passage.start : passage.end]
    return Passage(
        passage.start + len(piece) - len(piece.lstrip()), passage.end - len(piece) + len(piece.rstrip())
    )
