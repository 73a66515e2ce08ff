"""What a run teaches later ones, written by RESPOND.

An episode says which plan the run followed and whether code could verify what came of it. Every record of
past runs that was made use of is told whether it helped, and failures of the same question are linked to the
plan that worked in the end.
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memory.corpus import HybridExperience
from memory.episodes import Episode, EpisodeStep, read_episode
from memory.events import ReasoningEvent
from memory.reuse.lasting import says_what_to_look_for, states_what_it_names
from nodes.reflective.commitments import Missing
from nodes.reflective.emit import now, record
from nodes.reflective.reasoning import seconds_since
from nodes.reflective.services import Services
from nodes.reflective.state import Plan, PlanStep, ReasoningState, StopReason

_PART = re.compile(r"[\w.+@-]+")
# The run itself failed, and neither its surroundings nor a person's decision is to blame.
ANSWER_CHARS = 4000
PATTERNS = ("-path", "-ipath", "-wholename", "-name", "-iname")
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
    episode = await asyncio.to_thread(_episode, state, services.root, model)
    if episode is not None:
        event = _event(state, "episode", problem, episode.model_dump(mode="json"))
        episode_id = await record(services, event, to_global=episode.verified)
        if episode.verified:
            await _link_failures(state, episode.key, episode_id, services.experience, services)
            await _release(state, episode, services.experience, services)
    await _count(state, services)
    meta = {**_ending(state, missing), "model": model, "episode": episode_id}
    await record(services, _event(state, "respond", problem, meta))


def _episode(state: ReasoningState, root: Path, model: str) -> Episode | None:
    plan = state.plan
    if plan is None or state.asked is None or not any(step.result for step in plan.steps):
        return None
    verified = state.status == "answered" and state.stop_reason == "success"
    steps = [
        EpisodeStep(description=step.description, command=_command(step))
        for step in plan.steps
        if step.result is not None
    ]
    return Episode(
        verified=verified,
        reusable=verified and state.verified and plan.source == "model" and _only_reads(plan),
        lasting=is_lasting(plan, state, root),
        general=is_general(plan, state, root),
        key=state.asked.key,
        slots=state.asked.slots,
        demands=state.asked.demands,
        plan=steps,
        validation=plan.validation,
        confidence=plan.confidence,
        source=plan.source,
        recipe=plan.recipe,
        complexity=state.complexity.value if state.complexity else "moderate",
        status=state.status,
        steps=[step.command for step in steps],
        model=model,
        category=state.reflection_attempts[-1].category if state.reflection_attempts else None,
    )


def _command(step: PlanStep) -> str:
    """What the planner wrote; of other calls, what a person would type for them."""
    written = step.tool_call.args.get("command") if step.tool_call else None
    if step.tool_call is not None and step.tool_call.tool == "command" and isinstance(written, str):
        return written
    return step.result.command if step.result else ""


def _only_reads(plan: Plan) -> bool:
    return all(step.tool_call is not None and step.tool_call.tool == "command" for step in plan.steps)


def is_lasting(plan: Plan, state: ReasoningState, root: Path) -> bool:
    """True if the plan names no place below the root and nothing of the code but what the goal names.

    A planner that has seen the files may write what it saw into a command; tomorrow there may be others, and
    another project keeps its sources elsewhere.
    """
    commands = [_command(step) for step in plan.steps]
    if not states_what_it_names(commands, state.goal):
        return False
    slots = state.asked.slots if state.asked else []
    stated = {_plain(value) for slot in slots for value in (slot.text, slot.path or "")}
    return not any(
        _plain(word) not in stated and _exists(root, word)
        for command in commands
        for word in _places(command)
    )


def is_general(plan: Plan, state: ReasoningState, root: Path) -> bool:
    """True if the plan says nothing about this project that its goal does not say."""
    commands = [_command(step) for step in plan.steps]
    goal = state.goal.lower()
    parts = {part for command in commands for word in _words(command) for part in _PART.findall(word)}
    return says_what_to_look_for(commands, goal) and not any(
        _exists(root, part) for part in parts if part.strip(".") and part.lower() not in goal
    )


def _places(command: str) -> list[str]:
    """Words of a command that may name a file or directory; those behind -path are patterns."""
    words = _words(command)
    return [word for before, word in zip(["", *words], words, strict=False) if before not in PATTERNS]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def _plain(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


def _exists(root: Path, word: str) -> bool:
    if not _plain(word) or _plain(word) == ".":
        return False
    try:
        return (root / word).exists()
    except (OSError, ValueError):
        return False  # no name of a file: too long, or with a NUL


async def _link_failures(
    state: ReasoningState, key: str, episode_id: str, experience: HybridExperience, services: Services
) -> None:
    """Say of the failures of this question, in this run or an earlier one, what worked in the end."""
    for failure in await asyncio.to_thread(experience.unresolved, key, by=episode_id):
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
    """Tell every record that was made use of whether it helped; other ends say nothing about it."""
    succeeded = state.status == "answered" and state.stop_reason == "success"
    if not (succeeded or state.stop_reason in FAILED):
        return
    # A plan that was run again and given up did not help, whatever the next plan achieved.
    kept = state.plan.reused_from if state.plan else None
    given_up = {used.event_id for used in state.recalled if used.use == "reused"} - {kept}
    for used in {used.event_id: used for used in state.recalled if used.event_id}.values():
        verdict = "helpful" if succeeded and used.event_id not in given_up else "harmful"
        meta = {"of": used.event_id, verdict: 1}
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
