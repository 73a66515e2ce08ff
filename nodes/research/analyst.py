"""ANALYST: drafts from the sources, asks for more of them, revises what the critic rejected."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from models.errors import ModelError, ModelForbidden, ModelIdInvalid, ModelMissing, ModelUnavailable
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of
from nodes.research.asking import Asking, quoted
from nodes.research.bookkeeping import Visit, research_settings
from nodes.research.citations import cited_numbers, clean, without_citations
from nodes.research.extract import by_facet, written
from nodes.research.framing import Ground
from nodes.research.languages import other_languages
from nodes.research.model_words import without_strays
from nodes.research.retrieve import BROUGHT, told
from nodes.research.searching import texts_of
from nodes.research.sentence_checks import check_cited, failing, known_of
from nodes.research.state import (
    LONGEST_DRAFT,
    LONGEST_LIST,
    AnalystOutput,
    CriticOutput,
    Mode,
    ResearchState,
    Source,
    TemporalContext,
)
from tools.search.items import Item

NOT_THERE = (ModelUnavailable, ModelMissing, ModelForbidden, ModelIdInvalid)
NOTHING_SAID = "No source says enough about this query."
NOT_ALL_SAID = "The sources do not tell everything that was asked."


async def analyst(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Draft, or ask for more sources; code drafts where no model can judge or none gave a usable answer.

    Raises:
        ModelError: the model cannot be reached or used at all.
        ReplayMismatch: a replayed run asks what was not recorded.
    """
    visit = Visit("analyst", state)
    services = await services_of(runtime)
    # A round ends with its review; searching for what is missing belongs to the round that asks for it.
    iteration = state.reviews + 1
    texts = await texts_of(services, state.sources)
    if not state.judges:
        return await _drafted_by_code(visit, services, state, texts, iteration, "")
    settings = await asyncio.to_thread(research_settings, services, state)
    revising = state.rejected and state.analysis is not None
    state = state.model_copy(update={"iteration": iteration, "rewrites": state.reviews})
    asking = Asking(services, state, state.sources, texts)
    agent = Analyst(asking, settings.analyst_timeout)
    try:
        if revising and state.analysis is not None and state.review is not None:
            found = await agent.revise(state.analysis.draft, state.review, state.sources)
        else:
            found = await agent.research(state.query, state.sources, state.mode, state.temporal_context)
    except NOT_THERE:
        raise
    except ModelError as error:
        note = (
            f"The analyst's answer could not be used, so the draft is copied from the sources: {error.what}"
        )
        return await _drafted_by_code(visit, services, state, texts, iteration, note, asking)
    found, notes = checked(found, state, asking.shown)
    if found.status == "DRAFT_READY" and not found.draft and not found.missing_information:
        note = "The analyst's draft was empty, so the draft is copied from the sources."
        return await _drafted_by_code(visit, services, state, texts, iteration, note, asking)
    update = asking.update()
    what = found.status if found.draft or found.new_queries else "nothing can be said"
    return visit.update(
        what, notes, **update, analysis=found, iteration=iteration, rewrites=state.rewrites, extractive=False
    )


class Analyst:
    """Drafts from sources.

    Args:
        asking: through which the model is asked; it holds the sources' texts.
        timeout: seconds one answer may take.
    """

    def __init__(self, asking: Asking, timeout: float) -> None:
        self._asking = asking
        self._timeout = timeout

    async def research(
        self, query: str, context: Sequence[Source], mode: Mode, temporal_context: TemporalContext
    ) -> AnalystOutput:
        """A first draft, or queries for what is missing.

        Raises:
            ModelError: no usable answer.
        """
        state = self._asking.state
        self._asking.sources = context
        return await self._asking.ask(
            "analyst",
            "analyst",
            "research_analyst",
            AnalystOutput,
            self._timeout,
            about=" ".join([query, *(search.query for search in state.searches)]),
            query=query,
            mode=mode,
            today=state.today,
            time=told(temporal_context) if temporal_context.bounded else "any",
            searched="; ".join(quoted(search.query) for search in state.searches) or "none",
            searches_left=str(max(0, state.limits.searches - state.gap_rounds)),
        )

    async def revise(self, draft: str, review: CriticOutput, context: Sequence[Source]) -> AnalystOutput:
        """The draft anew, as the review asks for.

        Raises:
            ModelError: no usable answer.
        """
        state = self._asking.state
        self._asking.sources = context
        return await self._asking.ask(
            "analyst",
            "analyst",
            "research_revise",
            AnalystOutput,
            self._timeout,
            about=f"{state.query} {' '.join(review.suggestions)}",
            query=state.query,
            mode=state.mode,
            draft=draft,
            review=review_text(review),
            searches_left=str(max(0, state.limits.searches - state.gap_rounds)),
        )


def review_text(review: CriticOutput) -> str:
    """A review as lines."""
    lines = [f"{review.status} ({review.mode_compliance}): {review.critique}"]
    for word, points in (
        ("change", review.suggestions),
        ("gap", review.logical_gaps),
        ("source", review.source_issues),
    ):
        lines += [f"- {word}: {point}" for point in points]
    return "\n".join(lines)


def checked(found: AnalystOutput, state: ResearchState, shown: set[int]) -> tuple[AnalystOutput, list[str]]:
    """The answer with citations of shown sources only, bounded in size."""
    citable = {*state.shown, *shown}
    draft, removed = clean(found.draft[:LONGEST_DRAFT], state.sources, citable)
    notes = (
        [f"{removed} citations of the draft name no source that was shown, and were removed."]
        if removed
        else []
    )
    missing, unasked = missing_told(found.missing_information, state, bool(draft))
    if unasked:
        notes.append(f"{unasked} lines on what is missing state what was not asked, and were left out.")
    searching = found.status == "SEARCH_REQUIRED" and any(query.strip() for query in found.new_queries)
    return (
        found.model_copy(
            update={
                "status": "SEARCH_REQUIRED" if searching else "DRAFT_READY",
                "draft": draft,
                "new_queries": [query[:300] for query in found.new_queries[:LONGEST_LIST]],
                "citations_used": cited_numbers(draft),
                "missing_information": missing,
            }
        ),
        notes,
    )


def missing_told(lines: Sequence[str], state: ResearchState, drafted: bool) -> tuple[list[str], int]:
    """What a model says is missing, in plain words; a statement of what was not asked is no such line.

    Args:
        lines: as the model wrote them.
        state: of the run.
        drafted: whether there is a draft.

    Returns:
        The lines, never empty where the model gave any, and how many were left out.
    """
    asked = Ground(known_of(state))
    given = [line[:500] for line in lines[:LONGEST_LIST] if line.strip()]
    told = [words for line in given if (words := without_strays(line, asked))]
    if given and not told:
        return [NOT_ALL_SAID if drafted else NOTHING_SAID], len(given)
    return told, len(given) - len(told)


async def _drafted_by_code(
    visit: Visit,
    services: Services,
    state: ResearchState,
    texts: dict[int, str],
    iteration: int,
    note: str,
    asking: Asking | None = None,
) -> dict[str, Any]:
    """A draft of sentences copied from the sources."""
    avoided = [*state.avoided, *await _failing(state, texts)] if state.rejected else state.avoided
    parts = await asyncio.to_thread(by_facet, state.query, state.sources, texts, frozenset(avoided))
    found = list({one.text: one for part in parts.values() for one in part}.values())
    draft = written(found)
    silent = [f"{part}?" for part, said in parts.items() if not said]
    # A single part was searched for already; a caller who brings sources has not said where else to look.
    searchable = asking is None and len(parts) > 1 and bool(state.corpus or state.backend != BROUGHT)
    wanted = [part for part, said in parts.items() if searchable and not said]
    others = await asyncio.to_thread(other_languages, state.query, state.sources, texts) if silent else {}
    drawn_on = cited_numbers(draft)
    analysis = AnalystOutput(
        status="SEARCH_REQUIRED" if wanted else "DRAFT_READY",
        new_queries=wanted,
        draft=draft,
        reasoning_chain="Sentences that hold most of the query's words were copied from the sources.",
        citations_used=drawn_on,
        missing_information=silent if draft else [NOTHING_SAID],
    )
    await visit.log_code(services, "analyst", iteration, analysis)
    update: dict[str, Any] = asking.update() if asking is not None else {"shown": state.shown}
    update["shown"] = sorted({*update["shown"], *drawn_on})
    return visit.update(
        f"{len(found)} sentences copied from {len(drawn_on)} sources",
        [note] if note else [],
        **update,
        analysis=analysis,
        iteration=iteration,
        rewrites=state.reviews,
        avoided=avoided,
        extractive=True,
        other_languages=others,
    )


async def _failing(state: ResearchState, texts: dict[int, str]) -> list[str]:
    """The sentences of a copied draft that the check does not let pass, as they were copied."""
    if state.analysis is None:
        return []
    items = {
        source.number: Item(
            url=source.url, name=source.name, site=source.site, description=texts[source.number]
        )
        for source in state.sources
        if source.number in texts
    }
    checks = await asyncio.to_thread(check_cited, state.analysis.draft, items)
    told = [without_citations(check.sentence) for check in failing(checks)]
    return [text + stop for text in told for stop in ("", ".", "。")] + told
