"""MERGE: one answer of several, with who says otherwise and on what evidence; or that there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.runtime import Runtime

from memory.recipes.changes import wants_change
from models.embeddings import Embedder
from models.errors import ModelError
from models.multilingual_embeddings import open_goal_embedder
from nodes.collective.about_files import needs_a_look
from nodes.collective.agreeing import agreements, chosen_of
from nodes.collective.budgets import forget, sharing
from nodes.collective.engine_reading import total
from nodes.collective.exchange import Finding
from nodes.collective.likeness import compared, with_likeness
from nodes.collective.standing import confidence_of, only_files_tell, status_of, unheld
from nodes.collective.state import Agreement, CollectiveState
from nodes.contractive.entailment import judge_of
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, close_models, services_of
from nodes.reflective.state import Failure, dump

SHOWN = 300
MOST_TOLD = 5
ONLY_MODELS = "Nothing outside the models speaks for this answer: they agree, or one says so, and no more."


async def merge(state: CollectiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Put together what says the same, choose, and tell what speaks against it."""
    services = await services_of(runtime)
    given = [state.findings[one.id] for one in state.assignments if one.id in state.findings]
    embedder = await _embedder(services)
    async with sharing(services, state.run_id):
        found = await agreements(state.goal, given, judge=judge_of(services.models), embedder=embedder)
    findings = await compared(given, embedder)
    told = await close_models(runtime)
    forget(state.run_id)
    by_id = {one.id: one for one in findings}
    found = [with_likeness(one, by_id) for one in found]
    said = {"usage": total(one.usage for one in findings), "agreements": found, "findings": by_id}
    missed = [*told, *(_missed(one) for one in findings if one.status == "error")]
    if not found or await _only_guessed(state, findings, services):
        return dump(**said, **_without_answer(found, findings, missed))
    return dump(**said, **_answered(found, state, findings, missed))


async def _only_guessed(state: CollectiveState, findings: Sequence[Finding], services: Services) -> bool:
    """True if only a look at files could answer, or only a change of them do it, and neither came about."""
    if any(one.grounded for one in findings):
        return False
    if wants_change(state.goal):
        return True
    if state.context:
        # The material may answer what the files do not.
        return False
    judged = any(one.worker == "reflective" and one.status != "error" for one in findings)
    return only_files_tell(findings) is not None or (not judged and await needs_a_look(state.goal, services))


def _answered(
    found: Sequence[Agreement], state: CollectiveState, findings: Sequence[Finding], missed: list[str]
) -> dict[str, Any]:
    best, by_id = found[0], {one.id: one for one in findings}
    chosen = chosen_of(best, by_id)
    lacking = unheld([state.goal, state.context], chosen.answer, chosen.evidence)
    notes = [*missed, *(_disagreement(other, by_id) for other in found[1:])]
    if not chosen.grounded:
        notes.append(ONLY_MODELS)
    if lacking:
        notes.append(f"No evidence holds what the answer says here: {', '.join(lacking[:MOST_TOLD])}.")
    return {
        "status": status_of(best, found, chosen, lacking),
        "final_answer": chosen.answer,
        "short_answer": best.answer,
        "chosen": chosen.id,
        "confidence": confidence_of(best, found, chosen),
        "notes": [*notes, *chosen.notes],
    }


def _without_answer(
    found: Sequence[Agreement], findings: Sequence[Finding], missed: list[str]
) -> dict[str, Any]:
    """That there is no answer, and why; what models guess about files is told as a guess."""
    looked = only_files_tell(findings)
    guesses = [
        f"Without having seen a file, {_and(one.members)} would say: {_shown(one.answer)}" for one in found
    ]
    failures = [one.failure for one in findings if one.failure is not None]
    every = bool(findings) and all(one.status == "error" for one in findings)
    failure = failures[0] if every and failures else None
    if not findings:
        failure = Failure(node="merge", kind="NoFindings", what="No engine was asked.", remedy="")
    said = looked if looked is not None and looked.status == "could_not" else None
    told = (note for one in findings for note in one.notes if one.status != "error")
    return {
        "status": "error" if failure is not None else "could_not",
        "final_answer": said.answer if said is not None else "",
        "confidence": 0.0 if said is not None else None,
        "failure": failure,
        "notes": list(dict.fromkeys([*missed, *guesses, *told])),
    }


def _missed(finding: Finding) -> str:
    why = finding.failure.what if finding.failure is not None else "no reason is known"
    return f"{finding.id} took no part: {why}"


def _disagreement(other: Agreement, findings: Mapping[str, Finding]) -> str:
    rests = [f"{one.where}: {_shown(one.text)}" for name in other.members for one in findings[name].evidence]
    on = f" (on {'; '.join(rests[:3])})" if rests else " (on no evidence)"
    says = "say" if len(other.members) > 1 else "says"
    return f"{_and(other.members)} {says} otherwise: {_shown(other.answer)}{on}"


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]} ..."


async def _embedder(services: Services) -> Embedder | None:
    try:
        return await asyncio.to_thread(open_goal_embedder, services.settings)
    except ModelError:
        return None
