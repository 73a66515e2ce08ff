"""One order from two: texts near in meaning and texts that share words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

RECENCY = 0.02
SUCCESS = 0.02
HELPED = 0.01
"""Neighbouring ranks differ by 1.6 %: each of these moves an event by a place or two, never across a list."""

_HALF_LIFE_DAYS = 14.0
_MOST_HELPED = 3


@dataclass(frozen=True)
class Match:
    """A text that was found.

    Attributes:
        score: reciprocal ranks, summed.
        likeness: cosine of text and query; of a text only found by its words, the share of the query it has.
    """

    score: float
    likeness: float


def fused(near: Iterable[tuple[str, float]], sharing: Iterable[tuple[str, float]]) -> dict[str, Match]:
    """Fuse by reciprocal rank.

    Args:
        near: digests and cosines, nearest first.
        sharing: digests and coverages, best first.
    """
    matches: dict[str, Match] = {}
    for ranked in (near, sharing):
        for rank, (digest, likeness) in enumerate(ranked, start=1):
            earlier = matches.get(digest, Match(0.0, min(likeness, 1.0)))
            matches[digest] = replace(earlier, score=earlier.score + 1 / (K + rank))
    return matches


def ordering_score(match: Match, age_days: float | None, succeeded: bool, net_helpful: int) -> float:
    """The score by which events are ordered.

    Args:
        match: of the event's text.
        age_days: None when the event has no time, or one that is yet to come: neither is favoured.
        succeeded: whether the event tells a success.
        net_helpful: runs it helped less runs it harmed.
    """
    recency = 0.0 if age_days is None else 0.5 ** (age_days / _HALF_LIFE_DAYS)
    helped = max(-_MOST_HELPED, min(net_helpful, _MOST_HELPED))
    return match.score * (1 + RECENCY * recency + SUCCESS * succeeded + HELPED * helped)


def best_first(matches: Mapping[str, Match]) -> list[str]:
    """Digests by fused score."""
    return sorted(matches, key=lambda digest: -matches[digest].score)
