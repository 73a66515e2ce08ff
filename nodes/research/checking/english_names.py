"""Names in English text: runs of words with capital letters. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.folding import lowered
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import GENERIC, HEADS, NOT_NAMES, OPENERS, TITLES
from nodes.research.checking.terms import STOP

_TOKEN = r"(?:[A-Z][A-Za-z0-9\u00c0-\u024f]*(?:['&.-][A-Za-z0-9\u00c0-\u024f]+)*|[a-z]+[A-Z][A-Za-z0-9]*|[A-Z]&[A-Z]|\d+[A-Z][A-Za-z]*)"
_ENGLISH = re.compile(
    rf"(?<![A-Za-z0-9_])(?:{_TOKEN})(?:(?:\.? (?:of|the|for|and|de|del|van|von|der|la|le|al|bin|&|y) (?:the )?|\.? |-)(?:{_TOKEN}|\d+(?![\w.,%]|\s?(?:million|billion|percent))))*"
)


def english_names(text: str) -> list[Name]:
    """The names in a folded text, in order."""
    found = []
    for match in _ENGLISH.finditer(text):
        start, parts = match.start(), _parts(match)
        opening = _opens(text, match.start())
        while parts and _drops(parts[0][1], opening):
            opening = opening and parts[0][1].lower() in OPENERS | STOP
            parts = parts[1:]
        while parts and (parts[-1][1].lower() in NOT_NAMES | STOP and not parts[-1][1].isupper()):
            parts = parts[:-1]
        if not parts:
            continue
        for group in _apart(parts):
            start, end = group[0][0], group[-1][0] + len(group[-1][1])
            word = text[start:end].removesuffix("'s")
            if len(word) < 2 or lowered(word) in NOT_NAMES or word.isdecimal():
                continue
            first = _opens(text, start)
            odd = bool(re.search(r"[A-Z].*[A-Z]|\d|&", group[0][1]))
            sure = (
                not first or odd or len(group) > 1 or text[start + len(word) : start + len(word) + 2] == "'s"
            )
            found.append(Name(start, start + len(word), word, sure))
    return found


def _parts(match: re.Match[str]) -> list[tuple[int, str]]:
    return [(match.start() + part.start(), part[0]) for part in re.finditer(r"[^\s]+", match[0])]


def _drops(word: str, opening: bool) -> bool:
    low = word.lower().rstrip(".")
    return low in STOP or low in TITLES or low in NOT_NAMES or (opening and low in OPENERS)


def _apart(parts: list[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Split joined names: "Acme and Beta" and "Chen of Harbor University" are two names; "Ministry of Health and Welfare" is one; "Kenya's Mercy Chebwai" two."""
    groups: list[list[tuple[int, str]]] = [[]]
    joined = False
    for number, (at, word) in enumerate(parts):
        before = parts[number - 1][1].lower() if number else ""
        if before.endswith("'s") and before != "'s" and word[0].isupper() and len(before) > 4:
            groups.append([])
        if word == "of" and before in GENERIC | HEADS:
            joined = True
        if (word == "and" and not joined) or (word in ("of", "for") and before not in GENERIC | HEADS):
            groups.append([])
        elif groups[-1] or word not in ("the", "of", "for", "and"):
            groups[-1].append((at, word))
    return [group for group in groups if group]


def _opens(text: str, at: int) -> bool:
    """True if what stands at an offset begins a sentence or a quotation."""
    before = text[:at].rstrip(" \"'([*_-")
    return not before or before[-1] in ".!?:;。！？|\n"
