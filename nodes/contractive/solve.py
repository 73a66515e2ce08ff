"""SOLVE: a question is tried before it is split. Several samples tell how sure the model is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime

from nodes.contractive.asking import solve_messages
from nodes.contractive.calls import Place
from nodes.contractive.judged import reviewed_by_code
from nodes.contractive.run import Run, run_of_task
from nodes.contractive.sampling import Drawn, sample
from nodes.contractive.state import Answer, Measured, Question
from nodes.contractive.tasks import Task
from nodes.contractive.telling import happened, moved
from nodes.reflective.context import RunContext


async def solve(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Try a question; where the samples disagree it goes on to DECOMPOSE, else to its review.

    Args:
        given: a `Task`, JSON.
        runtime: LangGraph's.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = Task.model_validate(given)
    question = task.question
    run = await run_of_task(runtime, task)
    async with run.calls.at_work():
        moved(question, "SOLVE")
        drawn = await drawn_for(run, task, try_of(task), may_split=may_split(task))
        told(task, drawn, "try")
        question.tried = drawn.measured
        question.best = Answer(measured=drawn.measured, source="try") if drawn.measured.answered else None
        if may_split(task) and is_uncertain(task, drawn.measured):
            moved(question, "DECOMPOSE")
        else:
            reviewed_by_code(task)
    return update_of(task, drawn)


async def drawn_for(
    run: Run, task: Task, place: Place, *, may_split: bool = False, known: bool = False
) -> Drawn:
    """Samples of a question.

    Args:
        run: whose calls are used.
        task: the question.
        place: of the calls.
        may_split: as for `sample`.
        known: the parts' answers are given as well, not only what the question depends on.
    """
    parts = set(task.question.children)
    facts = [fact for fact in task.known if known or fact.id not in parts]
    return await sampled(run, task, place, solve_messages(task, facts), may_split=may_split)


async def sampled(
    run: Run,
    task: Task,
    place: Place,
    messages: Sequence[BaseMessage],
    *,
    may_split: bool = False,
    first: int | None = None,
) -> Drawn:
    """Samples of any prompt, compared as the run compares answers; see `sample`."""
    judge = run.judge(task, place)
    embedder = await run.embedder() if judge is not None else None
    return await sample(
        run.calls, task, place, messages, judge=judge, embedder=embedder, may_split=may_split, first=first
    )


def try_of(task: Task) -> Place:
    """Where the calls of a question's try belong, by which they are found again."""
    return Place("solve", task.question.id, task.branch, (task.number,))


def may_split(task: Task) -> bool:
    """True above the deepest level."""
    return task.question.depth < task.limits.max_depth


def is_uncertain(task: Task, measured: Measured) -> bool:
    """True where parts may help; where no call came through, they would not either."""
    return measured.samples > 0 and measured.uncertainty >= task.limits.entropy_decompose_threshold


def told(task: Task, drawn: Drawn, of: str) -> None:
    """Note on the question what was sampled, and what went wrong."""
    question, measured = task.question, drawn.measured
    facts = measured.model_dump(
        mode="json", include={"entropy", "uncertainty", "samples", "failed", "support"}
    )
    question.events.append(happened("sampled", question.id, of=of, answer=measured.answer[:300], **facts))
    for problem in measured.problems:
        question.events.append(happened("call_failed", question.id, phase=of, why=problem))
    if drawn.refused is not None:
        why, limit = drawn.refused.what, drawn.refused.limit
        question.events.append(happened("budget_refused", question.id, phase=of, limit=limit, why=why))
    new = [*measured.problems, *([drawn.refused.what] if drawn.refused else [])]
    question.errors = list(dict.fromkeys([*question.errors, *new]))


def update_of(
    task: Task, drawn: Drawn | None = None, *, parts: Sequence[Question] = (), refused: Sequence[str] = ()
) -> dict[str, Any]:
    """What a task changes: its question, questions it made, and the limits it met.

    Args:
        task: that was worked on.
        drawn: the samples it drew.
        parts: new questions.
        refused: limits other calls of it met.
    """
    met = [drawn.refused.limit] if drawn is not None and drawn.refused is not None else []
    tree = {one.id: one.model_dump(mode="json") for one in (task.question, *parts)}
    return {"tree": tree, "hindrances": [*met, *refused]}
