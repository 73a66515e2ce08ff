"""DECOMPOSE: an uncertain question is cut into parts, of which code takes those that are any good."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from models.errors import ModelError
from nodes.contractive.asking import facts_text, messages
from nodes.contractive.calls import Place
from nodes.contractive.judged import reviewed_by_code
from nodes.contractive.meanings import Meanings, meanings_of
from nodes.contractive.normalization import by_code
from nodes.contractive.parts import (
    MOST,
    Accepted,
    Proposal,
    accepted,
    questions_of,
    texts_weighed,
    words_leave_doubt,
)
from nodes.contractive.relevance import relevances
from nodes.contractive.run import Run, run_of_task
from nodes.contractive.sampling import Drawn
from nodes.contractive.solve import drawn_for, told, try_of, update_of
from nodes.contractive.state import Answer, Question
from nodes.contractive.tasks import Task
from nodes.contractive.telling import happened, moved
from nodes.errors import CallRefused
from nodes.reflective.context import RunContext

REPLY_TOKENS = 384
MOST_TOLD = 8
MOST_ASKED = 16
"""Questions of the tree a model is shown, so that it proposes others; code looks at all of them."""


async def decompose(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Split a question; one that cannot be split keeps the answer it has.

    Args:
        given: a `Task`, JSON.
        runtime: LangGraph's.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = Task.model_validate(given)
    question = task.question
    run = await run_of_task(runtime, task)
    drawn: Drawn | None = None
    async with run.calls.at_work():
        found, hindrances = await parts_by_model(task, run)
        if not (found.parts or question.children or hindrances):
            drawn = await _sampled_on(task, run)
    children = split_into(task, found)
    if not children:
        reviewed_by_code(task)
    return update_of(task, drawn, parts=children, refused=hindrances)


async def parts_by_model(task: Task, run: Run) -> tuple[Accepted, list[str]]:
    """The parts the planner proposes that are of use, and the limits that kept it from being asked."""
    question = task.question
    try:
        return await _split(task, run), []
    except (ModelError, CallRefused) as error:
        limits = [error.limit] if isinstance(error, CallRefused) else []
        kind = "budget_refused" if limits else "call_failed"
        question.errors.append(error.what)
        question.events.append(happened(kind, question.id, phase="decompose", why=error.what))
        return Accepted("AND"), [*limits]


def split_into(task: Task, found: Accepted) -> list[Question]:
    """Cut a question into parts, for which it waits from now on; none where nothing was found."""
    question = task.question
    children = _children(task, found)
    if children:
        ids = [child.id for child in children]
        question.children = [*question.children, *ids]
        question.joint, question.waits = found.kind, True
        question.events.append(happened("decomposed", question.id, joint=question.joint, parts=ids))
    return children


async def _sampled_on(task: Task, run: Run) -> Drawn | None:
    """Further samples of a question whose try was given up for parts it turned out not to have.

    Those of the try are read from the journal, and the others drawn as if it had never been splittable.
    """
    question = task.question
    if question.born != task.number:
        return None
    drawn = await drawn_for(run, task, try_of(task))
    if drawn.measured.answered:
        told(task, drawn, "try")
        question.tried, question.best = drawn.measured, Answer(measured=drawn.measured, source="try")
    return drawn


async def _split(task: Task, run: Run) -> Accepted:
    """Ask for parts until some are of use, or as often as may be."""
    question, limits = task.question, task.limits
    found = Accepted("AND")
    for attempt in range(limits.max_rebranch_attempts + 1):
        question.splits += 1
        prompt = messages(
            "contractive_decompose",
            task.run_id,
            rules={"most": str(MOST)},
            root=task.root,
            question=question.question,
            context=task.context,
            known=facts_text(task.known),
            asked="; ".join([*task.ancestors, *task.asked][-MOST_ASKED:]),
            refused="; ".join(f"{part}: {why}" for part, why in list(found.refused.items())[:MOST_TOLD]),
        )
        place = Place("decompose", question.id, task.branch, (task.number, attempt))
        proposal = await run.calls.structured(place, "planner", prompt, Proposal, max_tokens=REPLY_TOKENS)
        found = await _judged(task, run, proposal)
        question.refused |= found.refused
        for part in found.dropped[:MOST_TOLD]:
            question.events.append(happened("pruned", question.id, part=part.question, why=part.reason))
        if found.parts or not proposal.parts:
            return found
    return found


async def _judged(task: Task, run: Run, proposal: Proposal) -> Accepted:
    """What code takes of a proposal; meanings are compared only where words leave a doubt."""
    known = (task.ancestors, task.asked)
    judging = partial(_accepted, task, proposal)
    if not await asyncio.to_thread(words_leave_doubt, task.root, task.question, *known, proposal):
        return await asyncio.to_thread(judging, None)
    embedder = await run.embedder()
    if embedder is None:
        return await asyncio.to_thread(judging, None)
    texts = texts_weighed(task.root, task.question, *known, proposal)
    return await asyncio.to_thread(judging, await asyncio.to_thread(meanings_of, texts, embedder))


def _accepted(task: Task, proposal: Proposal, meanings: Meanings | None) -> Accepted:
    about = relevances(task.root, task.question.question, questions_of(proposal), meanings)
    return accepted(
        task.question,
        task.ancestors,
        task.asked,
        proposal,
        about,
        task.limits.min_relevance_threshold,
        meanings=meanings,
    )


def _children(task: Task, found: Accepted) -> list[Question]:
    """The parts as questions of the tree; numbering goes on where earlier passes left it."""
    parent = task.question
    first = len(parent.children) + 1
    ids = [f"{parent.id}.{first + place}" for place in range(len(found.parts))]
    children = []
    for name, part in zip(ids, found.parts, strict=True):
        normal = by_code(part.question).model_copy(update={"source": "split"})
        child = Question(
            id=name,
            parent=parent.id,
            depth=parent.depth + 1,
            text=part.question,
            depends_on=[ids[number - 1] for number in part.depends_on],
            born=task.number,
            rival=found.kind == "OR",
            normal=normal,
            relevance=part.relevance,
        )
        child.events.append(
            happened("node_created", name, question=part.question, parent=parent.id, depth=child.depth)
        )
        moved(child, "NORMALIZE")
        children.append(child)
    return children
