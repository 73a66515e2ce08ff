"""CLASSIFY: how much structure does the goal need? Cheapest evidence first.

Recipes and labelled exemplars (`nodes.reflective.complexity`), then what verified runs of the same question
were labelled, then the classifier model, then MODERATE. A goal that asks for a fact about files is never
answered without looking.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from configs.prompting import render
from memory.recipes.exemplars import resemblance
from memory.recipes.promises import read_promises
from models.errors import ModelFailed, ModelReplyInvalid, ModelTimeout
from models.multilingual_embeddings import open_goal_embedder
from models.roles import RoleModels
from models.usage import Usage
from nodes.errors import GoalError
from nodes.reflective.complexity import Judgement, alike, judge
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now, progress
from nodes.reflective.follow_up import read_in_thread
from nodes.reflective.lookup import locate_goal
from nodes.reflective.recall import asked, known_complexity
from nodes.reflective.servers import tools_asked_for, tools_to_use
from nodes.reflective.services import Services, services_of, thread_id
from nodes.reflective.state import ReasoningState, RoleUsage, RunLimits, TaskComplexity, Update, add_usage
from nodes.reflective.surroundings import surroundings
from tools.mcp.servers import ToolServers

log = logging.getLogger(__name__)
MAX_GOAL_CHARS = 20_000
EDGES = re.compile(r"\A[\s\0]+|[\s\0]+\Z")


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
    started = await _with_tools(started, services)
    complexity, source, score, usage = await _label(started, services)
    if complexity is TaskComplexity.SIMPLE and started.asks_for_change:
        # One call at most only looks; what was asked for would be left undone.
        complexity, source, score = TaskComplexity.MODERATE, "change", None
    if complexity is TaskComplexity.BYPASS and services.toolbox and services.toolbox.servers.speaks_of(goal):
        # "What is the weather in Paris?" is no general knowledge where a server of that name knows it.
        complexity, source, score = TaskComplexity.MODERATE, "tool", None
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


async def _with_tools(state: ReasoningState, services: Services) -> ReasoningState:
    """The state with the servers' tools that the goal says to use; messages it speaks of are up to these."""
    toolbox = services.toolbox
    if toolbox is None:
        # PLAN says that the profile allows none, which an answer from memory would hide.
        servers = ToolServers(services.settings.mcp.servers, services.settings.profile)
        return state.model_copy(update={"server_tools": tools_asked_for(state.goal, servers)})
    wanted = await tools_to_use(state.goal, toolbox)
    changing = [name for name in wanted if toolbox.servers.writes(name)]
    update: Update = {"server_tools": wanted, "changes_by": changing}
    return state.model_copy(update=update | ({"commitments": []} if changing else {}))


async def _label(
    state: ReasoningState, services: Services
) -> tuple[TaskComplexity, str, float | None, dict[str, RoleUsage]]:
    question = state.question
    if not question:
        # A message and nothing else: PLAN says that nothing here can send one.
        return TaskComplexity.MODERATE, "default", None, state.usage
    if state.server_tools:
        # No recipe knows what a server's tool is for, and no example resembles it.
        return TaskComplexity.MODERATE, "tool", None, state.usage
    judgement = await _judged(state, services)
    label = judgement.label
    if label is not None:
        return label.complexity, label.source, label.score, state.usage
    known = await _by_experience(state.goal, services)
    if known is not None:
        return known, "experience", 1.0, state.usage
    return await _by_model(state, services, judgement.may_bypass)


async def _judged(state: ReasoningState, services: Services) -> Judgement:
    """The judgement, made once for all runs side by side whose goals differ by the names of files only."""
    around = surroundings()
    if around is None:
        return await asyncio.to_thread(_judge, state, services)
    key = ("judged", *await asyncio.to_thread(lambda: (alike(state.question), alike(state.goal))))
    return await around.once(key, asyncio.to_thread, _judge, state, services)


def _judge(state: ReasoningState, services: Services) -> Judgement:
    return judge(
        state.question,
        state.goal,
        open_goal_embedder(services.settings),
        lambda: resemblance(services.embedder()),
        services.settings.graph.complexity_bypass_threshold,
    )


async def _by_experience(goal: str, services: Services) -> TaskComplexity | None:
    """The label under which a verified run answered the same question; looking costs less than a model."""
    if services.toolbox is None or services.experience is None:
        return None
    located = await locate_goal(goal, services, services.toolbox)
    label = await known_complexity(asked(located), services)
    return TaskComplexity(label) if label else None


async def _by_model(
    state: ReasoningState, services: Services, may_bypass: bool
) -> tuple[TaskComplexity, str, float | None, dict[str, RoleUsage]]:
    try:
        label, source, usage = await ask_classifier(state.question, services.models, may_bypass)
    except (ModelTimeout, ModelFailed) as error:
        if error.transient:
            raise
        # A label is not worth the run; a server that is down is, for every role that comes after.
        log.warning("the classifier did not answer: %s", error)
        progress("role_failed", role="classifier", error=str(error))
        return TaskComplexity.MODERATE, "default", None, state.usage
    return label, source, None, add_usage(state, "classifier", usage)


async def ask_classifier(
    question: str, models: RoleModels, may_bypass: bool
) -> tuple[TaskComplexity, str, Usage]:
    """What the classifier model says; MODERATE where nobody can read it or it says a BYPASS it may not say.

    Raises:
        ModelError: the model could not be reached, found or finished.
    """
    messages = [SystemMessage(render("classify")), *EXAMPLES, HumanMessage(question)]
    try:
        reply = await models.structured("classifier", messages, ComplexityLabel)
    except ModelReplyInvalid as error:
        return TaskComplexity.MODERATE, "default", error.usage
    label = TaskComplexity(reply.value.complexity)
    if label is TaskComplexity.BYPASS and not may_bypass:
        return TaskComplexity.MODERATE, "default", reply.usage
    return label, "model", reply.usage


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
