"""The sentences of a report and the addresses each cites, read apart from the code that wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

LISTED = re.compile(r"^\s*(?:\[(\d+)\]:?|(\d+)[.)])\s+.*?(https?://[^\s)>\]]+)", re.M)
CITATION = re.compile(
    r"\{cite:\s*(?P<cite>\d+)\}|\[(?P<name>[^\]\n]*)\]\((?P<link>[^)\s]+)\)|\[(?P<number>\d+)\](?!\()"
    r"|\(?(?P<url>https?://[^\s()<>，。；）]+)\)?"
)
# A mark that ends a sentence, quotation marks that close with it, and the citations that stand behind it.
END = re.compile(
    r"(?:[。！？]|[.!?](?=[\s\"”’)\]{\[]|$))[\"”’」』)]*(?:\s*(?:\{cite:\s*\d+\}|\[[^\]\n]*\](?:\([^)\s]*\))?|"
    r"\(https?://[^)\s]+\)))*"
)
NOT_PROSE = re.compile(r"^\s*(?:#|\||```|<!--|-{3,}$)")
LABEL = re.compile(r"^\s*(?:#{1,6}\s|\|)")
HEADING = re.compile(r"^\s*(#{1,6})\s")
QUOTES = (("“", "”"), ("「", "」"))
BULLET = re.compile(r"^\s*(?:[-*>•]|\d+[.)])\s+")


@dataclass(frozen=True)
class Read:
    """One sentence.

    Attributes:
        text: without citations and marks of markdown.
        cited: addresses, in order; a number that stands for no source is "?N".
        under: the heading it stands under.
    """

    text: str
    cited: tuple[str, ...]
    under: str = ""


def sentences(report: str, sources: list[str] | None = None) -> list[Read]:
    """The sentences of a report, without headings and its list of sources.

    Args:
        report: markdown.
        sources: addresses `{cite:N}` counts from 1, and `[N]` where the report has no list of its own.
    """
    own = {int(match[1] or match[2]): match[3] for match in LISTED.finditer(report)}
    listed = own or dict(enumerate(sources or [], start=1))
    found = []
    under, listing = "", False
    for line in report.splitlines():
        under = line if line.startswith("#") else under
        listing = listing or LISTED.match(line) is not None
        if listing and line.startswith("## "):
            # What stands below the list of sources tells of the search.
            break
        if NOT_PROSE.match(line) or LISTED.match(line):
            continue
        parts = _split(BULLET.sub("", line))
        found += [replace(_read(part, listed), under=under) for part in parts]
    return [one for one in found if one.text]


def labels(report: str, sources: list[str] | None = None) -> list[Read]:
    """Headings and rows of tables, each with the addresses its part of the report cites.

    Args:
        report: markdown.
        sources: as for `sentences`.
    """
    own = {int(match[1] or match[2]): match[3] for match in LISTED.finditer(report)}
    listed = own or dict(enumerate(sources or [], start=1))
    first = LISTED.search(report)
    lines = (report[: first.start()] if first else report).splitlines()
    found = []
    for place, line in enumerate(lines):
        if not LABEL.match(line):
            continue
        part = [_read(one, listed).cited for one in _part(lines, place)]
        cited = tuple(dict.fromkeys(url for urls in part for url in urls))
        found.append(replace(_read(line.strip(" #|"), listed), cited=cited))
    return [one for one in found if one.text]


def _part(lines: list[str], place: int) -> list[str]:
    """The lines a label stands for: a row itself, a heading with all down to the next of its level."""
    heading = HEADING.match(lines[place])
    if heading is None:
        return [lines[place]]
    level = len(heading[1])
    below = []
    for line in lines[place + 1 :]:
        other = HEADING.match(line)
        if other and len(other[1]) <= level:
            break
        below.append(line)
    return [lines[place], *below]


def _split(line: str) -> list[str]:
    parts, start = [], 0
    for match in END.finditer(line):
        part = line[start : match.end()]
        # A quotation of several sentences is cited once, at its end.
        if any(part.count(opening) > part.count(closing) for opening, closing in QUOTES):
            continue
        parts.append(line[start : match.end()])
        start = match.end()
    return [*parts, line[start:]]


def _read(part: str, listed: dict[int, str]) -> Read:
    cited = []
    for match in CITATION.finditer(part):
        number = match["cite"] or match["number"]
        address = match["link"] or match["url"]
        cited.append(listed.get(int(number), f"?{number}") if number else address)
    text = CITATION.sub("", part)
    return Read(re.sub(r"\s+", " ", re.sub(r"[*_`>]+", "", text)).strip(), tuple(dict.fromkeys(cited)))
