"""What one task of a hierarchy is given: as in a contractive run, and the parts with their evidence. Pure."""

from __future__ import annotations

from pydantic import Field

from nodes.collective.exchange import Cited
from nodes.contractive.state import ContractiveState, Question
from nodes.contractive.tasks import Task, task_of
from nodes.hierarchy.composing import PartAnswer


class HierarchyTask(Task):
    """Work on one question of a hierarchy.

    Attributes:
        parts: of a question that is merged, in order: what became of each.
        evidence: what each of them rests on.
        unasked: parts that were listed and given to nobody, with the reason.
    """

    parts: list[PartAnswer] = Field(default_factory=list)
    evidence: list[list[Cited]] = Field(default_factory=list)
    unasked: dict[str, str] = Field(default_factory=dict)


def hierarchy_task_of(state: ContractiveState, node: str) -> Task:
    """The task for a question; only a merge needs more than a contractive run gives."""
    task = task_of(state, node)
    question = state.tree[node]
    if question.stage != "COLLAPSE":
        return task
    usable = {fact.id for fact in task.known}
    # Of files every part is told; a question a model tried rests on those parts that have an answer.
    every = question.facts_from == "files"
    parts = [state.tree[name] for name in question.children if every or name in usable]
    given = {name: getattr(task, name) for name in type(task).model_fields}
    return HierarchyTask(
        **given,
        parts=[_answer_of(part, task.left_out.get(part.id, ""), used=part.id in usable) for part in parts],
        evidence=[part.best.evidence for part in parts if part.best is not None and part.id in usable],
        unasked=dict(question.refused) if every else {},
    )


def _answer_of(part: Question, absent: str, *, used: bool) -> PartAnswer:
    if not used or part.best is None:
        return PartAnswer(part.id, part.question, part.about, absent=absent or "it has no answer")
    measured = part.best.measured
    return PartAnswer(
        part.id, part.question, part.about, measured.answer, measured.support, bool(part.best.evidence)
    )
