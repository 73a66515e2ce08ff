"""CHECK_CITATIONS: each sentence of the report against the text it cites; what fails is fixed or goes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from models.errors import ModelError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.research.asking import Asking
from nodes.research.bookkeeping import Visit, research_settings
from nodes.research.citations import cited_numbers, renumbered
from nodes.research.model_words import plain_words
from nodes.research.packing import disarmed
from nodes.research.searching import readable
from nodes.research.sentence_checks import (
    FAILED,
    check_cited,
    failing,
    in_order,
    judgements_kept,
    known_of,
    settled,
)
from nodes.research.splicing import spliced
from nodes.research.state import Finding, ResearchState
from tools.search.items import Item

MOST_JUDGED = 20
# Taking a sentence out can leave another one that says too much; a few rounds always end it.
MOST_ROUNDS = 4


async def check_citations(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Check; what code cannot tell goes to a model that can judge; then failing sentences are taken out.

    A model's "contradicted" or "unsupported" fails a sentence as code's does; its "supported" only settles
    what code left open.

    Raises:
        ReplayMismatch: a replayed run asks what was not recorded.
    """
    visit = Visit("check_citations", state)
    services = await services_of(runtime)
    numbered = await asyncio.to_thread(readable, services, state.sources)
    findings = await asyncio.to_thread(check_cited, state.report, numbered, known_of(state))
    findings = judgements_kept(findings, state.findings)
    settings = await asyncio.to_thread(research_settings, services, state)
    asking = Asking(services, state)
    notes: list[str] = []
    if state.judges and any(finding.verdict == "needs_judge" for finding in findings):
        try:
            findings = await judged(asking, findings, settings.critic_timeout)
        except ModelError as error:
            notes.append(f"What code could not tell was not judged: {error.what}")
    findings = [settled(finding) for finding in findings]
    update = asking.update()
    kept: dict[str, Any] = {"exchanges": update["exchanges"], "usage": update["usage"]}
    bad = failing(findings)
    if bad and state.judges and not state.extractive and state.fixes < state.limits.fixes:
        return visit.update(
            f"{len(bad)} of {len(findings)} sentences fail",
            notes,
            **kept,
            findings=findings,
            checked_report=in_order(state.report, numbered),
            cited=[number for number in cited_numbers(state.report) if number in numbered],
            unfixed=True,
        )
    report, findings, dropped = await asyncio.to_thread(
        without_failing, state.report, findings, numbered, known_of(state)
    )
    claims = sum(finding.verdict == "supported" for finding in findings)
    return visit.update(
        f"{claims} sentences supported, {len(dropped)} taken out",
        notes,
        **kept,
        report=report,
        findings=findings,
        checked_report=in_order(report, numbered),
        cited=[number for number in cited_numbers(report) if number in numbered],
        removed=[*state.removed, *dropped],
        unfixed=False,
        no_data="" if claims else "No sentence of the report is what its sources say, so none is left.",
    )


def without_failing(
    report: str, findings: Sequence[Finding], items: dict[int, Item], known: str = ""
) -> tuple[str, list[Finding], list[Finding]]:
    """The report without the sentences that fail, checked again until none does; blocking.

    Args:
        report: with {cite:N}.
        findings: on `in_order(report)`.
        items: sources by number.
        known: as for `check_cited`.

    Returns:
        Report, findings on what is left of it, and what was taken out.
    """
    judged_before = list(findings)
    dropped: list[Finding] = []
    for _ in range(MOST_ROUNDS):
        edits = {place: "" for place, finding in enumerate(findings) if finding.verdict in FAILED}
        if not edits:
            break
        dropped += [findings[place].model_copy(update={"action": "dropped"}) for place in edits]
        numbers = dict(enumerate((n for n in cited_numbers(report) if n in items), start=1))
        worded = in_order(report, items)
        report = spliced(worded, findings, edits, partial(renumbered, places=numbers))
        findings = judgements_kept(check_cited(report, items, known), judged_before)
        findings = [settled(finding) for finding in findings]
    return report, list(findings), dropped


class Judgement(BaseModel):
    """A model's word on one sentence."""

    model_config = ConfigDict(extra="ignore")

    number: int
    verdict: Literal["supported", "contradicted", "unsupported"]
    reason: str = ""


class Judgements(BaseModel):
    """A model's word on several sentences."""

    model_config = ConfigDict(extra="ignore")

    verdicts: list[Judgement] = Field(default_factory=list)


async def judged(asking: Asking, findings: Sequence[Finding], timeout: float) -> list[Finding]:
    """The findings with a model's verdict where code had none; one call.

    Raises:
        ModelError: no usable answer.
    """
    open_places = [place for place, one in enumerate(findings) if one.verdict == "needs_judge"][:MOST_JUDGED]
    lines = []
    for number, place in enumerate(open_places, start=1):
        finding = findings[place]
        lines.append(f"{number}. sentence: {disarmed(renumbered(finding.sentence, {}))}")
        lines += [f"   passage: {disarmed(str(span.get('text', ''))[:600])}" for span in finding.spans[:2]]
    found = await asking.ask(
        "judge", "critic", "research_judge", Judgements, timeout, sentences="\n".join(lines)
    )
    by_number = {one.number: one for one in found.verdicts}
    told = list(findings)
    for number, place in enumerate(open_places, start=1):
        word = by_number.get(number)
        # A passage that was not there to be read can support nothing.
        if word is not None and findings[place].spans:
            reason = f"Judged by the model: {plain_words(word.reason)[:300]}"
            update = {"verdict": word.verdict, "reason": reason, "judged": True}
            told[place] = findings[place].model_copy(update=update)
    return told
