"""ANSWER: the best answer there is, how sure it is, and why the run stopped; or that there is none."""

from __future__ import annotations

import re
from typing import Any

from langgraph.runtime import Runtime

from memory.errors import MemoryStoreError
from nodes.contractive.advance import counted
from nodes.contractive.conclude import is_confident
from nodes.contractive.confidence import confidence_of
from nodes.contractive.open_calls import forget
from nodes.contractive.reading.asked import asked
from nodes.contractive.run import run_of
from nodes.contractive.sampling import LONGEST_ANSWER
from nodes.contractive.state import ROOT, ContractiveState, Metrics, Question, RunStop, Status
from nodes.contractive.telling import happened
from nodes.reflective.context import RunContext
from nodes.reflective.services import close_models
from nodes.reflective.state import Failure

LABEL = re.compile(r"^[ \t]*\**(?:final )?answer\**:\**[ \t]*", re.IGNORECASE | re.MULTILINE)
"""What models are told to put before their answer, which only they and code need."""
MOST_ERRORS = 3
WHOLE = ("open", "list", "order", "code")
"""Kinds of answers for which people want the whole text, not its shortest form."""


async def answer(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Sum up the run. Nothing that was found is lost: the best answer stands, whatever ended the run."""
    metrics, unread = await _metrics(state, runtime)
    told = await close_models(runtime)
    root = state.tree.get(ROOT)
    best = root.best if root is not None else None
    failure = state.failure
    if failure is None and state.stop_reason == "error" and root is not None:
        failure = _nobody_answered(root.errors)
    status: Status = "error" if failure is not None and best is None else "no_answer"
    final, short, confidence = "", "", 0.0
    if best is not None:
        short = best.measured.answer
        final = for_people(root.question if root else "", best.measured.text, short)
        confidence = confidence_of(state.tree, ROOT)
        finished = state.stop_reason is not None and failure is None
        status = "answered" if finished and is_confident(state) else "uncertain"
    # Without a reason or a failure only the limit of steps leads here.
    reason = state.stop_reason or ("error" if failure is not None else "max_steps")
    notes = [*state.notes, *_notes(state, metrics, reason), *unread, *told]
    ended = happened("finished", status=status, stop_reason=reason, answer=short[:300], confidence=confidence)
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
            ended.model_dump(mode="json"),
        ],
    }


def for_people(question: str, text: str, short: str) -> str:
    """The answer as a person wants it: in its shortest form, or whole where the question asks for words.

    Args:
        question: as it was put to the models.
        text: the whole reply.
        short: the answer in it.
    """
    wanted = asked(question).wanted
    if wanted not in WHOLE:
        return short
    # In code the same word may be a key.
    labels = [] if wanted == "code" or "```" in text else list(LABEL.finditer(text))
    told = f"{text[: labels[-1].start()]}{text[labels[-1].end() :]}" if labels else text
    return told.strip() or short


async def _metrics(state: ContractiveState, runtime: Runtime[RunContext]) -> tuple[Metrics, list[str]]:
    """The cost of the run, none of one that never came to a call; and why it could not be read."""
    if not state.run_id:
        return state.metrics, []
    metrics, unread = state.metrics, []
    try:
        run = await run_of(runtime, state.run_id, state.limits, state.metrics.tokens, state.metrics.seconds)
        metrics = counted(state, run.calls.metrics())
    except MemoryStoreError as error:
        # The answer is in the tree, and is not lost for want of its cost.
        unread = [f"The cost is that of an earlier step. {error.what}"]
    return metrics, unread


def _nobody_answered(errors: list[str]) -> Failure:
    what = errors[-1] if errors else "No model call brought a reply."
    return Failure(
        node="solve",
        kind="ModelError",
        what=what,
        remedy="Run `reflect doctor` to see which models can be reached.",
        environmental=True,
    )


def _notes(state: ContractiveState, metrics: Metrics, reason: RunStop) -> list[str]:
    """What a person should know of the answer, beside its figures."""
    root = state.tree.get(ROOT)
    about = {
        "The budget of tokens ended the run before it was done.": "budget" in state.hindrances,
        "The time for the run was up before it was done.": "timeout" in state.hindrances,
        "The limit of steps (recursion_limit) ended the run before it was done.": reason == "max_steps",
        f"A prompt was up to {metrics.cut} characters too long for its model's window and was cut; "
        "raise num_ctx.": metrics.cut > 0,
        "Further passes gave the same answer again, which does not make it right.": reason == "fixed_point",
        "Some calls were not made for want of budget.": metrics.refused_calls and not state.hindrances,
    }
    notes = [note for note, holds in about.items() if holds]
    return notes if root is None else [*_of_answer(root, reviewed=bool(state.peer)), *notes]


def _of_answer(root: Question, *, reviewed: bool) -> list[str]:
    """What is to be told of the answer itself; of one that is not there, why."""
    notes = []
    if root.normal is not None and root.normal.refused:
        notes.append(f"A restatement of the question was not used: {root.normal.refused}")
    if root.best is None:
        return [*root.errors[-MOST_ERRORS:], *notes]
    if root.verdict == "reject":
        notes.append("The review rejected this answer; it is the best there was.")
    if root.best.measured.truncated:
        notes.append("The answer stopped at the model's limit of tokens; raise max_tokens.")
    if len(root.best.measured.text) >= LONGEST_ANSWER:
        notes.append(f"The answer is long: the first {LONGEST_ANSWER} characters of it are kept.")
    if reviewed and not any(review.by == "peer" and not review.problem for review in root.reviews):
        problems = [review.problem for review in root.reviews if review.by == "peer"]
        notes.append(" ".join(["No peer reviewed this answer.", *problems[-1:]]))
    return notes
