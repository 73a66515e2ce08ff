"""Which of some known answers a text names, and which it denies. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

# "does not rise", "neither Mia nor", "anything but": within three words before, with no comma between.
_DENIES = re.compile(
    r"(?:\b(?:not|never|neither|nor|no|without|cannot|except|excluding|than|unlike)\b|n['’]t\b)(?:\W+\w+){0,3}\W*$",
    re.IGNORECASE,
)
_UNTRUE = re.compile(
    r"\b(?:not (?:true|correct|the case) that|(?:false|wrong|untrue) that)\b[^.,;!?\n]*$", re.IGNORECASE
)
# "Six days after Tuesday" is not Tuesday.
_BESIDE = re.compile(r"\b(?:after|before|from|since|until)\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
_CLAUSE = re.compile(r"[,.;:!?\n]|\b(?:but|and so|so|while|whereas)\b")
_CASED = 3
"""Names shorter than this are written as they are: "He" is helium, "he" is somebody."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A known answer in a text.

    Attributes:
        key: of the answer.
        start, end: where its name stands.
        denied: True for "not Jon".
    """

    key: str
    start: int
    end: int
    denied: bool


def mentions(text: str, names: Mapping[str, Sequence[str]]) -> list[Mention]:
    """Every known answer a text names; of names that overlap the longest, so "not safe" is not "safe".

    Args:
        text: any.
        names: what each answer is called, by its key.
    """
    listed = [(name, key) for key, known in names.items() for name in known]
    taken: list[tuple[int, int]] = []
    found: list[Mention] = []
    for name, key in sorted(listed, key=lambda pair: -len(pair[0])):
        for match in _pattern(name).finditer(text):
            start, end = match.span()
            if any(start < e and s < end for s, e in taken) or not _by_itself(text, name, start, end):
                continue
            taken.append((start, end))
            # The "not" of "not safe" is said already, and denies nothing after it.
            found.append(Mention(key, start, end, _denied(_blanked(text, taken)[:start])))
    return sorted(found, key=lambda one: one.start)


def affirmed(found: Sequence[Mention]) -> frozenset[str]:
    """Keys of what is named and not denied."""
    return frozenset(one.key for one in found if not one.denied)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in name.split())
    cased = len(name) < _CASED and name[:1].isupper()
    return re.compile(rf"(?<![\w]){words}(?!\w)", 0 if cased else re.IGNORECASE)


def _by_itself(text: str, name: str, start: int, end: int) -> bool:
    """False for a part of a longer number, time or sequence of numbers."""
    before, after = text[:start], text[end:]
    if name[:1].isdigit() and re.search(r"\d[\s,.:]*$|[-−]$", before):
        return False
    return not (name[-1:].isdigit() and re.match(r"\s*[,.:]?\s*\d", after))


def _blanked(text: str, taken: Sequence[tuple[int, int]]) -> str:
    for start, end in taken:
        text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    return text


def _denied(before: str) -> bool:
    if _UNTRUE.search(before) or _BESIDE.search(before):
        return True
    return _DENIES.search(_CLAUSE.split(before)[-1]) is not None
