"""WRITER: the report from the reviewed draft; FIX: single sentences of it that no source states."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from models.errors import ModelError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.research.analyst import review_text
from nodes.research.asking import Asking
from nodes.research.bookkeeping import Visit, research_settings
from nodes.research.citations import cited_numbers, clean, renumbered
from nodes.research.framing import Ground
from nodes.research.model_words import without_strays
from nodes.research.packing import disarmed
from nodes.research.report_text import REASONS
from nodes.research.searching import texts_of
from nodes.research.sentence_checks import known_of
from nodes.research.splicing import spliced
from nodes.research.state import (
    LONGEST_DRAFT,
    ConfidenceLevel,
    CriticOutput,
    Finding,
    Mode,
    ResearchState,
    Source,
    WriterOutput,
)

COPIED = "Sentences were copied from the sources by code; no model worded them."
MOST_FIXED = 12


async def writer(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Write the report; where no model can, or its answer cannot be used, the draft is the report.

    Raises:
        ReplayMismatch: a replayed run asks what was not recorded.
    """
    visit = Visit("writer", state)
    services = await services_of(runtime)
    draft = state.analysis.draft if state.analysis is not None else ""
    review = state.review or CriticOutput(status="WARN", critique="Not reviewed.")
    if not draft.strip():
        missing = state.analysis.missing_information if state.analysis is not None else []
        # A model's words never stand as the reason: what it says is missing is listed as such.
        why = next((line for line in missing if line in REASONS), "The sources do not answer this.")
        return visit.update("nothing to write", no_data=why)
    if not state.judges or state.extractive:
        return visit.update("copied", report=draft, methodology_note=COPIED, confidence_level="Medium")
    settings = await asyncio.to_thread(research_settings, services, state)
    texts = await texts_of(services, state.sources)
    asking = Asking(services, state, state.sources, texts)
    notes: list[str] = []
    try:
        found = await Writer(asking, settings.writer_timeout).compose(
            draft, review, state.sources, state.mode
        )
    except ModelError as error:
        notes.append(
            f"The writer's answer could not be used, so the reviewed draft is the report: {error.what}"
        )
        found = WriterOutput(final_report=draft, methodology_note="The draft was not edited.")
    citable = {*state.shown, *asking.shown}
    report, removed = clean(found.final_report[:LONGEST_DRAFT], state.sources, citable)
    if removed:
        notes.append(f"{removed} citations of the report name no source that was shown, and were removed.")
    if not cited_numbers(report) and cited_numbers(draft):
        notes.append("The writer's report cites nothing, so the reviewed draft is the report.")
        report = draft
    return visit.update(
        f"{len(cited_numbers(report))} sources cited",
        notes,
        **asking.update(),
        report=report,
        confidence_level=found.confidence_level,
        methodology_note=without_strays(found.methodology_note[:500], Ground(known_of(state))),
    )


class Writer:
    """Words reports.

    Args:
        asking: through which the model is asked; it holds the sources' texts.
        timeout: seconds one answer may take.
    """

    def __init__(self, asking: Asking, timeout: float) -> None:
        self._asking = asking
        self._timeout = timeout

    async def compose(
        self, draft: str, review: CriticOutput, context: Sequence[Source], mode: Mode
    ) -> WriterOutput:
        """The report.

        Args:
            draft: with {cite:N}.
            review: of the draft.
            context: sources, best first; those the draft cites are shown first.
            mode: of the run.

        Raises:
            ModelError: no usable answer.
        """
        cited = cited_numbers(draft)
        self._asking.sources = sorted(context, key=lambda source: source.number not in cited)
        found = await self._asking.ask(
            "writer",
            "writer",
            "research_writer",
            WriterOutput,
            self._timeout,
            about=f"{self._asking.state.query} {draft[:2000]}",
            query=self._asking.state.query,
            mode=mode,
            draft=draft,
            review=review_text(review),
        )
        shown = {*self._asking.state.shown, *self._asking.shown}
        urls = {source.number: source.url for source in context if source.number in shown}
        used = [urls[number] for number in cited_numbers(found.final_report) if number in urls]
        return found.model_copy(update={"sources_used": used})

    async def fix(self, sentences: str, query: str, context: Sequence[Source]) -> SentenceFixes:
        """Replacements for sentences that failed.

        Raises:
            ModelError: no usable answer.
        """
        self._asking.sources = context
        return await self._asking.ask(
            "writer",
            "writer",
            "research_fix",
            SentenceFixes,
            self._timeout,
            about=f"{query} {sentences[:2000]}",
            query=query,
            sentences=sentences,
        )


class SentenceFix(BaseModel):
    """A replacement for one sentence; empty takes it out."""

    model_config = ConfigDict(extra="ignore")

    number: int
    replacement: str = ""


class SentenceFixes(BaseModel):
    """Replacements by number of the sentence."""

    model_config = ConfigDict(extra="ignore")

    fixes: list[SentenceFix] = Field(default_factory=list)


async def fix(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Replace failing sentences by what the writer says of their sources; the next check decides on them.

    Raises:
        ReplayMismatch: a replayed run asks what was not recorded.
    """
    visit = Visit("fix", state)
    services = await services_of(runtime)
    settings = await asyncio.to_thread(research_settings, services, state)
    bad = [finding for finding in state.findings if finding.verdict in ("contradicted", "unsupported")]
    bad = bad[:MOST_FIXED]
    texts = await texts_of(services, state.sources)
    asking = Asking(services, state, state.sources, texts)
    agent = Writer(asking, settings.writer_timeout)
    rounds = state.fixes + 1
    try:
        found = await agent.fix(_listed(bad, state), state.query, state.sources)
    except ModelError as error:
        note = f"Failing sentences could not be reworded: {error.what}"
        return visit.update("failed", [note], fixes=rounds, **asking.update())
    by_number = {one.number: one.replacement for one in found.fixes}
    citable = {*state.shown, *asking.shown}
    edits: dict[int, str] = {}
    for number, finding in enumerate(bad, start=1):
        if number in by_number:
            edits[state.findings.index(finding)] = clean(by_number[number], state.sources, citable)[0]
    numbers = dict(enumerate(state.cited, start=1))
    report = spliced(state.checked_report, state.findings, edits, lambda text: renumbered(text, numbers))
    fixed = [
        finding.model_copy(update={"action": "fixed" if edits.get(place) else "dropped"})
        for place, finding in enumerate(state.findings)
        if place in edits
    ]
    return visit.update(
        f"{len(edits)} of {len(bad)} sentences reworded or taken out",
        **asking.update(),
        report=report,
        fixes=rounds,
        removed=[*state.removed, *fixed],
    )


def _listed(bad: Sequence[Finding], state: ResearchState) -> str:
    """Failing sentences with numbers, in the numbering of the sources the model knows."""
    numbers: Mapping[int, int] = dict(enumerate(state.cited, start=1))
    lines = []
    for number, finding in enumerate(bad, start=1):
        lines.append(f"{number}. {renumbered(finding.sentence, numbers)}")
        lines.append(f"   reason: {disarmed(finding.reason)}")
        lines += [
            f"   its source says: {disarmed(str(span.get('text', ''))[:400])}" for span in finding.spans[:2]
        ]
    return "\n".join(lines)


def lower_of(one: ConfidenceLevel, other: ConfidenceLevel) -> ConfidenceLevel:
    """The less confident of two levels."""
    order: tuple[ConfidenceLevel, ...] = ("Low", "Medium", "High")
    return order[min(order.index(one), order.index(other))]
