"""Quotations: found in a sentence, looked up word for word in a source. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from nodes.research.checking.folding import HAN, lowered

_QUOTED = re.compile(r'"([^"\n]{2,600})"|「([^」\n]{2,600})」|『([^』\n]{2,600})』|《([^》\n]{2,200})》')
_OMITTED = re.compile(r"\s*(?:\[(?:\.\.\.|…)\]|\(\.\.\.\)|\.\.\.+|…+|⋯+)\s*")
_BARE = re.compile(r"[^\w%$€£.]+|\.(?!\d)")
NEAR = 0.6


@dataclass(frozen=True, slots=True)
class Quotation:
    """What a sentence gives as somebody's own words.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        text: what stands between the marks, folded.
        speech: long enough to be words somebody said, not a term or a title.
    """

    start: int
    end: int
    text: str
    speech: bool


def quotations(text: str) -> list[Quotation]:
    """The quotations in a folded text, in order."""
    found = []
    for match in _QUOTED.finditer(text):
        number = next(group for group in range(1, 5) if match[group] is not None)
        inner = match[number]
        size = len(HAN.findall(inner)) + len(re.findall(r"[A-Za-z0-9]+", inner)) * 2
        found.append(Quotation(match.start(number), match.end(number), inner, size >= 8 and number != 4))
    return found


def bare(text: str) -> str:
    """A folded text as quotations are compared: words with single blanks, lower case, no signs."""
    return re.sub(r"(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])", "", _BARE.sub(" ", lowered(text))).strip()


def verbatim(quoted: str, source: str) -> bool:
    """True if a quotation stands in a source word for word; what "..." leaves out may be missing.

    Args:
        quoted: folded.
        source: as `bare` gives it.
    """
    at = 0
    for part in _OMITTED.split(quoted):
        words = bare(re.sub(r"\[[^\]]{0,40}\]", " ... ", part)) if "[" not in part else ""
        pieces = [words] if words else [bare(piece) for piece in re.split(r"\[[^\]]{0,40}\]", part)]
        for piece in filter(None, pieces):
            found = _find(piece, source, at)
            if found < 0:
                return False
            at = found + len(piece)
    return True


def _find(piece: str, source: str, at: int) -> int:
    while (found := source.find(piece, at)) >= 0:
        end = found + len(piece)
        inside = (
            piece[0].isascii()
            and piece[0].isalnum()
            and found
            and source[found - 1].isascii()
            and source[found - 1].isalnum()
        )
        runs_on = (
            piece[-1].isascii()
            and piece[-1].isalnum()
            and end < len(source)
            and source[end].isascii()
            and source[end].isalnum()
        )
        if not inside and not runs_on:
            return found
        at = found + 1
    return -1


def altered(quoted: str, sentence: str) -> bool:
    """True if a sentence of a source holds nearly these words, so the quotation changes them.

    Args:
        quoted: folded.
        sentence: as `bare` gives it.
    """
    words = bare(quoted)
    matcher = SequenceMatcher(None, words, sentence, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks() if block.size > 1)
    return same >= NEAR * len(words)
