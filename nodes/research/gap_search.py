"""GAP_SEARCH: the searches the analyst asks for, all at once; what they find is merged by rank."""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from nodes.errors import NoValidSourcesError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.research.bookkeeping import Visit
from nodes.research.filter_sources import sifted, tiers_of
from nodes.research.retrieve import admitted
from nodes.research.searching import search_all
from nodes.research.state import ResearchState
from tools.errors import SearchUnavailable

MOST_QUERIES = 4
LONGEST_QUERY = 300


async def gap_search(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Search for what is missing; a search that fails is told, and the run goes on with what it has.

    Raises:
        ReplayMismatch: a replayed run searches for something else.
    """
    visit = Visit("gap_search", state)
    services = await services_of(runtime)
    queries = new_queries(state)
    rounds = state.gap_rounds + 1
    try:
        found = await search_all(services, state, queries)
    except SearchUnavailable as error:
        note = f"The search for what is missing failed: {error.what}"
        return visit.update("failed", [note], gap_rounds=rounds)
    before = {source.number for source in state.sources}
    tiers = await asyncio.to_thread(tiers_of, services, state)
    merged, notes = admitted(state, found, tiers.tier_of)
    try:
        kept, dropped = await asyncio.to_thread(sifted, services, state, merged)
    except NoValidSourcesError:
        kept, dropped = state.sources, []
    known = {entry["url"] for entry in state.dropped}
    fresh = sum(source.number not in before for source in kept)
    return visit.update(
        f"{len(queries)} searches, {fresh} new sources",
        [*found.notes, *notes],
        gap_rounds=rounds,
        sources=kept,
        dropped=[*state.dropped, *(entry for entry in dropped if entry["url"] not in known)],
        searches=[*state.searches, *found.searches],
    )


def new_queries(state: ResearchState) -> list[str]:
    """What the analyst asks for, each once, nothing that was searched before. Pure."""
    wanted = state.analysis.new_queries if state.analysis is not None else []
    asked = {_folded(search.query) for search in state.searches}
    queries: dict[str, str] = {}
    for query in wanted:
        text = " ".join(query.split())[:LONGEST_QUERY]
        if text and _folded(text) not in asked:
            queries.setdefault(_folded(text), text)
    return list(queries.values())[:MOST_QUERIES]


def _folded(query: str) -> str:
    return " ".join(query.split()).casefold()
