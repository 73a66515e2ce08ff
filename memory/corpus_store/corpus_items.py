"""The experience corpora as items of a store: read, searched and listed, never written.

An item's key is the record's identity, its value the record as people are shown it, its times the record's
own. A score is the hit's likeness, 0 to 1; what is listed without a query has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, get_args

from langgraph.store.base import GetOp, Item, ListNamespacesOp, SearchItem, SearchOp

from memory.corpus import HybridExperience
from memory.corpus_store.matching import holds, matches
from memory.experience.recall_prompt import ExperienceHit, Scope

ROOM = "experience"
_UNDATED = datetime.fromtimestamp(0, UTC)
# A filter is asked after the search, so more is looked at than is wanted.
_LOOKED_AT = 1000


def is_ours(namespace: Sequence[str]) -> bool:
    """Whether a namespace is kept for the corpora."""
    return namespace[:1] in ((ROOM,), [ROOM])


class CorpusItems:
    """The corpora of a project and of its user. Everything blocks: call it in a thread.

    Args:
        corpora: them.
    """

    def __init__(self, corpora: HybridExperience) -> None:
        self._corpora = corpora

    def get(self, op: GetOp) -> Item | None:
        """The record of an identity; None when there is none that may be shown."""
        scope = _scope_of(op.namespace)
        hit = self._corpora.recorded(op.key, scope) if scope else None
        return _item(op.key, hit) if hit else None

    def search(self, op: SearchOp) -> list[SearchItem]:
        """Records like a query, the nearest first; without a query the newest first.

        All up to the last one that is wanted: the caller puts other items beside them before it leaves
        out those that are skipped.
        """
        wanted = op.offset + op.limit
        fetched = max(wanted, _LOOKED_AT) if op.filter else wanted
        found: list[SearchItem] = []
        for scope in self._scopes_below(op.namespace_prefix):
            if op.query and op.query.strip():
                hits = self._corpora.search(op.query, fetched, scope=scope)
                found += [_found(hit, hit.score) for hit in hits]
            else:
                found += [_found(hit, None) for hit in self._corpora.newest(scope, fetched)]
        return [item for item in found if not op.filter or holds(item.value, op.filter)]

    def namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        """The corpora that hold anything, as far as the conditions let them through."""
        named = [(ROOM, corpus.scope) for corpus in self._corpora.corpora if not corpus.is_empty()]
        return [one for one in named if matches(one, op.match_conditions or ())]

    def _scopes_below(self, prefix: tuple[str, ...]) -> list[Scope]:
        scopes = [corpus.scope for corpus in self._corpora.corpora]
        return [scope for scope in scopes if (ROOM, scope)[: len(prefix)] == prefix]


def _scope_of(namespace: tuple[str, ...]) -> Scope | None:
    named = [scope for scope in get_args(Scope) if namespace == (ROOM, scope)]
    return named[0] if named else None


def _value(hit: ExperienceHit) -> dict[str, Any]:
    return {
        "event_id": hit.event_id,
        "at": hit.at.isoformat() if hit.at else None,
        "type": hit.event_type,
        "goal": hit.goal,
        "outcome": hit.outcome,
        "error": hit.error,
        "lesson": hit.lesson,
        "category": hit.recollection.category,
        "later": hit.later,
        "resolved_by": hit.resolved_by,
        "helpful": hit.helpful,
        "harmful": hit.harmful,
    }


def _item(key: str, hit: ExperienceHit) -> Item:
    at = hit.at or _UNDATED
    return Item(value=_value(hit), key=key, namespace=(ROOM, hit.scope), created_at=at, updated_at=at)


def _found(hit: ExperienceHit, score: float | None) -> SearchItem:
    at = hit.at or _UNDATED
    return SearchItem((ROOM, hit.scope), hit.identity, _value(hit), at, at, score)
