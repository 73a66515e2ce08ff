"""CRITIC: reviews the draft; what code finds caps the verdict, so a model cannot pass what code does not."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from models.errors import ModelError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.research.analyst import review_text
from nodes.research.asking import Asking
from nodes.research.bookkeeping import Visit, research_settings
from nodes.research.citations import cited_numbers
from nodes.research.packing import disarmed
from nodes.research.searching import readable
from nodes.research.sentence_checks import Checked, check_cited, failing, known_of
from nodes.research.state import (
    LONGEST_LIST,
    CriticOutput,
    Mode,
    ResearchState,
    ReviewStatus,
    Source,
)

RANK: Mapping[ReviewStatus, int] = {"PASS": 0, "WARN": 1, "REJECT": 2}
# A draft of which more than this share of the checked sentences fails is no base for a report.
MOST_FAILING = 0.34
LONGEST_FINDING = 300
MOST_FINDINGS = 12


async def critic(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Review the draft by code, then by the model where one can judge.

    Raises:
        ReplayMismatch: a replayed run asks what was not recorded.
    """
    visit = Visit("critic", state)
    services = await services_of(runtime)
    draft = state.analysis.draft if state.analysis is not None else ""
    settings = await asyncio.to_thread(research_settings, services, state)
    numbered = await asyncio.to_thread(readable, services, state.sources)
    checks = await asyncio.to_thread(check_cited, draft, numbered, known_of(state))
    max_tier = getattr(settings.mode_configs, state.mode).max_tier
    found = code_review(
        draft, state.mode, state.sources, checks, max_tier if state.mode == "strict" else None
    )
    asking = Asking(services, state)
    review, notes, by_code = found, list[str](), True
    if state.judges and draft and not (state.extractive and found.status == "PASS"):
        agent = Critic(asking, settings.critic_timeout, found)
        try:
            review = await agent.review(draft, state.query, state.mode)
            by_code = False
        except ModelError as error:
            notes.append(f"No model reviewed the draft; code alone did: {error.what}")
            review = capped(found, CriticOutput(status="WARN", critique="Reviewed by code only."))
    if by_code:
        await visit.log_code(services, "critic", max(1, state.iteration), review)
    update = asking.update()
    return visit.update(
        f"{review.status}: {review.critique[:120]}",
        notes,
        exchanges=update["exchanges"],
        usage=update["usage"],
        review=review,
        reviews=state.reviews + 1,
    )


class Critic:
    """Reviews drafts.

    Args:
        asking: through which the model is asked.
        timeout: seconds one answer may take.
        found: what code found in the draft; the verdict is never better.
    """

    def __init__(self, asking: Asking, timeout: float, found: CriticOutput) -> None:
        self._asking = asking
        self._timeout = timeout
        self._found = found

    async def review(self, draft: str, query: str, mode: Mode) -> CriticOutput:
        """PASS, WARN or REJECT, with reasons.

        Raises:
            ModelError: no usable answer.
        """
        points = [*self._found.source_issues, *self._found.logical_gaps]
        said = await self._asking.ask(
            "critic",
            "critic",
            "research_critic",
            CriticOutput,
            self._timeout,
            query=query,
            mode=mode,
            draft=draft,
            findings="\n".join(f"- {disarmed(point)}" for point in points) or "nothing",
            cited=_listed(draft, self._asking.state.sources),
        )
        return capped(self._found, said)


def code_review(
    draft: str, mode: Mode, sources: Sequence[Source], checks: Sequence[Checked], max_tier: int | None
) -> CriticOutput:
    """What is certain: no draft, citations of nothing, tiers the mode forbids, failing sentences. Pure.

    Args:
        draft: with {cite:N}.
        mode: of the run.
        sources: those in use.
        checks: the checker's word on the draft's sentences.
        max_tier: the highest tier the mode accepts, or None.
    """
    if not draft.strip():
        return CriticOutput(
            status="REJECT", critique="There is no draft.", logical_gaps=["The draft is empty."]
        )
    known = {source.number: source for source in sources}
    cited = cited_numbers(draft)
    invented = [number for number in cited if number not in known]
    forbidden = [
        known[number]
        for number in cited
        if number in known and max_tier is not None and not 1 <= known[number].tier <= max_tier
    ]
    bad = failing(checks)
    claims = [check for check in checks if check.verdict != "no_claim"]
    issues = [f"{{cite:{number}}} names no source." for number in invented]
    issues += [
        f"{source.site or source.url} is of tier {source.tier}, which {mode} forbids." for source in forbidden
    ]
    issues += [f"{check.verdict}: {_short(check.sentence)} ({check.reason})" for check in bad[:MOST_FINDINGS]]
    if claims and not cited:
        issues.append("No sentence cites a source.")
    worst: ReviewStatus = "PASS"
    if issues:
        worst = "WARN"
    if forbidden or invented or not cited or len(bad) > MOST_FAILING * max(1, len(claims)):
        worst = "REJECT"
    return CriticOutput(
        status=worst,
        critique=f"Code checked {len(claims)} sentences; {len(bad)} are not what their sources say.",
        suggestions=["State only what the cited source states."] if bad else [],
        mode_compliance="違反" if forbidden else "符合",
        source_issues=issues,
    )


def capped(found: CriticOutput, said: CriticOutput) -> CriticOutput:
    """A model's review, never better than what code found. Pure."""
    status = max((found.status, said.status), key=lambda one: RANK[one])
    if said.mode_compliance == "違反" and status == "PASS":
        status = "WARN"
    return CriticOutput(
        status=status,
        critique=said.critique.strip()[:4000] or found.critique,
        suggestions=_joined(found.suggestions, said.suggestions),
        mode_compliance="違反" if "違反" in (found.mode_compliance, said.mode_compliance) else "符合",
        logical_gaps=_joined(found.logical_gaps, said.logical_gaps),
        source_issues=_joined(found.source_issues, said.source_issues),
    )


def _joined(first: Sequence[str], second: Sequence[str]) -> list[str]:
    lines = (line.strip()[:1000] for line in (*first, *second))
    return list(dict.fromkeys(line for line in lines if line))[: 2 * LONGEST_LIST]


def _listed(draft: str, sources: Sequence[Source]) -> str:
    cited = cited_numbers(draft)
    return (
        "\n".join(
            disarmed(
                f"{source.number}: {source.name} — {source.site} "
                f"(tier {source.tier}, {source.date or 'no date'})"
            )
            for source in sources
            if source.number in cited
        )
        or "none"
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_FINDING else f"{text[:LONGEST_FINDING]}…"


__all__ = ["Critic", "capped", "code_review", "critic", "review_text"]
