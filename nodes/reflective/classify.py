"""CLASSIFY: how much structure does the goal need? Cheapest evidence first.

Recipes and labelled exemplars, then what past runs were labelled, then the classifier model, then MODERATE.
A goal that asks for a fact about files is never answered without looking.
"""

from __future__ import annotations

import asyncio
import re
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from configs.prompting import render
from memory.recipes.changes import wants_change
from memory.recipes.exemplars import FLOOR, resemblance, vote
from memory.recipes.match import match_recipes
from memory.recipes.places import locate
from memory.recipes.promises import read_promises
from memory.recipes.reading import Reading, read_goal
from memory.recipes.recipe import load_recipes
from models.errors import ModelReplyInvalid
from nodes.errors import GoalError
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now, progress
from nodes.reflective.follow_up import read_in_thread
from nodes.reflective.lookup import locate_goal
from nodes.reflective.recall import asked, known_complexity
from nodes.reflective.services import Services, services_of, thread_id
from nodes.reflective.state import ReasoningState, RoleUsage, RunLimits, TaskComplexity, Update, add_usage

MAX_GOAL_CHARS = 20_000
EDGES = re.compile(r"\A[\s\0]+|[\s\0]+\Z")
# A label other than BYPASS is cheap to get wrong, so a plain majority of the vote decides it.
MAJORITY = 0.5


class ComplexityLabel(BaseModel):
    """The classifier model's reply."""

    complexity: Literal["bypass", "simple", "moderate", "complex"]


def check_goal(goal: str) -> str:
    """The goal without surrounding white space.

    Raises:
        GoalError: it is empty or longer than MAX_GOAL_CHARS characters.
    """
    text = EDGES.sub("", goal)
    if not text:
        raise GoalError("The goal is empty.", 'Say what you want to know, e.g. "How many files are here?".')
    if len(text) > MAX_GOAL_CHARS:
        raise GoalError(
            f"The goal has {len(text)} characters; {MAX_GOAL_CHARS} is the limit.",
            "Put long material in a file and ask about the file.",
        )
    return text


async def classify(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Label the goal and start the run afresh: a thread's earlier run leaves nothing behind."""
    goal = check_goal(state.goal)
    services = await services_of(runtime, fresh=True)
    thread = thread_id() or f"run-{now()[:19].replace(':', '')}"
    progress("model", model=str(services.choice.model_id), reason=services.choice.reason)
    settings = services.settings
    limits = RunLimits(
        reflections=settings.reasoning.max_reflections.model_dump() if settings.reflect.enabled else {},
        iterations=settings.graph.max_iterations,
        verify=settings.reasoning.verify,
        strategy=settings.reasoning.strategy,
        step_retries=settings.graph.max_step_retries,
    )
    read = await read_in_thread(goal, state, services)
    goal = read.goal
    started = ReasoningState(
        goal=goal,
        said=read.said,
        turns=state.turns,
        notes=read.notes,
        usage=read.usage,
        session_id=thread,
        started=now(),
        iterations=1,
        limits=limits,
        commitments=list(read_promises(goal).commitments),
    )
    complexity, source, score, usage = await _label(started, services)
    if complexity is TaskComplexity.BYPASS and limits.strategy != "graph_v30":
        # Only graph_v30 lets the model answer alone.
        complexity = TaskComplexity.SIMPLE
    update = started.model_copy(
        update={
            "complexity": complexity,
            "complexity_source": source,
            "complexity_score": score,
            "usage": usage,
        }
    )
    return update.model_dump(mode="json", exclude={"remaining_steps"})


async def _label(
    state: ReasoningState, services: Services
) -> tuple[TaskComplexity, str, float | None, dict[str, RoleUsage]]:
    question = state.question
    if not question:
        # A message and nothing else: PLAN says that nothing here can send one.
        return TaskComplexity.MODERATE, "default", None, state.usage
    reading = await asyncio.to_thread(read_goal, question)
    changes = wants_change(state.goal)
    by_recipe = None if changes else await asyncio.to_thread(_by_recipe, reading, services)
    if by_recipe is not None:
        return by_recipe, "recipe", 1.0, state.usage
    if changes and (reading.about_files or names_something(reading)):
        # A change takes steps that are shown and approved one by one, which DIRECT_EXEC does not do.
        return TaskComplexity.MODERATE, "change", None, state.usage
    ballot = await asyncio.to_thread(lambda: vote(question, services.embedder()))
    label = TaskComplexity(ballot.label)
    threshold = services.settings.graph.complexity_bypass_threshold
    needed = threshold if label is TaskComplexity.BYPASS else MAJORITY
    trusted = ballot.nearest >= FLOOR and ballot.share >= needed
    if trusted and not (label is TaskComplexity.BYPASS and reading.about_files):
        return label, "exemplars", round(ballot.share, 3), state.usage
    known = await _by_experience(state.goal, services)
    if known is not None:
        return known, "experience", 1.0, state.usage
    return await _by_model(state, services, reading)


async def _by_experience(goal: str, services: Services) -> TaskComplexity | None:
    """The label under which a verified run answered the same question; looking costs less than a model."""
    if services.toolbox is None or services.experience is None:
        return None
    located = await locate_goal(goal, services, services.toolbox)
    label = await known_complexity(asked(located), services)
    return TaskComplexity(label) if label else None


def names_something(reading: Reading) -> bool:
    """True if a path, a text or a kind of file is named, as no request for a poem or a sum does."""
    named = any(mention.role != "guess" for mention in reading.mentions)
    return named or reading.literal is not None or bool(reading.globs) or reading.mentions_files


def _by_recipe(reading: Reading, services: Services) -> TaskComplexity | None:
    """The label of the recipe that covers the goal; names are looked up later, by PLAN."""
    like = resemblance(services.embedder()) if reading.residue and reading.about_files else None
    matches = match_recipes(reading, locate(reading, ()), load_recipes(), like)
    return TaskComplexity(matches[0].recipe.complexity) if matches else None


async def _by_model(
    state: ReasoningState, services: Services, reading: Reading
) -> tuple[TaskComplexity, str, float | None, dict[str, RoleUsage]]:
    messages = [
        SystemMessage(render("classify")),
        *EXAMPLES,
        HumanMessage(state.question),
    ]
    try:
        reply = await services.models.structured("classifier", messages, ComplexityLabel)
    except ModelReplyInvalid as error:
        return TaskComplexity.MODERATE, "default", None, add_usage(state, "classifier", error.usage)
    usage = add_usage(state, "classifier", reply.usage)
    label = TaskComplexity(reply.value.complexity)
    if label is TaskComplexity.BYPASS and reading.about_files:
        return TaskComplexity.MODERATE, "default", None, usage
    return label, "model", None, usage


SHOTS = (
    ("what is a linked list?", "bypass"),
    ("how many lines does notes.txt have?", "simple"),
    ("which python files import requests but have no tests?", "moderate"),
    ("find out why the nightly job fails and which commit broke it", "complex"),
)
EXAMPLES: list[BaseMessage] = [
    message
    for goal, label in SHOTS
    for message in (HumanMessage(goal), AIMessage(f'{{"complexity": "{label}"}}'))
]
