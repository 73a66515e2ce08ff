"""Searches of a run: asked at once, their items stored, merged by rank without duplicates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from models.telemetry.retrieval_calls import retrieval_call
from nodes.reflective.services import Services
from nodes.research.places import source_store
from nodes.research.planted import without_orders
from nodes.research.replaying import load_manifest, recorded_items, recorded_search
from nodes.research.state import ResearchState, Search, Source
from tools.errors import SearchUnavailable
from tools.search.backend import SearchBackend
from tools.search.items import Item
from tools.search.reciprocal_rank import reciprocal_rank

MOST_SOURCES = 40
PER_SEARCH = 20
# Tiers from the most trusted on; unknown before social.
TRUSTED = (1, 2, 3, 4, 0, 5)


@dataclass
class Found:
    """What searches gave.

    Attributes:
        searches: each query with the keys of its items.
        items: the items of each search.
        notes: what a reader should know.
        backend: who searched.
    """

    searches: list[Search] = field(default_factory=list)
    items: list[list[Item]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    backend: str = ""


async def search_all(services: Services, state: ResearchState, queries: Sequence[str]) -> Found:
    """Ask the back end all queries at once.

    Raises:
        SearchUnavailable: the back end cannot be used, or none of the queries could be asked.
        ReplayMismatch: a replayed run searches for something else.
    """
    if state.replay:
        return await asyncio.to_thread(_replayed, services, state, queries)
    backend = await asyncio.to_thread(_opened, services, state.corpus)
    results = await asyncio.gather(*(_ask(backend, query) for query in queries), return_exceptions=True)
    found = Found(backend=backend.name)
    failed: list[SearchUnavailable] = []
    for query, result in zip(queries, results, strict=True):
        if isinstance(result, SearchUnavailable):
            failed.append(result)
            found.searches.append(Search(query=query, error=str(result)))
            found.notes.append(f"The search {query[:80]!r} failed: {result.what}")
        elif isinstance(result, BaseException):
            raise result
        else:
            keys = await asyncio.to_thread(store, services, result)
            found.searches.append(Search(query=query, found=len(result), stored=keys))
            found.items.append(result)
    if failed and len(failed) == len(queries):
        raise failed[0]
    # What is kept with the first search is told again by a replay.
    found.notes += list(backend.notes)
    found.searches[0].notes = list(found.notes)
    return found


def _opened(services: Services, corpus: str) -> SearchBackend:
    # Converters and indexes take a second to import, which a run on given items need not pay.
    from tools.search.opening import open_backend

    return open_backend(services.settings, services.root, corpus)


async def _ask(backend: SearchBackend, query: str) -> list[Item]:
    with retrieval_call(backend.name, query) as found:
        items = await backend.search(query, PER_SEARCH)
        found(len(items))
    return items


def store(services: Services, items: Sequence[Item]) -> list[str]:
    """Keep items in the content store; their keys. Blocking."""
    kept = source_store(services.root)
    return [kept.put(item.dump()) for item in items]


def load(services: Services, keys: Sequence[str]) -> list[Item]:
    """Items from the content store. Blocking.

    Raises:
        ContentLost: one is gone or was changed.
    """
    kept = source_store(services.root)
    return [Item.model_validate(kept.get(key)) for key in keys]


def _replayed(services: Services, state: ResearchState, queries: Sequence[str]) -> Found:
    recorded = recorded_items(state.replay)
    found = Found(backend=load_manifest(state.replay).backend)
    for place, query in enumerate(queries, start=len(state.searches)):
        search = recorded_search(state.replay, query, place)
        found.searches.append(search)
        found.notes += search.notes
        if search.error:
            continue
        items = [Item.model_validate(recorded[key]) for key in search.stored]
        store(services, items)
        found.items.append(items)
    return found


def merged(
    sources: Sequence[Source],
    searches: Sequence[tuple[Search, Sequence[Item]]],
    tier_of: Callable[[Item], int] = lambda item: 0,
) -> list[Source]:
    """Sources of all searches, the best first by reciprocal rank fusion, each url and each text once.

    A source keeps its number; what falls out of the budget is found again with a new one. Of a text that
    several publish, whoever is of the best tier is the source and the others are its copies: a mode that
    drops the copies must not drop the original with them.

    Args:
        sources: those in use.
        searches: new results with their items, in order of rank.
        tier_of: the tier of an item, 0 for unknown.
    """
    known = [source.model_copy(deep=True) for source in sources]
    by_url = {source.url: source for source in known}
    by_copy = {url: source for source in known for url in source.copies}
    by_text = {source.digest: source for source in known}
    top = max((source.number for source in known), default=0)
    for search, items in searches:
        for rank, (key, item) in enumerate(zip(search.stored, items, strict=True), start=1):
            source = by_url.get(item.url) or by_text.get(item.digest)
            # A copy in other words has to name the source as its copy, too.
            if source is None and (one := by_copy.get(item.url)) and one.url in copies_of(item):
                source = one
            if source is None:
                top += 1
                source = _source(top, key, item, tier_of(item))
                known.append(source)
            elif item.url != source.url:
                _take_in(source, key, item, tier_of(item))
            by_url[item.url] = by_text[item.digest] = source
            source.weight = round(source.weight + reciprocal_rank(rank), 6)
    return sorted(known, key=lambda source: (-source.weight, source.number))


def _take_in(source: Source, key: str, item: Item, tier: int) -> None:
    """Count another address of a source's text; one of a better tier becomes the source."""
    others = dict.fromkeys([*source.copies, item.url])
    if item.digest == source.digest and _trust(tier) < _trust(source.tier):
        others = dict.fromkeys([source.url, *others])
        for name, value in _facts(key, item, tier).items():
            setattr(source, name, value)
    source.copies = [url for url in others if url != source.url]


def _trust(tier: int) -> int:
    return TRUSTED.index(tier) if tier in TRUSTED else len(TRUSTED)


def _source(number: int, key: str, item: Item, tier: int) -> Source:
    return Source(number=number, copies=copies_of(item), **_facts(key, item, tier))


def _facts(key: str, item: Item, tier: int) -> dict[str, Any]:
    """What a source has of its item."""
    return {
        "url": item.url,
        "name": item.name,
        "says_from": item.says_from,
        "site": item.site,
        "tier": tier,
        "score": item.score,
        "date": item.date,
        "language": item.language,
        "digest": item.digest,
        "stored": key,
        "chars": len(item.description),
    }


def copies_of(item: Item) -> list[str]:
    """Urls of further copies of an item's text, as its back end found them."""
    listed = item.schema_object.get("_copies")
    return [url for url in listed if isinstance(url, str)] if isinstance(listed, list) else []


async def texts_of(services: Services, sources: Sequence[Source]) -> dict[int, str]:
    """The texts of sources by number, as they may be read: orders to the reader blanked.

    Raises:
        ContentLost: one is gone or was changed.
    """
    items = await asyncio.to_thread(readable, services, sources)
    return {number: item.description for number, item in items.items()}


def readable(services: Services, sources: Sequence[Source]) -> dict[int, Item]:
    """The items of sources by number, orders to the reader blanked, offsets kept. Blocking.

    Raises:
        ContentLost: one is gone or was changed.
    """
    items = load(services, [source.stored for source in sources])
    return {
        source.number: item.model_copy(update={"description": without_orders(item.description)[0]})
        for source, item in zip(sources, items, strict=True)
    }
