"""FORMAT: the one way out. A list of NLWeb Items: the report, or why there is none, on every path."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, close_models, services_of
from nodes.reflective.state import Failure
from nodes.research.bookkeeping import Visit
from nodes.research.citations import cited_numbers, renumbered
from nodes.research.confidence import Assessed, assessed
from nodes.research.framing import Ground
from nodes.research.model_words import plain_words, without_strays
from nodes.research.nearest import nearest, nearest_facts
from nodes.research.recording import write_records
from nodes.research.report_text import (
    fixed_text,
    heading,
    languages_markdown,
    languages_told,
    missing_markdown,
    reason_text,
    report_markdown,
    title,
    unread,
    unread_markdown,
)
from nodes.research.searching import load, readable
from nodes.research.sentence_checks import FAILED, check_rendered, judgements_kept, known_of, settled
from nodes.research.splicing import spliced
from nodes.research.stances import stances_of
from nodes.research.state import Finding, ResearchState, Source
from tools.search.items import Item

SITE = "Deep Research Module"
SITE_URL = "https://deep-research.internal"
QUERY_CHARS = 50
MOST_ROUNDS = 3


async def format_result(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Make the items, and leave summary and manifest.

    Raises:
        MemoryStoreError: the records cannot be written.
        ContentLost: a source is gone.
    """
    visit = Visit("format", state)
    if state.failure is not None:
        return await _error(visit, state, runtime)
    services = await services_of(runtime)
    if not state.limits.enabled and not state.no_data:
        items = await asyncio.to_thread(load, services, [source.stored for source in state.sources])
        result = [item.dump() for item in items]
        return await _ended(visit, services, state, runtime, result, "reported")
    if state.no_data or not state.report.strip():
        return await _ended(visit, services, state, runtime, [await _no_data(services, state)], "no_data")
    built = await asyncio.to_thread(_built, services, state)
    state = state.model_copy(
        update={
            "contradictions": built.state.contradictions,
            "removed": built.state.removed,
            "confidence_level": built.assessed.level,
        }
    )
    if not any(finding.verdict == "supported" for finding in built.findings):
        state = state.model_copy(update={"no_data": "No sentence of the report is what its sources say."})
        return await _ended(visit, services, state, runtime, [await _no_data(services, state)], "no_data")
    update = await _ended(visit, services, state, runtime, [report_item(built)], "reported")
    return update


async def _no_data(services: Services, state: ResearchState) -> dict[str, Any]:
    numbered = await asyncio.to_thread(readable, services, state.sources)
    return no_data_item(state, {number: item.description for number, item in numbered.items()})


@dataclass(frozen=True)
class Built:
    """A report with all that is said about it."""

    state: ResearchState
    text: str
    listed: list[Source]
    findings: list[Finding]
    assessed: Assessed
    reasoning: str


def _plain(told: Mapping[str, Any]) -> dict[str, Any]:
    """A model's answer with its words plain."""
    return {
        name: [plain_words(one) for one in value] if isinstance(value, list) else plain_words(str(value))
        for name, value in told.items()
    }


def _built(services: Services, state: ResearchState) -> Built:
    """The report, its disagreements and the last check of every sentence of it; blocking."""
    numbered = readable(services, state.sources)
    claims = stances_of(state.query, state.findings, state.sources, numbered)
    state = state.model_copy(update={"contradictions": claims})
    listed = _listed(state, [number for number in cited_numbers(state.report) if number in numbered])
    places = {source.number: place for place, source in enumerate(listed, start=1)}
    body = renumbered(state.report, places)
    in_list = [numbered[source.number] for source in listed]
    in_list += [numbered[source.number] for source in state.sources if source not in listed]
    text = report_markdown(state, body, listed)
    findings = _checked(text, in_list, state)
    for _ in range(MOST_ROUNDS):
        bad = {place: "" for place, finding in enumerate(findings) if finding.verdict in FAILED}
        if not bad:
            break
        lost = [findings[place].model_copy(update={"action": "dropped"}) for place in bad]
        state = state.model_copy(update={"removed": [*state.removed, *lost]})
        text = spliced(text, findings, bad) + "\n"
        findings = _checked(text, in_list, state)
    findings = [_pinned(finding, state.sources) for finding in findings]
    chain = state.analysis.reasoning_chain if state.analysis is not None else ""
    reasoning = without_strays(chain, Ground(known_of(state), tuple(in_list)))
    return Built(state, text, listed, findings, assessed(state, text, listed), reasoning)


def _checked(text: str, items: Sequence[Item], state: ResearchState) -> list[Finding]:
    """The check of the rendered report; a model's word on the same sentence holds."""
    findings = check_rendered(text, items, known_of(state))
    return [settled(finding) for finding in judgements_kept(findings, state.findings)]


def _pinned(finding: Finding, sources: Sequence[Source]) -> Finding:
    """The finding with the digests of the texts as they were found, orders and all."""
    digests = {source.url: source.digest for source in sources}
    spans = [{**span, "digest": digests.get(span["url"], span["digest"])} for span in finding.spans]
    return finding.model_copy(update={"spans": spans})


def _listed(state: ResearchState, cited: Sequence[int]) -> list[Source]:
    """Sources in the order they are numbered: those the words cite, then those that disagree with them."""
    by_number = {source.number: source for source in state.sources}
    listed = [by_number[number] for number in cited if number in by_number]
    urls = {
        stance.url
        for claim in state.contradictions
        if claim.disputed or claim.superseded
        for stance in claim.stances
        if stance.stance != "supports"
    }
    return [*listed, *(source for source in state.sources if source.url in urls and source not in listed)]


def report_item(built: Built) -> dict[str, Any]:
    """The report as an NLWeb Item; the same run gives the same item."""
    state = built.state
    return _item(
        state,
        built.text,
        built.assessed.score,
        {
            "@type": "ResearchReport",
            "mode": state.mode,
            "iterations": state.iteration,
            "sources_used": [source.url for source in built.listed],
            "confidence": built.assessed.level,
            "total_sources_analyzed": len(state.sources),
            "confidence_reasons": built.assessed.reasons,
            "methodology_note": state.methodology_note,
            "extractive": state.extractive or not state.judges,
            "review": _plain(state.review.model_dump(mode="json")) if state.review is not None else None,
            "reasoning_chain": built.reasoning,
            "missing_information": state.analysis.missing_information if state.analysis is not None else [],
            "sources": [_told(source) for source in built.listed],
            "sentences": [
                finding.model_dump(mode="json") for finding in built.findings if finding.verdict != "no_claim"
            ],
            "removed_sentences": [finding.model_dump(mode="json") for finding in state.removed],
            "contradictions": [
                claim.model_dump(mode="json") for claim in state.contradictions if claim.disputed
            ],
            "superseded": [
                claim.model_dump(mode="json") for claim in state.contradictions if claim.superseded
            ],
            "claims": [claim.model_dump(mode="json") for claim in state.contradictions],
            **_common(state),
        },
    )


def no_data_item(state: ResearchState, texts: Mapping[int, str]) -> dict[str, Any]:
    """Not enough evidence, said as an answer; what stands nearest to one is data beside it, no part of it.

    Args:
        state: at the end of the run.
        texts: of its sources by number, orders to the reader blanked.
    """
    query = state.query
    reason = state.no_data or "The draft is empty."
    near = nearest(query, texts)
    searched = "\n".join(f"- {search.query} ({search.found})" for search in state.searches)
    parts = [
        f"# {heading(query)}",
        f"**{fixed_text('no_data', query)}.** {fixed_text('no_data_text', query)}",
        f"{fixed_text('why', query)}: {reason_text(reason, query)}",
        f"{fixed_text('searched', query)}:\n\n{searched}" if searched else "",
        missing_markdown(state),
        languages_markdown(state),
        unread_markdown(unread(state), query),
    ]
    text = "\n\n".join(part for part in parts if part.strip()) + "\n"
    facts = {
        "@type": "NoDataReport",
        "mode": state.mode,
        "iterations": state.iteration,
        "sources_used": [],
        "confidence": "Low",
        "total_sources_analyzed": len(state.sources),
        "reason": reason,
        "nearest_passages": nearest_facts(near, state.sources),
        "missing_information": state.analysis.missing_information if state.analysis is not None else [],
        "removed_sentences": [finding.model_dump(mode="json") for finding in state.removed],
        **_common(state),
    }
    return _item(state, text, 0, facts)


def error_item(state: ResearchState, failure: Failure) -> dict[str, Any]:
    """Why the research could not be done, and what helps."""
    query = state.query
    text = f"# {heading(query)}\n\n**{fixed_text('error', query)}.** {failure.what}\n"
    if failure.remedy:
        text += f"\n{fixed_text('remedy', query)}: {failure.remedy}\n"
    if told := unread_markdown(unread(state), query):
        text += f"\n{told}\n"
    facts = {
        "@type": "ErrorReport",
        "mode": state.mode,
        "iterations": state.iteration,
        "sources_used": [],
        "confidence": "Low",
        "total_sources_analyzed": len(state.sources),
        "error": failure.kind,
        "message": failure.what,
        "remedy": failure.remedy,
        "node": failure.node,
        **_common(state),
    }
    return _item(state, text, 0, facts)


def _common(state: ResearchState) -> dict[str, Any]:
    """What every kind of report tells; nothing that differs between two runs of the same replies."""
    return {
        "query": state.query,
        "backend": state.backend,
        "models": state.models,
        "temporal_context": state.temporal_context.model_dump(mode="json"),
        "searches": [{"query": search.query, "found": search.found} for search in state.searches],
        "dropped_sources": state.dropped,
        "unread": unread(state),
        "other_languages": state.other_languages,
        "remedy_languages": languages_told(state),
        "passages_left_out": state.left_out,
        "notes": state.notes,
        "usage": {
            agent: {
                "calls": spent.calls,
                "prompt_tokens": spent.prompt_tokens,
                "completion_tokens": spent.completion_tokens,
            }
            for agent, spent in state.usage.items()
        },
        "timeline": [moment.model_dump(mode="json", exclude={"seconds"}) for moment in state.timeline],
    }


def _told(source: Source) -> dict[str, Any]:
    return source.model_dump(mode="json", exclude={"stored", "weight", "number", "score"})


def _item(state: ResearchState, text: str, score: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    query = " ".join(state.query.split())
    return Item.model_validate(
        {
            "@type": "Item",
            "url": f"{SITE_URL}/{state.mode}/{query[:QUERY_CHARS]}",
            "name": title(query),
            "site": SITE,
            "siteUrl": SITE_URL,
            "score": score,
            "description": text,
            "schema_object": dict(facts),
        }
    ).dump()


async def _error(visit: Visit, state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """The error as an item; its record is written where the run got so far as to have a place for it."""
    failure = state.failure or Failure(node="format", kind="unknown", what="The run ended without a reason.")
    result = [error_item(state, failure)]
    if not state.query_id:
        return visit.update(failure.kind, result=result, status="error")
    services = await services_of(runtime)
    return await _ended(visit, services, state, runtime, result, "error")


async def _ended(
    visit: Visit,
    services: Services,
    state: ResearchState,
    runtime: Runtime[RunContext],
    result: list[dict[str, Any]],
    status: str,
) -> dict[str, Any]:
    state = state.model_copy(update={"status": status})
    manifest = await asyncio.to_thread(write_records, services, state, result)
    told = await close_models(runtime)
    return visit.update(
        str(result[0].get("schema_object", {}).get("@type", "items")) if result else "no items",
        told,
        result=result,
        status=status,
        manifest=manifest,
        contradictions=state.contradictions,
        removed=state.removed,
        confidence_level=state.confidence_level,
    )
