"""COLLAPSE: the answers of the parts are merged into the question's own, if that makes it surer."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive.calls import Place
from nodes.contractive.judged import reviewed_by_code
from nodes.contractive.run import run_of_task
from nodes.contractive.sampling import Drawn
from nodes.contractive.solve import drawn_for, told, update_of
from nodes.contractive.state import Answer, Measured, Merge
from nodes.contractive.tasks import Task
from nodes.contractive.telling import happened
from nodes.reflective.context import RunContext


async def collapse(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Sample the question again, given its parts' answers, and keep what is better.

    The same estimator measures both. A merge is kept only if uncertainty fell by gamma at least and support
    did not fall; else the best answer so far stays.

    Args:
        given: a `Task`, JSON.
        runtime: LangGraph's.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = Task.model_validate(given)
    question = task.question
    merge = _merge(task)
    drawn: Drawn | None = None
    if not merge.reason:
        run = await run_of_task(runtime, task)
        async with run.calls.at_work():
            place = Place("collapse", question.id, task.branch, (task.number,))
            drawn = await drawn_for(run, task, place, known=True)
        told(task, drawn, "merge")
        _decide(task, merge, drawn.measured)
    question.merges.append(merge)
    question.events.append(happened("merged", question.id, **merge.model_dump(mode="json")))
    reviewed_by_code(task)
    return update_of(task, drawn)


def _merge(task: Task) -> Merge:
    """The merge as it stands before sampling; with a reason if there is nothing to merge."""
    question = task.question
    before = question.best.measured if question.best is not None else Measured()
    parts = set(question.children)
    merge = Merge(
        number=task.number,
        parts=[fact.id for fact in task.known if fact.id in parts],
        left_out={name: why for name, why in task.left_out.items() if name in parts},
        before=before.uncertainty,
        after=before.uncertainty,
        support_before=before.support,
        support_after=before.support,
        answer=before.answer,
    )
    if not merge.parts:
        merge.reason = "no part has an answer that may be used"
    elif question.joint == "AND" and (lacking := [name for name in task.fresh if name in merge.left_out]):
        merge.reason = f"a part that is required has none: {', '.join(lacking)}"
    return merge


def _decide(task: Task, merge: Merge, measured: Measured) -> None:
    """Keep a merge, or say why not."""
    question = task.question
    merge.sampled = measured.samples > 0
    merge.after, merge.support_after, merge.answer = measured.uncertainty, measured.support, measured.answer
    merge.entropy, merge.noise = measured.entropy, measured.noise
    gamma = task.limits.entropy_gamma_min_reduction
    # Rounded as both are, so that 0.5 to 0.45 is a fall by 0.05.
    fell = round(merge.before - merge.after, 6)
    if not measured.answered:
        merge.reason = "the samples hold no answer"
    elif question.best is not None and fell < gamma:
        merge.reason = f"uncertainty fell by {fell:.3f}, less than {gamma:g}"
    elif merge.support_after < merge.support_before:
        merge.reason = "support fell"
    else:
        merge.kept = True
        merge.reason = f"uncertainty fell by {fell:.3f}" if question.best else "it is the first answer"
        question.best = Answer(measured=measured, source="merge")
        question.reviews = []
