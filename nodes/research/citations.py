"""Citations are {cite:N}, N the number of a source that was shown; other forms become one or go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from nodes.research.state import Source

CITE = re.compile(r"\{\s*cite\s*:\s*([0-9,;、\s]+)\}", re.IGNORECASE)
# What was meant to be a citation and is none: {cite:abc}, {{cite:2}}, an unclosed one.
MEANT = re.compile(r"\{+\s*cite(?:[^}{\n\[(<]{0,80}\}+|(?:\s*:)?[\d,;、]*)", re.IGNORECASE)
BRACKETED = re.compile(
    r"[\[【](?:\^|source\s+|來源\s*)?([0-9]{1,4}(?:\s*[,;、]\s*[0-9]{1,4})*)[\]】](?![(\[:])", re.IGNORECASE
)
LINK = re.compile(r"!?\[([^\]\n]*)\]\(\s*<?([^)\s>]*)>?[^)\n]*\)")
REFERENCE_LINK = re.compile(r"\[([^\]\n]+)\]\[[^\]\n]*\]")
BARE_URL = re.compile(r"<?(?:https?|ftp|file)://[^\s<>()\[\]{}\"'，。；、）」』]+>?", re.IGNORECASE)
TAG = re.compile(r"</?[a-zA-Z!][^>\n]{0,300}>")
# A list of sources is code's to write.
SOURCE_LIST = re.compile(
    r"\n+#{0,6}\s*\**(?:sources?|references?|bibliography|citations?|參考(?:資料|來源|文獻)|資料來源|來源)"
    r"(?: list| cited)?"
    r"\**\s*[:：]?\s*\**\s*\n(?:[ \t]*\n|[ \t]*(?:[-*+]|\d+[.)]|\[\d+\]|\{cite|https?:)[^\n]*(?:\n|$))*\s*\Z",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?"
MOST_ROUNDS = 8


def clean(text: str, sources: Sequence[Source], citable: Iterable[int]) -> tuple[str, int]:
    """A model's Markdown with citations in our form only.

    Args:
        text: as the model wrote it.
        sources: those in use.
        citable: numbers that were shown to a model.

    Returns:
        The text, and how many citations were taken out because they name nothing that was shown.
    """
    cleaner = _Cleaner(sources, citable)
    before = ""
    # What is taken out of the middle of a word can leave a citation behind that was none.
    for _ in range(MOST_ROUNDS):
        if text == before:
            break
        before, text = text, cleaner.once(text)
    return text, cleaner.removed


class _Cleaner:
    """Every form of a citation in ours, or out; counts what went."""

    def __init__(self, sources: Sequence[Source], citable: Iterable[int]) -> None:
        known = {source.number for source in sources}
        self._allowed = {number for number in citable if number in known}
        self._by_url = {url: source.number for source in sources for url in (source.url, *source.copies)}
        self.removed = 0

    def once(self, text: str) -> str:
        text = SOURCE_LIST.sub("\n", text.replace("\0", ""))
        text = CITE.sub(lambda match: self._cited(_numbers(match[1])), text)
        self.removed += len(MEANT.findall(text))
        text = MEANT.sub("", text)
        text = LINK.sub(self._linked, text)
        text = REFERENCE_LINK.sub(r"\1", text)
        text = BRACKETED.sub(lambda match: self._cited(_numbers(match[1])), text)
        text = BARE_URL.sub(lambda match: self._address(match[0].strip("<>")) + _tail(match[0]), text)
        text = TAG.sub("", text)
        text = re.sub(r"\0cite:(\d+)\0", r"{cite:\1}", text)
        return re.sub(r"[ \t]+(?=[.,;，。；、!?])", "", text).strip()

    def _cited(self, numbers: Iterable[int]) -> str:
        found = list(dict.fromkeys(numbers))
        good = [number for number in found if number in self._allowed]
        self.removed += len(found) - len(good)
        return "".join(f"\0cite:{number}\0" for number in good)

    def _address(self, url: str) -> str:
        number = self._by_url.get(url) or self._by_url.get(url.rstrip(_TRAILING))
        if number is None:
            self.removed += 1
            return ""
        return self._cited([number])

    def _linked(self, match: re.Match[str]) -> str:
        label = match[1].strip()
        # A number or an address as the label says nothing beside the citation.
        words = "" if label.isdigit() or "://" in label else label
        return words + self._address(match[2])


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _tail(url: str) -> str:
    """The sentence's own stop, which stood against an address."""
    bare = url.strip("<>")
    return bare[len(bare.rstrip(_TRAILING)) :]


def cited_numbers(text: str) -> list[int]:
    """The numbers a text cites, each once, in order."""
    return list(dict.fromkeys(number for match in CITE.finditer(text) for number in _numbers(match[1])))


def renumbered(text: str, places: Mapping[int, int]) -> str:
    """The text with every {cite:N} replaced by {cite:places[N]}; one without a place is removed."""

    def one(match: re.Match[str]) -> str:
        found = [places[number] for number in _numbers(match[1]) if number in places]
        return "".join(f"{{cite:{number}}}" for number in found)

    return CITE.sub(one, text)


def rendered(text: str) -> str:
    """The text as people read it: [N] for {cite:N}."""
    return CITE.sub(lambda match: "".join(f"[{number}]" for number in _numbers(match[1])), text)


def without_citations(text: str) -> str:
    """The words alone."""
    return CITE.sub("", text).strip()
