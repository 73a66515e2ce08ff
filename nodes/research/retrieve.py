"""RETRIEVE: the first search, or the items the caller brought, within the time asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import ValidationError

from configs.redaction import escaped
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.research.asked_words import NOTHING_ASKED, asked_words
from nodes.research.bookkeeping import Visit
from nodes.research.filter_sources import tiers_of
from nodes.research.searching import MOST_SOURCES, Found, merged, search_all, store
from nodes.research.state import ResearchState, Search, Source, TemporalContext
from nodes.research.time_bounds import checked, in_time
from tools.search.copies import without_copies
from tools.search.items import Item, why_invalid
from tools.search.own_reports import without_reports

BROUGHT = "items"


async def retrieve(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Find sources for the query.

    Raises:
        TimeInvalid: the time asked for is none.
        SearchUnavailable: the back end cannot be used.
        ReplayMismatch: a replayed run searches for something else.
    """
    state = state.model_copy(update={"temporal_context": checked(state.temporal_context)})
    visit = Visit("retrieve", state)
    if not asked_words(state.query):
        return visit.update("nothing is asked", items=[], no_data=NOTHING_ASKED)
    services = await services_of(runtime)
    if state.items and not state.replay:
        items, problems = read_given(state.items)
        keys = await asyncio.to_thread(store, services, items)
        search = Search(query=state.query, found=len(items), stored=keys, notes=problems)
        found = Found([search], [items], problems, BROUGHT)
    else:
        found = await search_all(services, state, [state.query])
    tiers = await asyncio.to_thread(tiers_of, services, state)
    sources, notes = admitted(state, found, tiers.tier_of)
    what = f"{len(sources)} sources from {found.backend}"
    return visit.update(
        what,
        [*found.notes, *notes],
        # The texts are in the content store now; the state need not carry them on.
        items=[],
        sources=sources,
        temporal_context=state.temporal_context,
        searches=[*state.searches, *found.searches],
        backend=found.backend,
        no_data="" if sources else nothing_found(state, found),
    )


def admitted(
    state: ResearchState, found: Found, tier_of: Callable[[Item], int]
) -> tuple[list[Source], list[str]]:
    """The sources with those of a search merged in, within time and budget; and what was left out."""
    answered = (search for search in found.searches if not search.error)
    sources = merged(state.sources, list(zip(answered, found.items, strict=True)), tier_of)
    inside = [source for source in sources if in_time(source.date, state.temporal_context)]
    notes = []
    if len(inside) < len(sources):
        notes.append(f"{len(sources) - len(inside)} sources lie outside {told(state.temporal_context)}.")
    if state.temporal_context.bounded and (undated := sum(source.date is None for source in inside)):
        notes.append(f"{undated} sources have no date and were kept.")
    if len(inside) > MOST_SOURCES:
        notes.append(f"{len(inside) - MOST_SOURCES} sources of lower rank were left out.")
    # A source the draft may cite must not go because a later search ranks others higher.
    drawn_on = [source for source in inside[MOST_SOURCES:] if source.number in state.shown]
    return [*inside[: MOST_SOURCES - len(drawn_on)], *drawn_on], notes


def told(context: TemporalContext) -> str:
    """A time in words."""
    return f"{context.label or 'the time asked for'} ({context.start or '...'} to {context.end or '...'})"


def read_given(given: Sequence[dict[str, Any]]) -> tuple[list[Item], list[str]]:
    """Items of a caller, each url once; what cannot be read is told."""
    items: dict[str, Item] = {}
    problems = []
    for number, value in enumerate(given, start=1):
        try:
            item = Item.model_validate(value)
        except ValidationError as error:
            problems.append(f"Item {number} was left out: {why_invalid(error)}.")
            continue
        if item.url in items:
            problems.append(f"Item {number} has the address of an earlier one: {escaped(item.url)}.")
        items.setdefault(item.url, without_copies(item))
    kept, reports = without_reports(list(items.values()))
    return kept, [*problems, *reports]


def nothing_found(state: ResearchState, found: Found) -> str:
    """Why there is nothing to report."""
    if any(search.found for search in found.searches):
        return f"No source lies within {told(state.temporal_context)}."
    return "The search found no document for this query."
