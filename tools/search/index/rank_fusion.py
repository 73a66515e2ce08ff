"""One order of documents from two orders of passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tools.search.index.keyword_ranking import KeywordHit

K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

MOST_PASSAGES = 8


@dataclass
class Ranked:
    """A document that was found.

    Attributes:
        document: its number.
        passages: of these, best first, each with its fused score.
        coverage: share of the query its best passage holds in words, 0 to 1.
        cosine: of its nearest passage; None when none is near, or none was compared.
    """

    document: int
    passages: dict[int, float] = field(default_factory=dict)
    coverage: float = 0.0
    cosine: float | None = None

    @property
    def fused(self) -> float:
        """Its best passage's score; equal ones keep the order of their numbers."""
        return max(self.passages.values())


def ranked(
    sharing: Sequence[KeywordHit], near: Sequence[tuple[int, float]], document_of: Mapping[int, int]
) -> list[Ranked]:
    """Documents, best first.

    Args:
        sharing: passages by the words they share with the query, best first.
        near: passages and cosines, nearest first.
        document_of: the document of each passage.
    """
    scores: dict[int, float] = {}
    for order in ([hit.passage for hit in sharing], [passage for passage, _ in near]):
        for rank, passage in enumerate(order, start=1):
            scores[passage] = scores.get(passage, 0.0) + 1 / (K + rank)
    documents: dict[int, Ranked] = {}
    for passage in sorted(scores, key=lambda number: -scores[number]):
        document = documents.setdefault(document_of[passage], Ranked(document_of[passage]))
        if len(document.passages) < MOST_PASSAGES:
            document.passages[passage] = scores[passage]
    for hit in sharing:
        document = documents[document_of[hit.passage]]
        document.coverage = max(document.coverage, hit.coverage)
    for passage, cosine in near:
        document = documents[document_of[passage]]
        document.cosine = cosine if document.cosine is None else max(document.cosine, cosine)
    return sorted(documents.values(), key=lambda one: -one.fused)


def score_of(document: Ranked, orders: int) -> int:
    """Relevance from 0 to 100: half for its place in the orders, half for the share of the query it holds.

    Args:
        document: which.
        orders: how many orders were fused, so that one that is first in all of them has the whole first half.
    """
    place = document.fused * (K + 1) / max(orders, 1)
    return round(50 * min(place, 1.0) + 50 * document.coverage)
