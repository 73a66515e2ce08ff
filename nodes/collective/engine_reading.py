"""What the final states of the engines come to as findings. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nodes.collective.exchange import LONGEST_TEXT, Assignment, Cited, Edge, Finding, FindingStatus, Happened
from nodes.contractive.state import ROOT, ContractiveState, Event, Question
from nodes.reflective.state import Evidence, ReasoningState, RoleUsage, TaskComplexity

NEEDS_FILES = "needs_files"
"""Figure of a reflective finding: 1 if the goal is one that only tools can answer, 0 if not."""

COMPUTED = "computed from: "
"""Before the command in the place of evidence that code computed from a command's output."""

_REFLECTIVE: Mapping[str, FindingStatus] = {
    "answered": "answered",
    "partial": "partial",
    "could_not": "could_not",
    "error": "error",
}
_CONTRACTIVE: Mapping[str, FindingStatus] = {
    "answered": "answered",
    "uncertain": "uncertain",
    "no_answer": "could_not",
    "error": "error",
}


def of_reflective(assignment: Assignment, values: Mapping[str, Any]) -> Finding:
    """The finding of a reflective run; grounded where an answer was given that rests on outputs of tools."""
    state = ReasoningState.model_validate(dict(values))
    status = _REFLECTIVE.get(state.status, "error")
    needs_files = state.complexity is not None and state.complexity is not TaskComplexity.BYPASS
    cited = [
        Cited(kind="tool", where=_where(one), text=one.text[:LONGEST_TEXT])
        for one in state.evidence
        if one.source == "computed" or one.returncode >= 0
    ]
    answers = status in ("answered", "partial")
    return Finding(
        id=assignment.id,
        worker=assignment.worker,
        question=assignment.question,
        status=status,
        answer=state.final_answer or "",
        confidence=state.confidence,
        grounded=answers and bool(cited),
        evidence=cited,
        figures={NEEDS_FILES: float(needs_files), "reflections": float(state.reflection_count)},
        usage=total(state.usage.values()),
        notes=list(state.notes),
        failure=state.failure,
    )


def of_contractive(assignment: Assignment, values: Mapping[str, Any]) -> Finding:
    """The finding of a contractive run: what its samples agree on, which no file speaks for."""
    state = ContractiveState.model_validate(dict(values))
    root = state.tree.get(ROOT)
    return Finding(
        id=assignment.id,
        worker=assignment.worker,
        question=assignment.question,
        status=_CONTRACTIVE.get(state.status, "error"),
        answer=state.final_answer,
        short=state.short_answer,
        confidence=state.confidence if state.final_answer else None,
        evidence=_samples(root),
        figures=_figures(root, state),
        edges=[
            Edge(source=one.parent, target=one.id, label=one.text[:200])
            for one in state.tree.values()
            if one.parent
        ],
        events=[_happened(one) for one in state.events],
        usage=total(state.metrics.by_phase.values()),
        notes=list(state.notes),
        failure=state.failure,
    )


def _where(evidence: Evidence) -> str:
    """The command, and whether code computed the text from its output."""
    return evidence.command if evidence.source == "tool" else f"{COMPUTED}{evidence.command}"


def total(spent: Iterable[RoleUsage]) -> RoleUsage:
    """The cost of all of them."""
    every = list(spent)
    return RoleUsage(
        calls=sum(one.calls for one in every),
        prompt_tokens=sum(one.prompt_tokens for one in every),
        completion_tokens=sum(one.completion_tokens for one in every),
        seconds=round(sum(one.seconds for one in every), 4),
    )


def _samples(root: Question | None) -> list[Cited]:
    """The answers of the samples, with how many gave each."""
    if root is None or root.best is None:
        return []
    measured = root.best.measured
    return [
        Cited(
            kind="samples", where=f"{one.size} of {measured.samples} samples", text=one.answer[:LONGEST_TEXT]
        )
        for one in measured.clusters
    ]


def _figures(root: Question | None, state: ContractiveState) -> dict[str, float]:
    if root is None or root.best is None:
        return {"questions": float(len(state.tree))}
    measured = root.best.measured
    return {
        "questions": float(len(state.tree)),
        "entropy": measured.entropy,
        "uncertainty": measured.uncertainty,
        "support": measured.support,
    }


def _happened(event: Event) -> Happened:
    return Happened(at=event.at, kind=event.type, facts=event.facts)
