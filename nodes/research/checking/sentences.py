"""Where sentences begin and end, in English and Chinese, in prose and in Markdown. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A full stop after these ends no sentence.
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sr jr st vs etc inc ltd co corp no vol fig eq dept gov gen sen rep rev hon capt lt col sgt "
    "jan feb mar apr jun jul aug sep sept oct nov dec approx est ca cf al ave blvd mt pp ed eds e.g i.e u.s u.k "
    "u.n e.u a.m p.m ph.d d.c univ assn bros intl mfg nt us viz bn mn tn cm mm km kg sq ft oz lb hr min sec".split()
)
# A link that opens the next sentence ("[Reuters](...) says") belongs to that one.
CITATION_MARK = (
    r"(?:\s*(?:\{cite:[^}\n]{1,40}\}|[\[【]\^?\d{1,3}(?:\s*[,;、-]\s*\^?\d{1,3})*[\]】](?!\()"
    r"|\[[^\]\n]{1,200}\]\([^)\s]+\)(?!\s*[a-z,'’]|[\u4e00-\u9fff])|[(（<]?https?://[^)）>\s]+[)）>]?))"
)
_STOP = re.compile(
    rf"(?P<end>[。！？!?]+|[;；](?=\s*$)|(?P<dot>\.+)(?![\w.]))(?P<close>[\"'”’」』》）)\]*_]*)(?P<cites>{CITATION_MARK}*)"
)
_LINE = re.compile(r"[^\n]*(?:\n|$)")
_BULLET = re.compile(
    r"\s*(?:>\s*)*(?:[-*+•·]\s+|\d{1,3}[.)、]\s+|[（(]?[一二三四五六七八九十]{1,3}[)）、.]\s*)?"
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s*#{1,6}\s")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
LONGEST = 1200


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in a text.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        paragraph: number of the paragraph it stands in.
        kind: "prose", "heading", "row" (of a table) or "code".
    """

    start: int
    end: int
    paragraph: int
    kind: str


def sentences(text: str, *, hard_wrapped: bool = True) -> list[Sentence]:
    """The sentences of a text in order; bullets, table bars and spaces around them are left out.

    Args:
        text: prose or Markdown.
        hard_wrapped: a single line end may stand inside a sentence.
    """
    found = []
    for start, end, paragraph, kind in _blocks(text, hard_wrapped):
        parts = _split(text, start, end) if kind == "prose" else [(start, end)]
        for first, last in parts:
            trimmed = _trimmed(text, first, last)
            if trimmed:
                found.append(Sentence(*trimmed, paragraph, kind))
    return found


def _blocks(text: str, hard_wrapped: bool) -> Iterator[tuple[int, int, int, str]]:
    """Runs of lines that belong together: (start, end, paragraph, kind)."""
    paragraph, open_block, fenced = 0, -1, False
    for match in _LINE.finditer(text):
        start, end = match.span()
        if start == end:
            break
        line = match[0]
        kind = _kind(line)
        if _FENCE.match(line):
            fenced, kind = not fenced, "rule"
        elif fenced:
            kind = "code"
        bullet = _BULLET.match(line)
        fresh = (
            kind != "prose"
            or not hard_wrapped
            or (bullet is not None and bullet.end() > 0 and bool(bullet[0].strip()))
        )
        if open_block >= 0 and (fresh or not line.strip()):
            yield open_block, start, paragraph, "prose"
            open_block = -1
        if not line.strip() or kind == "heading":
            paragraph += 1
        if kind in ("heading", "row", "code"):
            yield start, end, paragraph, kind
        elif kind == "prose" and line.strip() and open_block < 0:
            open_block = start + (bullet.end() if bullet and bullet[0].strip() else 0)
    if open_block >= 0:
        yield open_block, len(text), paragraph, "prose"


def _kind(line: str) -> str:
    if _RULE.match(line):
        return "rule"
    if _HEADING.match(line):
        return "heading"
    if line.lstrip().startswith("|") or line.count("|") > 2:
        return "rule" if re.fullmatch(r"[\s|:-]+", line) else "row"
    return "prose"


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    first = start
    for stop in _STOP.finditer(text, start, end):
        if stop.end() < end and not _ends(text, stop):
            continue
        yield first, stop.end()
        first = stop.end()
    while end - first > LONGEST:
        cut = max(text.rfind(sign, first, first + LONGEST) for sign in "\n ,，;；、")
        cut = cut + 1 if cut > first else first + LONGEST
        yield first, cut
        first = cut
    if first < end:
        yield first, end


def _ends(text: str, stop: re.Match[str]) -> bool:
    """True if a stop sign ends a sentence here; a full stop may belong to an abbreviation."""
    after = text[stop.end() : stop.end() + 2]
    if stop["dot"] is None:
        if stop["close"] and stop["end"][-1] in "！？!?" and re.match(r"[\u4e00-\u9fff]", after):
            return False
        # A quoted exclamation inside a sentence goes on in lower case or with a comma.
        return not re.match(r"\s?[a-z,，、]", after) or (
            not stop["close"] and not re.match(r"\s?[,，、]", after)
        )
    if after and not after[0].isspace():
        return bool(stop["cites"]) or not after[0].isascii()
    word = re.search(r"[\w.]*$", text[max(0, stop.start() - 20) : stop.start()])
    last = word[0].lower() if word else ""
    if re.match(r"\s[a-z]", text[stop.end() : stop.end() + 2]):
        return bool(stop["cites"])
    if len(last) == 1 and last.isalpha():
        # An initial: "J. Smith"; but "vitamin C. It".
        return not re.search(r"(?:^|[\s(.])[A-Z]$", text[max(0, stop.start() - 2) : stop.start()])
    return (
        last not in ABBREVIATIONS
        or last in ("no", "us", "inc", "co", "etc", "min", "sec", "km", "kg")
        and _opens(text, stop)
    )


def _opens(text: str, stop: re.Match[str]) -> bool:
    """True if what follows begins a sentence: a capital letter, not a number."""
    return re.match(r"\s+[\"'(]?[A-Z][a-z]*\s+[a-z]", text[stop.end() : stop.end() + 40]) is not None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    signs = " \t\r\n\u3000|"
    while start < end and text[start] in signs:
        start += 1
    while end > start and text[end - 1] in signs:
        end -= 1
    return (start, end) if end > start and any(c.isalnum() for c in text[start:end]) else None
