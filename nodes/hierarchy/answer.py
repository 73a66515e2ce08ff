"""ANSWER of a hierarchy: as of a contractive run, with what each worker brought, and what is missing."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from nodes.collective.budgets import forget
from nodes.collective.engine_reading import total
from nodes.collective.exchange import Edge, Finding
from nodes.contractive import answer as contractive
from nodes.contractive.state import ROOT, Metrics, Question
from nodes.hierarchy.collapse import PUT_TOGETHER
from nodes.hierarchy.state import HierarchyState
from nodes.reflective.context import RunContext
from nodes.reflective.state import Failure, dump

LONGEST_LABEL = 200


async def answer(state: HierarchyState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Sum up the run: the best answer, the tree, the cost of all, a note for each part without an answer."""
    summed = await contractive.answer(state, runtime)
    forget(state.run_id)
    root = state.tree.get(ROOT)
    spent = Metrics.model_validate(summed["metrics"]).by_phase
    brought = [state.findings[name] for name in state.tree if name in state.findings]
    summed |= dump(
        edges=edges_of(state),
        usage=total([*spent.values(), *(finding.usage for finding in brought)]),
        notes=list(dict.fromkeys([*summed["notes"], *_notes(state, brought)])),
    )
    if root is None or root.facts_from != "files":
        return summed
    if root.best is None:
        return {**summed, **_without_answer(state, summed)}
    # What was read is told whole, with the places it stands at: a bare number could not be checked.
    whole = state.findings[ROOT].answer if ROOT in state.findings else root.best.measured.text
    return {**summed, "final_answer": whole.strip()}


def edges_of(state: HierarchyState) -> list[Edge]:
    """The tree of questions."""
    return [
        Edge(source=one.parent, target=one.id, label=one.text[:LONGEST_LABEL])
        for one in state.tree.values()
        if one.parent
    ]


def _without_answer(state: HierarchyState, summed: dict[str, Any]) -> dict[str, Any]:
    """The end of a run that found nothing: with the failure if nothing but failures kept it from that."""
    failures = [one.failure for one in state.findings.values() if one.failure is not None]
    only_failures = bool(failures) and len(failures) == len(state.findings)
    failure: Failure | None = state.failure or (failures[0] if only_failures else None)
    if failure is None:
        return {}
    return {"status": "error", "stop_reason": "error", **dump(failure=failure)}


def _notes(state: HierarchyState, brought: list[Finding]) -> list[str]:
    """What a person should know of the parts."""
    missing = [one for one in state.tree.values() if one.pruned and one.parent]
    notes = [f"{_named(one)} has no answer: {one.pruned}" for one in missing if not one.children]
    for one in state.tree.values():
        if one.facts_from == "files" and one.children:
            notes += [f"Not asked: {what}: {why}" for what, why in one.refused.items()]
        notes += [f"A merged wording of {_named(one)} was not used: {why}" for why in _unused(one)]
    return [*notes, *_of_findings(brought)]


def _of_findings(brought: list[Finding]) -> list[str]:
    """The notes of workers that answered, each once with all that say it."""
    said: dict[str, list[str]] = {}
    for finding in brought:
        for note in finding.notes if finding.answers else []:
            said.setdefault(note, []).append(finding.id)
    return [note if by == [ROOT] else f"{', '.join(by)}: {note}" for note, by in said.items()]


def _unused(question: Question) -> list[str]:
    """Why a model's merge gave way to the parts themselves."""
    by_code = [merge for merge in question.merges if merge.kept and merge.by_code]
    return [merge.reason for merge in by_code if merge.reason != PUT_TOGETHER]


def _named(question: Question) -> str:
    return f"{question.id} ({question.about or question.text[:LONGEST_LABEL]})"
