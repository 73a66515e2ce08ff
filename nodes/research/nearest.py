"""What stands nearest to a question no source answers: quoted for the reader, claimed by nobody. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nodes.research.passages import Passage, ranked
from nodes.research.report_text import fixed_text, unmarked
from nodes.research.state import Source

MOST = 3
# A passage that holds less of the question's words is no help.
LEAST = 0.34
LONGEST = 360


def nearest(query: str, texts: Mapping[int, str]) -> list[Passage]:
    """The passages that hold most of a question's words, one of a source.

    Args:
        query: the question.
        texts: by number of the source, orders to the reader blanked.
    """
    best: dict[int, Passage] = {}
    for passage in ranked(query, texts, {}):
        if passage.score >= LEAST and passage.text.strip():
            best.setdefault(passage.number, passage)
    return sorted(best.values(), key=lambda one: (-one.score, one.number))[:MOST]


def nearest_markdown(passages: Sequence[Passage], sources: Sequence[Source], query: str) -> str:
    """The section that quotes them; empty if there are none.

    Each stands between quotation marks on one line, so nothing in it can pass for a part of the report.
    """
    if not passages:
        return ""
    by_number = {source.number: source for source in sources}
    lines = []
    for passage in passages:
        words = " ".join(passage.text.split())
        shown = words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()}…"
        source = by_number[passage.number]
        lines.append(f"- “{unmarked(shown)}” — {unmarked(source.name or source.url)}")
    return f"## {fixed_text('nearest', query)}\n\n" + "\n".join(lines)


def nearest_facts(passages: Sequence[Passage], sources: Sequence[Source]) -> list[dict[str, Any]]:
    """The same as data: {url, start, end, text}, offsets in the source's text."""
    urls = {source.number: source.url for source in sources}
    return [
        {"url": urls[one.number], "start": one.start, "end": one.end, "text": one.text} for one in passages
    ]
