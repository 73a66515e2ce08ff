"""MERGE: one answer of several, with who says otherwise and on what evidence; or that there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from models.embeddings import Embedder
from models.errors import ModelError
from models.multilingual_embeddings import open_goal_embedder
from models.shared_budget import spending
from nodes.collective.agreeing import agreements, chosen_of, only_files_tell, status_of
from nodes.collective.budgets import budget_of, forget
from nodes.collective.engine_reading import total
from nodes.collective.exchange import Finding
from nodes.collective.state import Agreement, CollectiveState
from nodes.contractive.entailment import judge_of
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, close_models, services_of, thread_id
from nodes.reflective.state import Failure, dump

SHOWN = 300
ONLY_MODELS = "Nothing outside the models speaks for this answer: they agree, or one says so, and no more."


async def merge(state: CollectiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Put together what says the same, choose, and tell what speaks against it."""
    services = await services_of(runtime)
    findings = [state.findings[one.id] for one in state.assignments if one.id in state.findings]
    budget = await budget_of(services.root, state.run_id, state.limits, kept=bool(thread_id()))
    with spending(budget):
        found = await agreements(
            state.goal, findings, judge=judge_of(services.models), embedder=await _embedder(services)
        )
    await close_models(runtime)
    forget(state.run_id)
    said = {"usage": total(one.usage for one in findings), "agreements": found}
    missed = [_missed(one) for one in findings if one.status == "error"]
    if not found or only_files_tell(findings) is not None:
        return dump(**said, **_without_answer(found, findings, missed))
    return dump(**said, **_answered(found, state, findings, missed))


def _answered(
    found: Sequence[Agreement], state: CollectiveState, findings: Sequence[Finding], missed: list[str]
) -> dict[str, Any]:
    best = found[0]
    chosen = chosen_of(best, state.findings)
    notes = [*missed, *(_disagreement(other, state) for other in found[1:])]
    if not chosen.grounded:
        notes.append(ONLY_MODELS)
    return {
        "status": status_of(best, found, chosen),
        "final_answer": chosen.answer,
        "short_answer": best.answer,
        "chosen": chosen.id,
        "confidence": chosen.confidence if chosen.confidence is not None else 0.0,
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
    if looked is not None:
        told = {"status": "could_not", "final_answer": looked.answer}
        return {**told, "confidence": 0.0, "notes": [*missed, *guesses, *looked.notes]}
    failures = [one.failure for one in findings if one.failure is not None]
    every = bool(findings) and all(one.status == "error" for one in findings)
    failure = failures[0] if every and failures else None
    if not findings:
        failure = Failure(node="merge", kind="NoFindings", what="No engine was asked.", remedy="")
    return {
        "status": "error" if failure is not None else "could_not",
        "final_answer": "",
        "failure": failure,
        "notes": [*missed, *(note for one in findings for note in one.notes if one.status != "error")],
    }


def _missed(finding: Finding) -> str:
    why = finding.failure.what if finding.failure is not None else "no reason is known"
    return f"{finding.id} took no part: {why}"


def _disagreement(other: Agreement, state: CollectiveState) -> str:
    rests = [
        f"{one.where}: {_shown(one.text)}" for name in other.members for one in state.findings[name].evidence
    ]
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
