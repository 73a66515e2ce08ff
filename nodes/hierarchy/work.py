"""WORK: a question that needs facts from files is answered by an engine that reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from langgraph.runtime import Runtime

from models.shared_budget import SharedBudget
from nodes.collective.child import Run, child
from nodes.collective.exchange import Assignment, Finding
from nodes.contractive.tasks import Fact, Task
from nodes.hierarchy.evidence import take
from nodes.hierarchy.placing import leave_out
from nodes.hierarchy.sharing import shared_by
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.reflective.state import Turn
from nodes.reflective.surroundings import Surroundings, looking_around


@dataclass(frozen=True)
class _Shared:
    """What the workers of one run share, as long as its budget is open.

    Attributes:
        places: of workers that may be at work at once.
        surroundings: what each of them would look up of the root by itself.
    """

    places: asyncio.Semaphore
    surroundings: Surroundings


Work: TypeAlias = Callable[[dict[str, Any], Runtime[RunContext]], Awaitable[dict[str, Any]]]
LONGEST_TOLD = 800
"""Characters of an answer a question may mean something of."""
_OPEN: WeakKeyDictionary[SharedBudget, _Shared] = WeakKeyDictionary()


def working(run: Run) -> Work:
    """The node that lets an engine answer one question, and puts what it brings into the tree.

    Args:
        run: how the engine is run, such as `Engine.run`.
    """
    worker = child(_reading_only(run))

    async def work(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
        task = Task.model_validate(given)
        question = task.question
        if lacking := [name for name in question.depends_on if name in task.left_out]:
            leave_out(question, f"it needs the answer to {', '.join(lacking)}, which has none")
            return {"tree": {question.id: question.model_dump(mode="json")}}
        asked = _assignment(task)
        shared = await _shared(task.run_id, runtime)
        with looking_around(shared.surroundings):
            async with shared.places:
                brought = await worker(asked.model_dump(mode="json"), runtime)
        take(question, Finding.model_validate(brought["findings"][asked.id]))
        return {**brought, "tree": {question.id: question.model_dump(mode="json")}}

    return work


def _assignment(task: Task) -> Assignment:
    """The question for a worker; answers it depends on are told as turns its words may lean on."""
    needed = [fact for fact in task.known if fact.id in task.question.depends_on]
    return Assignment(
        id=task.question.id,
        worker="reflective",
        question=task.question.question,
        turns=[_turn(fact) for fact in needed],
        facts=[fact.id for fact in needed],
        run_id=task.run_id,
    )


def _turn(fact: Fact) -> Turn:
    return Turn(goal=fact.question, answer=fact.answer[:LONGEST_TOLD], status="answered", said=fact.question)


def _reading_only(run: Run) -> Run:
    """The engine with changes ruled out: what a plan of it would change is told, and never made."""

    async def reading(assignment: Assignment, runtime: Runtime[RunContext]) -> Finding:
        context = (runtime.context or RunContext()).model_copy(update={"approval": "dry_run"})
        return await run(assignment, runtime.override(context=context))

    return reading


async def _shared(run_id: str, runtime: Runtime[RunContext]) -> _Shared:
    budget = await shared_by(run_id, runtime)
    most = (await services_of(runtime)).settings.collective.max_concurrent_children
    return _OPEN.setdefault(budget, _Shared(asyncio.Semaphore(most), Surroundings()))
