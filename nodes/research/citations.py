"""Citations are {cite:N}, N the number of a source that was shown; other forms become one or go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from nodes.research.state import Source

CITE = re.compile(r"\{\s*cite\s*:\s*([0-9,;、\s]+)\}", re.IGNORECASE)
# What was meant to be a citation and is none: {cite:abc}, {{cite:2}}, an unclosed one.
MEANT = re.compile(r"\{+\s*cite\b[^}\n]{0,80}\}*", re.IGNORECASE)
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


def clean(text: str, sources: Sequence[Source], citable: Iterable[int]) -> tuple[str, int]:
    """A model's Markdown with citations in our form only.

    Args:
        text: as the model wrote it.
        sources: those in use.
        citable: numbers that were shown to a model.

    Returns:
        The text, and how many citations were taken out because they name nothing that was shown.
    """
    allowed = {number for number in citable if any(source.number == number for source in sources)}
    by_url = {url: source.number for source in sources for url in (source.url, *source.copies)}
    removed = 0

    def cited(numbers: Iterable[int]) -> str:
        nonlocal removed
        found = list(dict.fromkeys(numbers))
        good = [number for number in found if number in allowed]
        removed += len(found) - len(good)
        return "".join(f"\0cite:{number}\0" for number in good)

    def address(url: str) -> str:
        nonlocal removed
        number = by_url.get(url) or by_url.get(url.rstrip(_TRAILING))
        if number is None:
            removed += 1
            return ""
        return cited([number])

    def linked(match: re.Match[str]) -> str:
        label = match[1].strip()
        # A number or an address as the label says nothing beside the citation.
        words = "" if label.isdigit() or "://" in label else label
        return words + address(match[2])

    text = SOURCE_LIST.sub("\n", text.replace("\0", ""))
    text = CITE.sub(lambda match: cited(_numbers(match[1])), text)
    count_meant = len(MEANT.findall(text))
    text = MEANT.sub("", text)
    removed += count_meant
    text = LINK.sub(linked, text)
    text = REFERENCE_LINK.sub(r"\1", text)
    text = BRACKETED.sub(lambda match: cited(_numbers(match[1])), text)
    text = BARE_URL.sub(lambda match: address(match[0].strip("<>")) + _tail(match[0]), text)
    text = TAG.sub("", text)
    text = re.sub(r"\0cite:(\d+)\0", r"{cite:\1}", text)
    return re.sub(r"[ \t]+(?=[.,;，。；、!?])", "", text).strip(), removed


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
