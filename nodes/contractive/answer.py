"""ANSWER: the best answer there is, how sure it is, and why the run stopped; or that there is none."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from nodes.contractive.advance import counted
from nodes.contractive.calls import forget
from nodes.contractive.conclude import is_confident
from nodes.contractive.confidence import confidence_of
from nodes.contractive.reading.asked import asked
from nodes.contractive.run import run_of
from nodes.contractive.state import ROOT, ContractiveState, Metrics, Status
from nodes.contractive.telling import happened
from nodes.reflective.context import RunContext
from nodes.reflective.services import close_models
from nodes.reflective.state import Failure

WHOLE = ("open", "list", "order", "code")
"""Kinds of answers for which people want the whole text, not its shortest form."""


async def answer(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Sum up the run. Nothing that was found is lost: the best answer stands, whatever ended the run."""
    metrics = await _metrics(state, runtime)
    await close_models(runtime)
    root = state.tree.get(ROOT)
    best = root.best if root is not None else None
    failure = state.failure
    if failure is None and state.stop_reason == "error" and root is not None:
        failure = _nobody_answered(root.errors)
    rejected = root is not None and root.verdict == "reject"
    status: Status = "error" if failure is not None and best is None else "no_answer"
    final, short, confidence = "", "", 0.0
    if best is not None:
        short = best.measured.answer
        final = best.measured.text if asked(root.question if root else "").wanted in WHOLE else short
        confidence = confidence_of(state.tree, ROOT)
        status = "answered" if is_confident(state) and failure is None else "uncertain"
    reason = state.stop_reason or ("error" if failure is not None else "no_answer")
    notes = [*state.notes, *_notes(state, rejected=rejected)]
    finished = happened(
        "finished", status=status, stop_reason=reason, answer=short[:300], confidence=confidence
    )
    forget(state.run_id)
    return {
        "status": status,
        "stop_reason": reason,
        "final_answer": final,
        "short_answer": short,
        "confidence": confidence,
        "failure": failure.model_dump(mode="json") if failure is not None else None,
        "notes": list(dict.fromkeys(notes)),
        "metrics": metrics.model_dump(mode="json"),
        "events": [
            *(event.model_dump(mode="json") for event in state.events),
            finished.model_dump(mode="json"),
        ],
    }


async def _metrics(state: ContractiveState, runtime: Runtime[RunContext]) -> Metrics:
    """The cost of the run; of one that never got as far as a call, nothing."""
    if not state.run_id:
        return state.metrics
    run = await run_of(runtime, state.run_id, state.limits, state.began)
    metrics = counted(state, run.calls.metrics())
    began = datetime.fromisoformat(state.began)
    metrics.seconds = round((datetime.now(UTC) - began).total_seconds(), 3)
    return metrics


def _nobody_answered(errors: list[str]) -> Failure:
    what = errors[-1] if errors else "No model call brought a reply."
    return Failure(
        node="solve",
        kind="ModelError",
        what=what,
        remedy="Run `reflect doctor` to see which models can be reached.",
        environmental=True,
    )


def _notes(state: ContractiveState, *, rejected: bool) -> list[str]:
    """What a person should know of the answer, beside its figures."""
    root = state.tree.get(ROOT)
    notes = []
    if rejected:
        notes.append("The review rejected this answer; it is the best there was.")
    if root is not None and root.best is None and root.errors:
        notes += root.errors[-3:]
    if "budget" in state.hindrances:
        notes.append("The budget of tokens ended the run before it was done.")
    if "timeout" in state.hindrances:
        notes.append("The time for the run was up before it was done.")
    if state.stop_reason == "fixed_point":
        notes.append("Further passes gave the same answer again, which does not make it right.")
    if state.metrics.refused_calls and not state.hindrances:
        notes.append("Some calls were not made for want of budget.")
    if root is not None and root.normal is not None and root.normal.refused:
        notes.append(f"A restatement of the question was not used: {root.normal.refused}")
    return notes
