"""FILTER_SOURCES: what the mode accepts, each with its tier; nothing left in strict is an error report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from configs.redaction import escaped
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of
from nodes.research.bookkeeping import Visit, research_settings
from nodes.research.planted import without_orders
from nodes.research.searching import load
from nodes.research.source_tiers import METADATA, PREFIX_CHARS, SourceTierFilter
from nodes.research.state import ResearchState, Source
from tools.search.items import Item

MOST_NAMED = 5


async def filter_sources(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Drop what the mode does not accept.

    Raises:
        NoValidSourcesError: strict accepts nothing.
    """
    visit = Visit("filter_sources", state)
    services = await services_of(runtime)
    kept, dropped = await asyncio.to_thread(sifted, services, state, state.sources)
    orders = await asyncio.to_thread(ordering, services, kept)
    notes = (
        [f"{len(orders)} sources tell their reader what to write; those sentences were not read."]
        if orders
        else []
    )
    notes += await asyncio.to_thread(_claiming, services, state)
    what = f"{len(kept)} of {len(state.sources)} sources accepted in mode {state.mode}"
    return visit.update(what, notes, sources=kept, dropped=[*state.dropped, *dropped])


def tiers_of(services: Services, state: ResearchState) -> SourceTierFilter:
    """The table of sources of a run; blocking in a replay.

    Raises:
        ReplayImpossible: the manifest cannot be used.
    """
    settings = research_settings(services, state)
    return SourceTierFilter(settings.source_tiers, settings.mode_configs)


def sifted(
    services: Services, state: ResearchState, sources: Sequence[Source]
) -> tuple[list[Source], list[dict[str, Any]]]:
    """Sources the mode accepts, with tier, type and prefix; and those it does not, with the reason. Blocking.

    Raises:
        NoValidSourcesError: strict accepts nothing.
    """
    tiers = tiers_of(services, state)
    items = load(services, [source.stored for source in sources])
    found = tiers.sift(items, state.mode)
    if items and not found.kept:
        # It raises what is to be said.
        tiers.filter_and_enrich(items, state.mode)
    by_url = {source.url: source for source in sources}
    kept = [_with_tier(by_url[item.url], item) for item in found.kept]
    dropped = [
        {"url": item.url, "site": item.site, "tier": tiers.tier_of(item), "reason": reason}
        for item, reason in found.dropped
    ]
    return kept, dropped


def ordering(services: Services, sources: Sequence[Source]) -> list[str]:
    """Urls of sources that give orders to their reader. Blocking."""
    items = load(services, [source.stored for source in sources])
    return [item.url for item in items if without_orders(item.description)[1]]


def _claiming(services: Services, state: ResearchState) -> list[str]:
    """What to say of files that call themselves a source of the table; blocking."""
    tiers = tiers_of(services, state)
    items = load(services, [source.stored for source in state.sources])
    called = sorted({escaped(item.site) for item in items if tiers.claims(item)})
    if not called:
        return []
    return [
        f"Files call themselves {', '.join(called[:MOST_NAMED])}; "
        "a file cannot vouch for itself, so their "
        "tier is decided by `folders` in research.source_tiers alone."
    ]


def _with_tier(source: Source, enriched: Item) -> Source:
    metadata = enriched.schema_object.get(METADATA) or {}
    prefix = enriched.description[: int(enriched.schema_object.get(PREFIX_CHARS) or 0)]
    return source.model_copy(
        update={
            "tier": int(metadata.get("tier") or 0),
            "type": str(metadata.get("type") or "unknown"),
            "prefix": prefix,
        }
    )
