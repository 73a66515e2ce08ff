"""What a run teaches later ones, written by RESPOND.

An episode says which plan the run followed and whether code could verify what came of it. Every record of
past runs that was made use of is told whether it helped, and failures of the same question are linked to the
plan that worked in the end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from memory.corpus import HybridExperience
from memory.events import ReasoningEvent
from memory.experience.episodes import Episode, read_episode
from models.telemetry.counters import memory_hit
from nodes.reflective.commitments import Missing
from nodes.reflective.emit import now, record
from nodes.reflective.episode import episode_of
from nodes.reflective.reasoning import seconds_since
from nodes.reflective.services import Services
from nodes.reflective.state import ReasoningState, StopReason

ANSWER_CHARS = 4000
# A question that failed thousands of times does not hold up the run that answers it at last.
MOST_LINKED = 100
# The run itself failed, and neither its surroundings nor a person's decision is to blame.
FAILED: tuple[StopReason, ...] = ("max_reflections", "max_iterations", "no_plan", "verification_failed")


async def learn(
    state: ReasoningState, problem: str | None, missing: Sequence[Missing], services: Services
) -> None:
    """Write the run's episode, if it had a plan, what it says about older records, and its last event.

    Args:
        state: the run's last state.
        problem: why it did not succeed, or None.
        missing: what was promised and not done.
        services: of the run.

    Raises:
        MemoryStoreError: something cannot be written.
    """
    if services.experience is None:
        return
    episode_id = None
    model = str(services.choice.model_id)
    episode = await asyncio.to_thread(episode_of, state, services.root, model)
    if episode is not None:
        event = _event(state, "episode", problem, episode.model_dump(mode="json"))
        episode_id = await record(services, event, to_global=episode.verified)
        if episode.verified:
            await _link_failures(state, episode.key, episode_id, services.experience, services)
            await _release(state, episode, services.experience, services)
    await _count(state, services)
    meta = {**_ending(state, missing), "model": model, "episode": episode_id}
    await record(services, _event(state, "respond", problem, meta))


async def _link_failures(
    state: ReasoningState, key: str, episode_id: str, experience: HybridExperience, services: Services
) -> None:
    """Say of the failures of this question, in this run or an earlier one, what worked in the end."""
    failures = await asyncio.to_thread(experience.unresolved, key, by=episode_id)
    for failure in failures[:MOST_LINKED]:
        await record(services, _feedback(state, {"of": failure, "resolved_by": episode_id}), to_global=True)


async def _release(
    state: ReasoningState, episode: Episode, experience: HybridExperience, services: Services
) -> None:
    """Take imported runs out of quarantine that answered this question with these very commands."""
    commands = [step.command for step in episode.plan]
    for stored in await asyncio.to_thread(experience.quarantined, episode.key):
        imported = read_episode(stored.meta)
        if imported is not None and [step.command for step in imported.plan] == commands:
            meta = {"of": stored.event_id, "released": True}
            await record(services, _feedback(state, meta), to_global=stored.scope == "global")


async def _count(state: ReasoningState, services: Services) -> None:
    """Tell the records that were made use of whether they helped; other ends say nothing about them.

    What was verified is refuted by running it, not by a run of another question it was only shown to: if
    that counted, one goal nobody can plan would take the plans of all goals like it out of retrieval.
    """
    succeeded = state.status == "answered" and state.stop_reason == "success"
    used_records = {used.event_id: used for used in state.recalled if used.event_id}.values()
    if not (succeeded or state.stop_reason in FAILED):
        for used in used_records:
            memory_hit(used.use, "unknown")
        return
    kept = state.plan.reused_from if state.plan else None
    # A plan that was run again and given up did not help, whatever the next plan achieved.
    given_up = {used.event_id for used in state.recalled if used.use == "reused"} - {kept}
    for used in used_records:
        harmed = used.event_id in given_up or not succeeded
        memory_hit(used.use, "no" if harmed else "yes")
        if harmed and used.use == "example" and used.event_id not in given_up:
            continue
        meta = {"of": used.event_id, "harmful" if harmed else "helpful": 1}
        await record(services, _feedback(state, meta), to_global=used.scope == "global")


def _feedback(state: ReasoningState, meta: dict[str, object]) -> ReasoningEvent:
    return ReasoningEvent(
        timestamp=now(), session_id=state.session_id, event_type="feedback", goal="", meta=meta
    )


def _event(state: ReasoningState, kind: str, problem: str | None, meta: dict[str, Any]) -> ReasoningEvent:
    lesson = state.reflection_attempts[-1].lesson if state.reflection_attempts else None
    return ReasoningEvent.model_validate(
        {
            "timestamp": now(),
            "session_id": state.session_id,
            "event_type": kind,
            "goal": state.goal,
            "outcome_status": state.stop_reason,
            "error": problem,
            "llm_critique": lesson,
            "meta": meta,
        }
    )


def _ending(state: ReasoningState, missing: Sequence[Missing]) -> dict[str, Any]:
    return {
        "confidence": state.confidence,
        "status": state.status,
        "complexity": state.complexity.value if state.complexity else None,
        "plan_source": state.plan.source if state.plan else None,
        "recipe": state.plan.recipe if state.plan else None,
        "commands": [evidence.command for evidence in state.evidence if evidence.source == "tool"],
        "commitments": state.commitments,
        "unmet": dict(missing),
        "answer": (state.final_answer or "")[:ANSWER_CHARS],
        "usage": {role: usage.model_dump() for role, usage in state.usage.items()},
        "seconds": seconds_since(state.started),
    }
