"""What past runs have to say about a goal: lessons for prompts, plans that held, and plans to run again."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC

from pydantic import ValidationError

from memory.corpus import ExperienceHit, HybridExperience
from memory.experience.episodes import Episode, read_episode
from memory.experience.recall_prompt import harmless
from memory.experience.recollection import read_time
from memory.experience.stored_episode import StoredEpisode
from memory.recipes.match import demands
from memory.reuse.refill import refill
from memory.reuse.skeleton import skeleton_of
from nodes.errors import PlanInvalid
from nodes.reflective.lookup import Located
from nodes.reflective.model_plan import STEPS, DraftStep, PlanDraft, check_draft
from nodes.reflective.services import Services
from nodes.reflective.state import Asked, Plan, ReasoningState, Recalled, TaskComplexity
from tools.errors import ToolError
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

MOST_EXAMPLES = 3
MOST_STEPS = STEPS[TaskComplexity.COMPLEX][1]
# Runs of one question that are looked through for a plan that fits.
MOST_RUNS = 20
GOAL_CHARS = 200
LISTING = {"ask=list", "thing=content", "thing=name"}


@dataclass(frozen=True)
class Lessons:
    """Past events for a prompt.

    Attributes:
        text: a block of the prompt; empty when there is nothing.
        used: the records it holds.
    """

    text: str = ""
    used: tuple[Recalled, ...] = ()


@dataclass(frozen=True)
class Examples:
    """Verified plans for the planner's prompt.

    Attributes:
        shots: a goal and its plan each, the likest last.
        used: the records they come from.
    """

    shots: tuple[tuple[str, PlanDraft], ...] = ()
    used: tuple[Recalled, ...] = ()


def asked(located: Located) -> Asked:
    """The question and the values of a goal whose names were looked up. Pure."""
    skeleton = skeleton_of(located.reading.goal, located.paths_of_names())
    tokens = sorted(demands(located.reading, located.whereabouts))
    return Asked(key=skeleton.key, slots=list(skeleton.slots), demands=tokens)


async def recall(query: str, state: ReasoningState, services: Services) -> Lessons:
    """Events of earlier runs with similar goals or errors; a run asks the same only once.

    Raises:
        ModelError: the embedding model failed.
    """
    if services.experience is None:
        return Lessons()
    known = services.seen.recalled.get(("lessons", query))
    if isinstance(known, Lessons):
        return known
    lessons = services.seen.recalled["lessons", query] = await _lessons(
        query, state, services, services.experience
    )
    return lessons


async def _lessons(
    query: str, state: ReasoningState, services: Services, experience: HybridExperience
) -> Lessons:
    search = functools.partial(experience.search, query, settled=services.seen.searched)
    found = await asyncio.to_thread(search)
    services.seen.searched = True
    hits = [hit for hit in found if not _is_of_this_run(hit, state)]
    if not hits:
        return Lessons()
    return Lessons(experience.prompt_block(hits), tuple(_hit_used(hit) for hit in hits))


async def plan_examples(state: ReasoningState, services: Services, toolbox: Toolbox) -> Examples:
    """Plans of verified runs with similar goals, as a planner would have written them."""
    if services.experience is None or state.asks_for_change:
        return Examples()
    known = services.seen.recalled.get(("examples", state.goal))
    if isinstance(known, Examples):
        return known
    examples = services.seen.recalled["examples", state.goal] = await _examples(
        state, services, services.experience, toolbox
    )
    return examples


async def _examples(
    state: ReasoningState, services: Services, experience: HybridExperience, toolbox: Toolbox
) -> Examples:
    search = functools.partial(
        experience.plan_examples, state.goal, MOST_EXAMPLES, settled=services.seen.searched
    )
    found = await asyncio.to_thread(search)
    services.seen.searched = True
    shots: list[tuple[str, PlanDraft]] = []
    used: list[Recalled] = []
    for stored in reversed(found):
        draft = await asyncio.to_thread(_as_draft, stored, toolbox)
        if draft is not None:
            shots.append((harmless(stored.goal, GOAL_CHARS), draft))
            used.append(_used(stored, "example"))
    return Examples(tuple(shots), tuple(used))


async def known_complexity(question: Asked, services: Services) -> str | None:
    """The label under which a verified run answered the same question, or None."""
    if services.experience is None:
        return None
    for stored in await asyncio.to_thread(services.experience.episodes, question.key, 1):
        episode = read_episode(stored.meta)
        if episode is not None and _same_demands(episode, question):
            return episode.complexity
    return None


async def plan_from_experience(
    state: ReasoningState, question: Asked, located: Located, services: Services, toolbox: Toolbox
) -> tuple[Plan, Recalled] | None:
    """The plan of a verified run that asked the same, with the values of this goal; None if none fits."""
    if services.experience is None or state.asks_for_change:
        return None
    if any(used.use == "reused" for used in state.recalled):
        return None  # what was remembered did not hold in this run
    for stored in await asyncio.to_thread(services.experience.episodes, question.key, MOST_RUNS):
        episode = read_episode(stored.meta)
        if episode is None or not episode.reusable or not _same_demands(episode, question):
            continue
        commands = refill(
            [step.command for step in episode.plan], episode.slots, question.slots, question.key
        )
        if commands is None or not await _still_holds(stored, episode, question, services, toolbox):
            continue
        try:
            # A verified plan of this very goal took all of it up, however its commands say so.
            strict = stored.goal.split() != state.goal.split()
            plan = check_draft(_draft(episode, commands, state.goal), state, located, toolbox, strict=strict)
        except (PlanInvalid, ValidationError):
            continue  # it failed in this run before, does not take up all of this goal, or is no plan at all
        if episode.slots != question.slots:
            plan = _must_find(plan)
        return plan.model_copy(update={"source": "reused", "reused_from": stored.event_id}), _used(
            stored, "reused"
        )
    return None


def _must_find(plan: Plan) -> Plan:
    """With other values, finding nothing may mean that the plan looks for the wrong thing."""
    *steps, last = plan.steps
    return plan.model_copy(update={"steps": [*steps, last.model_copy(update={"expect_output": True})]})


async def _still_holds(
    stored: StoredEpisode, episode: Episode, question: Asked, services: Services, toolbox: Toolbox
) -> bool:
    """A plan that holds what was found then is good for that very question, until something changes.

    Elsewhere only what the goal itself says holds: another project has other directories and languages.
    """
    if stored.scope == "global" and not episode.general:
        return False
    if episode.lasting:
        return True
    by_history = any("git" in step.command for step in episode.plan)
    if list(episode.slots) != list(question.slots) or stored.at is None or by_history:
        return False
    since = stored.at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC")
    ignore = list(services.settings.tools.ignore)
    call = ToolCall(
        tool="find", args={"paths": ["."], "exclude_dirs": ignore, "modified_after": since, "printf": "%p\\0"}
    )
    result = await toolbox.run(call)
    return result.ok and not result.stdout and stored.scope == "project"


def _same_demands(episode: Episode, question: Asked) -> bool:
    """Equal but for what a verb of listing adds, which the skeleton leaves out as well."""
    return set(episode.demands) ^ set(question.demands) <= LISTING


def reuse_note(recalled: Sequence[Recalled]) -> list[str]:
    """What the reader is told when a plan is run again."""
    return [
        f"The plan is that of an earlier run: {one.goal[:200]}" for one in recalled if one.use == "reused"
    ]


def _draft(episode: Episode, commands: Sequence[str], goal: str) -> PlanDraft:
    return PlanDraft(
        objective=goal[:1000],
        steps=[
            DraftStep(description=step.description, command=command)
            for step, command in zip(episode.plan, commands, strict=True)
        ],
        validation=episode.validation,
        confidence=episode.confidence,
    )


def _as_draft(stored: StoredEpisode, toolbox: Toolbox) -> PlanDraft | None:
    """The run's plan, if it is one a planner may write today."""
    episode = read_episode(stored.meta)
    if episode is None or not episode.verified or not 0 < len(episode.plan) <= MOST_STEPS:
        return None
    try:
        for step in episode.plan:
            toolbox.check(ToolCall(tool="command", args={"command": step.command}))
    except ToolError:
        return None
    try:
        return _draft(episode, [step.command for step in episode.plan], stored.goal)
    except ValidationError:
        return None  # longer than a planner may write


def _is_of_this_run(hit: ExperienceHit, state: ReasoningState) -> bool:
    """What this run has just written down is in its state, and no experience."""
    started = read_time(state.started)
    of_thread = hit.recollection.session_id == state.session_id
    return of_thread and (started is None or hit.at is None or hit.at >= started)


def _hit_used(hit: ExperienceHit) -> Recalled:
    # A run that held is shown for what it did, anything else for what it teaches.
    held = hit.event_type == "episode" and hit.outcome == "success"
    return Recalled(
        event_id=hit.event_id,
        goal=hit.goal,
        scope=hit.scope,
        score=round(hit.score, 3),
        use="example" if held else "lesson",
    )


def _used(stored: StoredEpisode, use: str) -> Recalled:
    return Recalled.model_validate(
        {"event_id": stored.event_id, "goal": stored.goal, "scope": stored.scope, "use": use}
    )
