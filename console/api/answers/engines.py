"""Runs that ask other engines: ensemble, hybrid, specialists, auto."""

from __future__ import annotations

from console.api.answers.facts import (
    AnswerFacts,
    Evidence,
    Part,
    Step,
    failure,
    figures,
    of_findings,
    share,
    usage,
)
from nodes.collective.exchange import Assignment, Finding
from nodes.collective.hybrid.state import HybridState
from nodes.collective.state import CollectiveState
from nodes.routing.state import AutoState
from nodes.specialists.state import SpecialistsState


def collective(state: CollectiveState) -> AnswerFacts:
    """An ensemble, or what all runs that ask several engines have alike."""
    asked = [state.findings[one.id] for one in state.assignments if one.id in state.findings]
    agreed = len(state.agreements[0].members) if state.agreements else 0
    grounded = [one for one in asked if one.grounded and state.chosen in ("", one.id)]
    return AnswerFacts(
        graph="",
        asked=state.goal,
        status=state.status,
        answer=state.final_answer,
        figures=figures(
            ("confidence", share(state.confidence)),
            ("say the same", f"{agreed} of {len(asked)}" if agreed else ""),
            *usage([state.usage]),
        ),
        failure=failure(state.failure),
        evidence=of_findings(grounded),
        parts=tuple(_asked(one, state.findings.get(one.id)) for one in state.assignments),
        notes=tuple(state.notes),
    )


def _asked(assignment: Assignment, found: Finding | None) -> Part:
    """What an engine was asked, and what it brought."""
    if found is not None:
        return _finding(found)
    return Part(_label(assignment.id, assignment.worker), assignment.question, "no answer yet")


def _label(name: str, worker: str) -> str:
    return name if name == worker else f"{name} · {worker}"


def hybrid(state: HybridState) -> AnswerFacts:
    """A contractive plan whose steps a reflective run took."""
    steps = tuple(
        Step(one.goal + (f" ({one.why})" if one.why else ""), _mark(state.findings.get(one.id)))
        for one in state.recommendations
    )
    return AnswerFacts(**{**vars(collective(state)), "steps": steps})


def _mark(finding: Finding | None) -> str:
    return finding.status if finding is not None else "not run"


def specialists(state: SpecialistsState) -> AnswerFacts:
    """Claims of specialists, each with its place and kernel."""
    who = "; ".join(f"{one.name}: {one.why}" for one in state.chosen_specialists)
    facts = collective(state)
    claims = tuple(Evidence(f"{one.place} ({one.kernel})", one.claim) for one in state.claims)
    return AnswerFacts(
        **{**vars(facts), "evidence": claims, "figures": (*facts.figures, *figures(("specialists", who)))}
    )


def auto(state: AutoState) -> AnswerFacts:
    """The engine that was chosen, why, and what it found."""
    decision = state.decision
    chosen = f"{decision.engine}: {decision.why}" if decision is not None else ""
    found = list(state.findings.values())
    return AnswerFacts(
        graph="",
        asked=state.goal,
        status=state.status,
        answer=state.final_answer,
        figures=figures(("engine", chosen), ("confidence", share(state.confidence)), *usage([state.usage])),
        failure=failure(state.failure),
        evidence=of_findings(found),
        parts=tuple(map(_finding, found)) or _given_out(state.assignment),
        notes=tuple(state.notes),
    )


def _given_out(assignment: Assignment | None) -> tuple[Part, ...]:
    return (_asked(assignment, None),) if assignment is not None else ()


def _finding(one: Finding) -> Part:
    return Part(
        label=_label(one.id, one.worker),
        question=one.question,
        mark=one.status,
        answer=one.answer,
        about="; ".join([*filter(None, [_sure(one.confidence), failure(one.failure)]), *one.notes]),
        evidence=of_findings([one]),
    )


def _sure(confidence: float | None) -> str:
    return "" if confidence is None else f"confidence {share(confidence)}"
