"""Which items a report cites where: `{cite:N}`, `[N]`, `[text](url)` and bare addresses. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from tools.search.items import Item

NUMBERED = re.compile(r"\{cite:([^}\n]{1,40})\}|[\[【]\^?(\d{1,3}(?:\s*[,;、–-]\s*\^?\d{1,3})*)[\]】](?!\()")
LINK = re.compile(r"\[([^\]\n]{0,200})\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
ADDRESS = re.compile(
    r"[(（<]?\b((?:https?|file)://[^\s<>()（）\[\]{}，。、；]+(?:\([^\s()]*\)[^\s<>()（）\[\]]*)*)[)）>]?"
)
SOURCES = re.compile(
    r"(?im)^[ \t]*(?:#{1,6}\s*|\*\*)?(?:\d+[.、]\s*|[一二三四五六七八九十]+、\s*)?"
    r"(?:sources?(?: list| used| cited)?|references?|bibliography|works cited|citations|footnotes|"
    r"參考(?:資料|來源|文獻)|参考(?:资料|来源|文献)|資料來源|资料来源|來源(?:清單|列表)?|来源(?:清单|列表)?|引用(?:來源|来源|文獻|文献)?|出處|出处)"
    r"[ \t]*[:：]?[ \t]*(?:\*\*)?[:：]?[ \t]*$"
)
ENTRY = re.compile(r"(?m)^[ \t]*(?:[-*][ \t]+)?(?:[\[【]\^?(\d{1,3})[\]】]:?|(\d{1,3})[.)、])[ \t]*(\S.*)$")


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in a report that points at a source.

    Attributes:
        start: offset of the mark in the report.
        end: offset after it.
        name: what it says: an address, or the mark as written where no address is known.
        number: of the item it names, counted from 0; None if it names none.
        shown: words of the mark that belong to the sentence (the text of a link inside it), as offsets.
    """

    start: int
    end: int
    name: str
    number: int | None
    shown: tuple[int, int] | None = None


class CitationReader:
    """Reads the citations of a report.

    Args:
        items: the sources; a mark's number counts them from 1 unless the report has its own numbered list.
        report: its whole text.
    """

    def __init__(self, items: Sequence[Item], report: str = "") -> None:
        self._items = items
        self._by_address: dict[str, int] = {}
        for number, item in enumerate(items):
            self._by_address.setdefault(plain_address(item.url), number)
        self.list_start = _list_start(report)
        self._listed = dict(self._entries(report[self.list_start :]))

    def find(self, text: str, offset: int = 0) -> list[Citation]:
        """The citations in a text, in order.

        Args:
            text: a sentence.
            offset: of the sentence in its report, added to every offset given back.
        """
        found: list[Citation] = []
        for link in LINK.finditer(text):
            number = self._by_address.get(plain_address(link[2]))
            shown = (link.start(1) + offset, link.end(1) + offset) if _inside(text, link) else None
            found.append(
                Citation(
                    link.start() + offset, link.end() + offset, self._name(number, link[2]), number, shown
                )
            )
        rest = LINK.sub(lambda match: " " * len(match[0]), text)
        for mark in NUMBERED.finditer(rest):
            for label in _labels(mark[1] or mark[2]):
                number, name = self._numbered(label, mark[0].strip())
                found.append(Citation(mark.start() + offset, mark.end() + offset, name, number))
        rest = NUMBERED.sub(lambda match: " " * len(match[0]), rest)
        for address in ADDRESS.finditer(rest):
            written = address[1].rstrip(".,;:!?'\"")
            number = self._by_address.get(plain_address(written))
            found.append(
                Citation(
                    address.start() + offset, address.end() + offset, self._name(number, written), number
                )
            )
        return sorted(found, key=lambda citation: citation.start)

    def _name(self, number: int | None, written: str) -> str:
        return written if number is None else self._items[number].url

    def _numbered(self, label: str, mark: str) -> tuple[int | None, str]:
        """The item a number or an address in `{cite:...}` names, and what to call it."""
        if not label.isdecimal():
            number = self._by_address.get(plain_address(label))
            return number, self._name(number, label)
        if self._listed:
            number, written = self._listed.get(int(label), (None, mark))
            return number, self._name(number, written)
        number = int(label) - 1
        return (number, self._items[number].url) if 0 <= number < len(self._items) else (None, mark)

    def _entries(self, listing: str) -> Iterator[tuple[int, tuple[int | None, str]]]:
        for entry in ENTRY.finditer(listing):
            yield int(entry[1] or entry[2]), self._entry(entry[3])

    def _entry(self, text: str) -> tuple[int | None, str]:
        """The item an entry of the report's own list names: by address, else by its title."""
        for pattern, group in ((LINK, 2), (ADDRESS, 1)):
            for match in pattern.finditer(text):
                written = match[group].rstrip(".,;:!?'\"")
                return self._by_address.get(plain_address(written)), written
        bare = _plain_title(text)
        for number, item in enumerate(self._items):
            if item.url and item.url in text:
                return number, item.url
        titles = (
            (len(title), number)
            for number, item in enumerate(self._items)
            if (title := _plain_title(item.name))
        )
        named = [
            (length, number) for length, number in titles if _plain_title(self._items[number].name) in bare
        ]
        return (max(named)[1], text) if named else (None, text)


def without_citations(text: str, citations: Iterable[Citation], offset: int = 0) -> str:
    """The text with blanks where its citations stood; the words of a link inside the sentence stay."""
    signs = list(text)
    for citation in citations:
        for at in range(max(0, citation.start - offset), min(len(signs), citation.end - offset)):
            if not citation.shown or not citation.shown[0] <= at + offset < citation.shown[1]:
                signs[at] = " "
    return "".join(signs)


def plain_address(address: str) -> str:
    """An address as it is compared: without scheme, `www.`, fragment and closing slash."""
    bare = re.sub(r"^[a-z]+://(?:www\.)?", "", unquote(address.strip()), flags=re.IGNORECASE).split("#")[0]
    host, slash, path = bare.partition("/")
    return (host.lower() + slash + path).rstrip("/")


def _labels(written: str) -> list[str]:
    labels: list[str] = []
    for part in re.split(r"\s*[,;、]\s*", written.replace("^", "").strip()):
        both = re.fullmatch(r"(\d{1,3})\s*[–-]\s*(\d{1,3})", part)
        if both and 0 <= int(both[2]) - int(both[1]) < 30:
            labels += [str(number) for number in range(int(both[1]), int(both[2]) + 1)]
        elif part:
            labels.append(part)
    return labels


def _inside(text: str, link: re.Match[str]) -> bool:
    """True if a link's words are part of what the sentence says, not a mark at its end."""
    if link[1].strip().isdecimal() or not link[1].strip():
        return False
    after = NUMBERED.sub("", LINK.sub("", text[link.end() :]))
    before = text[: link.start()].rstrip()
    return bool(re.search(r"\w", after)) and not before.endswith(("(", "（", ".", "。", "[", "【"))


def _list_start(report: str) -> int:
    """Where the report's own list of sources begins; its length if there is none."""
    headings = [match.start() for match in SOURCES.finditer(report) if ENTRY.search(report, match.end())]
    if headings:
        return headings[-1]
    # A list without a heading: the last lines all are numbered entries with brackets.
    lines = report.rstrip().split("\n")
    start = len(lines)
    while start and (
        not lines[start - 1].strip() or re.match(r"\s*[\[【]\^?\d{1,3}[\]】]:?\s*\S", lines[start - 1])
    ):
        start -= 1
    entries = [line for line in lines[start:] if line.strip()]
    listed = any(ADDRESS.search(line) for line in entries) or any(
        re.match(r"\s*\[\^", line) for line in entries
    )
    return sum(len(line) + 1 for line in lines[:start]) if listed else len(report)


def _plain_title(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
