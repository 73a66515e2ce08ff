"""RECOMMEND: what the analysis comes to, as goals that can be carried out."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from models.errors import ModelError
from nodes.collective.budgets import sharing
from nodes.collective.exchange import Assignment
from nodes.collective.hybrid.recommending import Accepted, Proposal, accepted
from nodes.collective.hybrid.state import ANALYSIS, HybridState
from nodes.contractive.asking import messages
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import RoleUsage, dump

REPLY_TOKENS = 512
LONGEST_ANALYSIS = 6000


async def recommend(state: HybridState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Have a model word recommendations, and take those code finds to be any good.

    Without a usable model, or without an analysis, the goal itself is carried out.
    """
    services = await services_of(runtime)
    most = services.settings.collective.max_recommendations
    notes, usage = list(state.notes), state.usage
    proposal = Proposal()
    async with sharing(services, state.run_id):
        if services.models.can_judge("planner"):
            try:
                proposal, usage = await _proposed(state, services, most)
            except ModelError as error:
                if error.transient:
                    raise
                notes.append(f"No recommendations could be had: {error.what}")
    found = accepted(state.goal, state.context, proposal.recommendations, most)
    return dump(
        recommendations=found.taken,
        assignments=[*state.assignments, *_assignments(state, found)],
        notes=[*notes, *found.refused],
        usage=usage,
    )


async def _proposed(state: HybridState, services: Services, most: int) -> tuple[Proposal, RoleUsage]:
    analysis = state.findings.get(ANALYSIS)
    asked = messages(
        "hybrid_recommend",
        state.run_id,
        rules={"most": str(most)},
        goal=state.goal,
        context=state.context,
        analysis=(analysis.answer if analysis is not None else "")[:LONGEST_ANALYSIS] or "(none)",
    )
    reply = await services.models.structured("planner", asked, Proposal, max_tokens=REPLY_TOKENS)
    spent = reply.usage
    return reply.value, RoleUsage(
        calls=spent.calls,
        prompt_tokens=spent.prompt_tokens,
        completion_tokens=spent.completion_tokens,
        seconds=round(spent.seconds, 4),
    )


def _assignments(state: HybridState, found: Accepted) -> list[Assignment]:
    return [
        Assignment(id=one.id, worker="reflective", question=one.goal, facts=[ANALYSIS], run_id=state.run_id)
        for one in found.taken
    ]
