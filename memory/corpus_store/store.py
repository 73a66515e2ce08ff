"""One store over two: the corpora, which are read only, and items of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from memory.corpus_store.corpus_items import ROOM, CorpusItems, is_ours
from memory.errors import StoreReadOnly

_MANY = 1_000_000


class CorpusStore(BaseStore):
    """LangGraph's store of a project; to be made and used in one event loop.

    Args:
        corpora: what past runs did.
        items: everything else.
        kept_from: why items must not be written; empty when they may.
    """

    def __init__(self, corpora: CorpusItems, items: BaseStore, kept_from: str = "") -> None:
        self._corpora = corpora
        self._items = items
        self._kept_from = kept_from
        self._loop = asyncio.get_running_loop()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations from another thread than the event loop's.

        Raises:
            StoreReadOnly: as `abatch`.
            RuntimeError: it is called in the event loop, which would wait for itself.
        """
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is self._loop:
            raise RuntimeError(
                "Synchronous calls of the store block its event loop: use aget, asearch, aput."
            )
        return asyncio.run_coroutine_threadsafe(self.abatch(ops), self._loop).result()

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations; either all that write are allowed, or nothing is done.

        Raises:
            StoreReadOnly: one writes where nobody may.
        """
        asked = list(ops)
        for op in asked:
            if isinstance(op, PutOp):
                self._check(op)
        plain = [number for number, op in enumerate(asked) if self._is_plain(op)]
        done = await self._items.abatch([_whole(asked[number]) for number in plain]) if plain else []
        results: list[Result] = [None] * len(asked)
        for number, result in zip(plain, done, strict=True):
            results[number] = _cut(result, asked[number])
        for number in sorted(set(range(len(asked))) - set(plain)):
            results[number] = await self._ours(asked[number])
        return results

    def _check(self, op: PutOp) -> None:
        if is_ours(op.namespace):
            raise StoreReadOnly(
                f"Nothing can be written to {'.'.join(op.namespace)}: runs themselves write what they learn.",
                f"Choose one that does not begin with {ROOM!r}; `reflect experience` maintains the corpora.",
            )
        if self._kept_from and op.value is not None:
            raise StoreReadOnly(f"Items cannot be kept: {self._kept_from}", "Keep them elsewhere.")

    def _is_plain(self, op: Op) -> bool:
        if isinstance(op, (GetOp, PutOp)):
            return not is_ours(op.namespace)
        return isinstance(op, SearchOp) and bool(op.namespace_prefix) and not is_ours(op.namespace_prefix)

    async def _ours(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return await asyncio.to_thread(self._corpora.get, op)
        if isinstance(op, SearchOp):
            return await self._searched(op)
        assert isinstance(op, ListNamespacesOp)
        return await self._listed(op)

    async def _searched(self, op: SearchOp) -> list[SearchItem]:
        """Of the corpora; of everything when no namespace is named."""
        found = await asyncio.to_thread(self._corpora.search, op)
        if not op.namespace_prefix:
            [items] = await self._items.abatch([_whole(op)])
            assert isinstance(items, list)
            found += [item for item in items if isinstance(item, SearchItem)]
        ranked = _by_score(found) if op.query else sorted(found, key=_newest_first)
        return ranked[op.offset : op.offset + op.limit]

    async def _listed(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        own = await asyncio.to_thread(self._corpora.namespaces, op)
        # Cut to a depth by LangGraph, its namespaces need no more than ours beside them.
        [listed] = await self._items.abatch([op._replace(limit=_MANY, offset=0)])
        assert isinstance(listed, list)
        others = [tuple(one) for one in listed if isinstance(one, tuple)]
        together = sorted({one[: op.max_depth] for one in own} | set(others))
        return together[op.offset : op.offset + op.limit]


def _whole(op: Op) -> Op:
    """A search from its first item on: LangGraph's ranks too few of them to leave many out."""
    return op._replace(limit=op.offset + op.limit, offset=0) if isinstance(op, SearchOp) else op


def _cut(result: Result, op: Op) -> Result:
    return result[op.offset :] if isinstance(op, SearchOp) and isinstance(result, list) else result


def _by_score(items: Sequence[SearchItem]) -> list[SearchItem]:
    return sorted(items, key=lambda item: -1.0 if item.score is None else -item.score)


def _newest_first(item: SearchItem) -> float:
    return -item.updated_at.timestamp()
