"""Sources packed into a model's window: the passages that say most, better tiers first, the rest counted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.prompt_size import estimate_tokens
from nodes.research.passages import Passage, ranked
from nodes.research.state import Source

# A tier counts for less than the words of the query: it decides between passages that say as much.
TIER_BONUS = {1: 0.12, 2: 0.09, 3: 0.05, 4: 0.02, 5: 0.0, 0: 0.0}
# Every source is worth being seen before one is seen twice.
FIRST_BONUS = 0.25
LEAST_TOKENS = 60
# A line end, and the mark of what is left out between two passages.
GAP_TOKENS = 8
# Only code may write a citation or a fence; what a source writes in their form is taken apart.
CITATION_FORM = re.compile(r"\{(?=\s*cite\s*:)", re.IGNORECASE)
FENCE_FORM = re.compile(r"^={3,}", re.MULTILINE)


@dataclass(frozen=True)
class Packed:
    """What a model is shown of the sources.

    Attributes:
        text: passages by source, each under a line with its number.
        shown: numbers of the sources of which it holds anything.
        left_out: passages that were not shown.
    """

    text: str
    shown: list[int]
    left_out: int


def pack(query: str, sources: Sequence[Source], texts: Mapping[int, str], tokens: int) -> Packed:
    """The best passages that fit.

    Args:
        query: what they are to speak about.
        sources: those in use.
        texts: their texts, by number.
        tokens: room for all of it, an estimate on the high side.
    """
    by_number = {source.number: source for source in sources}
    bonus = {source.number: TIER_BONUS.get(source.tier, 0.0) for source in sources}
    chosen: list[Passage] = []
    spent, seen = 0, set[int]()
    passages = ranked(query, {number: texts[number] for number in by_number if number in texts}, bonus)
    for passage in _spread(passages):
        cost = estimate_tokens(passage.text) + GAP_TOKENS
        if passage.number not in seen:
            cost += estimate_tokens(_heading(by_number[passage.number])) + 2
        if spent + cost > tokens:
            if tokens - spent < LEAST_TOKENS:
                break
            continue
        spent += cost
        seen.add(passage.number)
        chosen.append(passage)
    return Packed(_written(chosen, by_number), sorted(seen), len(passages) - len(chosen))


def _spread(passages: Sequence[Passage]) -> list[Passage]:
    """Passages in order of their score, where the first of each source counts for more."""
    met: set[int] = set()
    lifted = []
    for passage in passages:
        first = passage.number not in met
        met.add(passage.number)
        lifted.append((passage.score + (FIRST_BONUS if first and passage.score > 0 else 0.0), passage))
    return [passage for _, passage in sorted(lifted, key=lambda pair: -pair[0])]


def _heading(source: Source) -> str:
    parts = [source.name or source.url, source.site, source.date or "no date"]
    plain = " — ".join(" ".join(part.split()) for part in parts if part)
    return f"[source {source.number}] {source.prefix.strip()} {disarmed(plain)}"


def _written(chosen: Sequence[Passage], by_number: Mapping[int, Source]) -> str:
    lines: list[str] = []
    place = {number: order for order, number in enumerate(by_number)}
    last: Passage | None = None
    for passage in sorted(chosen, key=lambda one: (place[one.number], one.start)):
        if last is None or last.number != passage.number:
            lines += ["", _heading(by_number[passage.number])]
        elif passage.start > last.end + 2:
            lines.append("[...]")
        lines.append(disarmed(passage.text))
        last = passage
    return "\n".join(lines).strip()


def disarmed(text: str) -> str:
    """Text of a source that can neither cite nor close the fence around it."""
    return FENCE_FORM.sub(lambda match: "-" * len(match[0]), CITATION_FORM.sub("(", text))
