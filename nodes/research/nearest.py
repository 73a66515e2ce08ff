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


def nearest_facts(passages: Sequence[Passage], sources: Sequence[Source]) -> list[dict[str, Any]]:
    """They as data: {url, name, start, end, text}, offsets in the source's text."""
    by_number = {source.number: source for source in sources}
    return [
        {
            "url": by_number[one.number].url,
            "name": by_number[one.number].name,
            "start": one.start,
            "end": one.end,
            "text": one.text,
        }
        for one in passages
    ]


def nearest_markdown(facts: Sequence[Mapping[str, Any]], query: str) -> str:
    """The section that quotes them below a report of none; empty if there are none.

    Each stands between quotation marks on one line, so nothing in it can pass for a part of the report.
    """
    lines = []
    for fact in facts:
        words = " ".join(str(fact["text"]).split())
        shown = words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()}…"
        lines.append(
            f"- “{unmarked(shown)}” — {unmarked(' '.join(str(fact['name'] or fact['url']).split()))}"
        )
    return f"## {fixed_text('nearest', query)}\n\n" + "\n".join(lines) if lines else ""
