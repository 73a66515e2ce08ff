"""COLLAPSE of a hierarchy: parts that rest on evidence are put together without a word none of them holds.

What code listed, code puts together. What the planner cut up, the model merges as in a contractive run; but
a merged answer with a number, path, name or quotation that no part holds, and code did not compute from them,
is not given: then the parts themselves are the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive import collapse as contractive
from nodes.contractive.calls import Place
from nodes.contractive.run import run_of_task
from nodes.contractive.sampling import Drawn
from nodes.contractive.solve import drawn_for, told, update_of
from nodes.contractive.state import Answer, Measured, Merge
from nodes.contractive.telling import happened, moved
from nodes.hierarchy.aims import Aim, aims_within
from nodes.hierarchy.composing import Composed, composed, computed, figures_of
from nodes.hierarchy.evidence import joined, measured_by_evidence, shortened
from nodes.hierarchy.listing import listing_of
from nodes.hierarchy.tasks import HierarchyTask
from nodes.reflective.context import RunContext
from nodes.reflective.grounding import ungrounded

PUT_TOGETHER = "put together by code"
MOST_NAMED = 5


async def collapse(given: dict[str, Any], runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Merge the answers of a question's parts.

    Args:
        given: a `HierarchyTask`, JSON.
        runtime: LangGraph's.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    task = HierarchyTask.model_validate(given)
    if _is_contractive(task):
        return await contractive.collapse(given, runtime)
    listing = listing_of(task.question.question) if task.question.facts_from == "files" else None
    aims = list(listing.aims) if listing is not None else aims_within(task.question.question)
    unasked = task.unasked if listing is not None else {}
    made = composed(task.parts, aims, [f"{what} ({why})" for what, why in unasked.items()])
    if made is None or listing is not None or not all(part.answer for part in task.parts):
        _settle(task, made, None, PUT_TOGETHER)
        return update_of(task)
    drawn = await _drawn(task, runtime)
    why = _why_not(drawn.measured, task, aims)
    _settle(task, made, None if why else drawn.measured, why)
    return update_of(task, drawn)


def _is_contractive(task: HierarchyTask) -> bool:
    """True where nothing rests on files, or a part that is required has no answer, so nothing is sampled."""
    if task.question.facts_from == "files":
        return False
    lacking = task.question.joint == "AND" and any(name in task.left_out for name in task.fresh)
    return lacking or not any(fact.grounded for fact in task.known)


async def _drawn(task: HierarchyTask, runtime: Runtime[RunContext]) -> Drawn:
    run = await run_of_task(runtime, task)
    async with run.calls.at_work():
        place = Place("collapse", task.question.id, task.branch, (task.number,))
        drawn = await drawn_for(run, task, place, known=True)
    told(task, drawn, "merge")
    return drawn


def _why_not(measured: Measured, task: HierarchyTask, aims: Sequence[Aim]) -> str:
    """Why a merged answer is not given; "" if it may be."""
    if not measured.answered:
        return "the model merged them into no answer"
    if measured.uncertainty >= task.limits.entropy_collapse_threshold:
        return "the model's merged answers do not agree"
    figures = figures_of(task.parts)
    sums = [computed(aim, figures, whole=True)[0] for aim in aims]
    known = [task.question.question, *(part.answer for part in task.parts), *sums]
    invented = ungrounded(f"{measured.text}\n{measured.answer}", known)
    if not invented:
        return ""
    return f"the merged answer holds what no part does: {', '.join(invented[:MOST_NAMED])}"


def _settle(task: HierarchyTask, made: Composed | None, merged: Measured | None, why: str) -> None:
    """Write the merge down, and the answer it comes to."""
    question = task.question
    before = question.best.measured if question.best is not None else Measured()
    merge = Merge(
        number=task.number,
        parts=[part.id for part in task.parts if part.answer],
        left_out={part.id: part.absent for part in task.parts if not part.answer},
        before=before.uncertainty,
        support_before=before.support,
        sampled=merged is not None,
        by_code=merged is None,
        reason=why or "every fact of it stands in an answer of a part",
    )
    if made is None:
        merge.after, merge.reason = before.uncertainty, "no part has an answer that may be used"
        _without_answer(task)
    else:
        measured = _of_composed(made, is_root=task.is_root) if merged is None else _no_surer(merged, made)
        merge.after, merge.support_after, merge.answer = (
            measured.uncertainty,
            measured.support,
            measured.answer,
        )
        merge.entropy, merge.noise, merge.kept = measured.entropy, measured.noise, True
        question.best = Answer(measured=measured, source="merge", evidence=joined(task.evidence))
        question.pruned, question.reviews = "", []
    question.merges.append(merge)
    question.events.append(happened("merged", question.id, **merge.model_dump(mode="json")))
    moved(question, "DONE")


def _of_composed(made: Composed, *, is_root: bool) -> Measured:
    # Above the root nobody merges, and people want the figure they asked for.
    short = made.short if is_root else shortened(made.text)
    return measured_by_evidence(short, made.text, made.support)


def _no_surer(merged: Measured, made: Composed) -> Measured:
    """A merged answer is no surer than the parts it is made of."""
    support = min(merged.support, made.support)
    return merged.model_copy(
        update={"support": support, "uncertainty": max(merged.uncertainty, round(1 - support, 6))}
    )


def _without_answer(task: HierarchyTask) -> None:
    question = task.question
    if question.best is None:
        question.pruned = "; ".join(f"{part.id}: {part.absent}" for part in task.parts)
        question.events.append(happened("pruned", question.id, why=question.pruned))
