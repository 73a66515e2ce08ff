"""What the nodes of one contractive run share: models, calls within the budgets, a judge, an embedder."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel

from configs.contractive import ContractiveSettings
from configs.settings import Role
from memory.call_journal import journal_path
from memory.project_directory import DIRECTORY
from models.embeddings import Embedder
from models.errors import ModelError, ModelFailed
from models.multilingual_embeddings import open_goal_embedder
from nodes.contractive.calls import Calls, Place
from nodes.contractive.entailment import Judge, judge_by
from nodes.contractive.open_calls import calls_of
from nodes.contractive.tasks import Task
from nodes.errors import CallRefused
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of, thread_id

Value = TypeVar("Value", bound=BaseModel)
JUDGE: Role = "verifier"


@dataclass(frozen=True)
class Run:
    """What a node works with."""

    services: Services
    calls: Calls

    def judge(self, task: Task, phase_of: Place) -> Judge | None:
        """A model that settles what code cannot tell, within the budget; None if the run has none."""
        if not task.judge:
            return None
        place = Place("judge", phase_of.node, phase_of.branch, phase_of.number)

        async def ask(messages: Sequence[BaseMessage], schema: type[Value], max_tokens: int) -> Value:
            try:
                return await self.calls.structured(place, JUDGE, messages, schema, max_tokens=max_tokens)
            except CallRefused as refused:
                # To whoever compares two answers a refused call is one that failed: shared words decide.
                raise ModelFailed(refused.what, refused.remedy) from refused

        return judge_by(ask)

    async def embedder(self) -> Embedder | None:
        """The embedder of goals; None where its packages are not installed."""
        try:
            return await asyncio.to_thread(open_goal_embedder, self.services.settings)
        except ModelError:
            return None


async def run_of(
    runtime: Runtime[RunContext],
    run_id: str,
    limits: ContractiveSettings,
    spent: int = 0,
    seconds: float = 0.0,
) -> Run:
    """The run a node belongs to.

    Args:
        runtime: LangGraph's.
        run_id: names the journal.
        limits: of the run.
        spent: tokens it is known to have taken, should its journal be gone.
        seconds: it has worked until now; the time between a kill and its resumption is nobody's.

    Raises:
        ReflectError: settings, models or the journal cannot be used.
    """
    services = await services_of(runtime)
    deadline = time.time() + limits.run_timeout_sec - seconds if limits.run_timeout_sec else None
    # Without a thread nothing can be gone on with, so what was asked need not outlive the run.
    path = journal_path(services.root / DIRECTORY, run_id) if thread_id() else None
    return Run(services, await calls_of(run_id, services.models, limits, path, deadline, spent, seconds))


async def run_of_task(runtime: Runtime[RunContext], task: Task) -> Run:
    """The run a task belongs to; see `run_of`."""
    return await run_of(runtime, task.run_id, task.limits, task.spent, task.seconds)
