"""RESPOND: the one way out. Says what was found and what it rests on, or what was tried and why it failed."""

from __future__ import annotations

import asyncio
import logging

from langgraph.runtime import Runtime
from langgraph.types import Command

from configs.calibration import load_calibration
from configs.errors import ReflectError
from models.telemetry.counters import recovered
from nodes.reflective.commitments import Missing, hold_to_promises, with_missing
from nodes.reflective.confidence import assess
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.follow_up import with_turn
from nodes.reflective.grounding import ungrounded
from nodes.reflective.learn import learn
from nodes.reflective.probes import category_of
from nodes.reflective.reasoning import finished
from nodes.reflective.review import Review, correction, may_correct, needs_review, reviewed
from nodes.reflective.services import close_models, services_of
from nodes.reflective.state import (
    PlanStep,
    ReasoningState,
    Status,
    StepStatus,
    StopReason,
    TaskComplexity,
    Update,
    dump,
)
from nodes.reflective.verify import code_findings, must_verify, seen_by
from tools.protocol import ToolCall, ToolResult
from tools.writing.plan import displayed

log = logging.getLogger(__name__)
STATUS: dict[StopReason, Status] = {
    "success": "answered",
    "bypass": "answered",
    "partial_success": "partial",
    "dry_run": "partial",
    "timeout": "error",
    "error": "error",
}
INCONCLUSIVE = "(Found by words of the question; whether they answer it is for you to judge.)"
BY_SMALL_MODEL = "(A small model chose this command; whether it answers is for you to judge.)"
UNWORDED = "(The output as it is: no wording of it held, so whether it answers is for you to judge.)"
UNJUDGED = "(Whether this is the change you asked for is for you to judge.)"
UNDONE = "(A dry run: nothing was changed.)"
UNCHECKED = "(From the model's own knowledge; nothing was looked up.)"
ACCEPTED = "You accepted this answer."
PARTIAL_CHARS = 1500


async def respond(state: ReasoningState, runtime: Runtime[RunContext]) -> Update | Command[str]:
    """Write the final answer and the run's `respond` event; a person may have to see the answer first."""
    reason, problem = decide(state)
    reason, problem, missing = await hold_to_promises(state, reason, problem, runtime)
    status = status_of(state, reason)
    held = status in ("answered", "partial")
    made = await _changes_made(state, runtime)
    answer = _success_text(state, reason, made) if held else _failure_text(state, reason, problem, made)
    answer = with_missing(answer, reason, missing)
    confidence, assessment = assess(state, status, await asyncio.to_thread(load_calibration))
    if needs_review(state, reason, confidence, await _pause_below(state, runtime)):
        review = reviewed(state, answer, confidence)
        if review.decision == "instead" and may_correct(state):
            return Command(update=_planned_anew(state, review.instead), goto="plan")
        if review.decision == "accept":
            state = state.model_copy(update={"notes": [*state.notes, ACCEPTED]})
        else:
            reason, problem, status = "user_abort", _why_rejected(review), "could_not"
            answer = _failure_text(state, reason, problem, made)
            confidence, assessment = 0.0, None
    final = state.model_copy(
        update={"final_answer": answer, "status": status, "stop_reason": reason, "confidence": confidence}
    )
    progress("answer", status=status, stop_reason=reason)
    _count_recoveries(final)
    notes = [*state.notes, *await _remember(final, problem, missing, runtime)]
    notes += await close_models(runtime)
    return dump(
        final_answer=answer,
        status=status,
        stop_reason=reason,
        confidence=confidence,
        assessment=assessment,
        last_error=problem,
        notes=notes,
        turns=with_turn(state, answer, status),
        iterations=state.iterations + 1,
    )


def _count_recoveries(state: ReasoningState) -> None:
    """Tell telemetry what an answer was owed to beside the first plan."""
    if state.status != "answered":
        return
    if state.reflection_count:
        recovered("reflection")
    if any(step.tries for step in _steps(state)):
        recovered("step_retry")


def status_of(state: ReasoningState, reason: StopReason) -> Status:
    """What a caller is told of a run that stops for a reason; a word nobody relies on is no whole answer."""
    if reason == "bypass" and state.doubtful:
        return "partial"
    return STATUS.get(reason, "could_not")


async def _pause_below(state: ReasoningState, runtime: Runtime[RunContext]) -> float | None:
    """The setting; None for a run that failed, and where settings cannot be read any more."""
    if state.failure is not None:
        return None
    try:
        services = await services_of(runtime)
    except ReflectError:
        return None  # the answer is given, and `_remember` says what is wrong
    return services.settings.reasoning.pause_below


def _planned_anew(state: ReasoningState, said: str) -> Update:
    """The state with which PLAN begins after a person's correction."""
    answered_at_once = state.complexity in (TaskComplexity.BYPASS, TaskComplexity.SIMPLE)
    return dump(
        reflection_attempts=[*state.reflection_attempts, correction(state, said)],
        complexity=TaskComplexity.MODERATE if answered_at_once else state.complexity,
        draft_answer=None,
        verified=False,
        judged=False,
        confidence=None,
        last_error=None,
        stop_reason=None,
        iterations=state.iterations + 1,
    )


def _why_rejected(review: Review) -> str:
    if review.decision == "instead":
        return (
            f"You did not take the answer, and no further plan is in the budget. You said: {review.instead}"
        )
    return f"You rejected the answer{f': {review.reason}' if review.reason else '.'}"


def decide(state: ReasoningState) -> tuple[StopReason, str | None]:
    """Why the run stopped, judged from what happened rather than from what a node claimed.

    Returns:
        The stop reason, and the problem when it is not a success.
    """
    if state.failure is not None:
        return ("timeout" if state.stop_reason == "timeout" else "error"), state.failure.what
    if state.complexity is TaskComplexity.BYPASS:
        if state.stop_reason == "verification_failed":
            return "verification_failed", state.last_error
        answered = bool((state.draft_answer or "").strip())
        return ("bypass", None) if answered else ("error", state.last_error or "The model gave no answer.")
    if state.stop_reason not in (None, "success", "bypass", "partial_success"):
        return state.stop_reason, state.last_error
    if state.last_error is not None:
        failed_step = (
            any(step.status is StepStatus.FAILED for step in state.plan.steps) if state.plan else False
        )
        return ("max_reflections" if failed_step else "verification_failed"), state.last_error
    if state.plan is None or not state.plan.is_complete:
        return "max_iterations", "The plan was not finished within the limit of graph steps."
    findings = code_findings(state)
    if findings:
        return "verification_failed", "; ".join(findings)
    if must_verify(state) and not state.verified:
        return "max_iterations", "The answer was not verified within the limit of graph steps."
    if any(step.status is StepStatus.SKIPPED for step in state.plan.steps):
        return "dry_run", None
    # An output nobody could word, passed by a verifier that does not say what the answer is, is shown only.
    whole = state.plan.conclusive and not state.doubtful
    return ("success" if whole else "partial_success"), None


def _success_text(state: ReasoningState, reason: StopReason, made: list[str]) -> str:
    text = (state.draft_answer or "").strip()
    earlier = [line for line in made if line not in text.splitlines()]
    if earlier:
        text = "\n".join([text, "", "Changed on the way as well:", *earlier])
    if state.complexity is TaskComplexity.BYPASS:
        return f"{text}\n\n{UNCHECKED}"
    if reason == "dry_run":
        return text if made else f"{text}\n\n{UNDONE}"
    if state.plan is None or not (state.doubtful or not state.plan.conclusive):
        return text
    shown = BY_SMALL_MODEL if state.plan.source == "model" else INCONCLUSIVE
    doubt = shown if not state.plan.conclusive else UNWORDED
    return f"{text}\n\n{UNJUDGED if state.asks_for_change else doubt}"


def _failure_text(state: ReasoningState, reason: StopReason, problem: str | None, made: list[str]) -> str:
    changes = state.asks_for_change
    verb = "finish" if changes else "answer"
    parts = [f"I could not {verb} this. {problem or ''}".strip()]
    if changes:
        parts.append("\n".join(["What was changed before:", *made]) if made else "Nothing was changed.")
    if state.failure is not None and state.failure.remedy:
        parts.append(state.failure.remedy)
    if state.reflection_attempts:
        tried = [
            f"{number}. {attempt.error}\n   Diagnosis: {attempt.diagnosis}"
            for number, attempt in enumerate(state.reflection_attempts, start=1)
        ]
        parts.append("What was tried:\n" + "\n".join(tried))
    parts += _calls_tried(state)
    if reason == "verification_failed" and state.draft_answer and state.evidence:
        parts.append(f"What the tools printed, not confirmed to answer the goal:\n{_printed(state)}")
    parts += filter(None, [_recommendation(state, reason)])
    return "\n\n".join(parts)


def _calls_tried(state: ReasoningState) -> list[str]:
    """Where a failed step was worded anew: each call that failed, and why."""
    tried = [
        f"- {one.call.args.get('command') or displayed(one.call)}: {one.error}"
        for step in _steps(state)
        for one in step.tries
    ]
    return ["\n".join(["What was tried:", *tried])] if tried else []


def _steps(state: ReasoningState) -> list[PlanStep]:
    return state.plan.steps if state.plan else []


def _printed(state: ReasoningState) -> str:
    """The draft where every fact of it was printed, else what the last tool printed itself."""
    draft = state.draft_answer or ""
    if ungrounded(draft, seen_by(state)):
        draft = next(
            (item.text.strip() for item in reversed(state.evidence) if item.text.strip()), "(nothing)"
        )
    return draft[:PARTIAL_CHARS]


async def _changes_made(state: ReasoningState, runtime: Runtime[RunContext]) -> list[str]:
    """A line for each change this run made or may have made, from the journal: no plan forgets one.

    Without a journal that can be read, every change is in doubt, and that is the line.
    """
    if not state.asks_for_change:
        return []
    try:
        services = await services_of(runtime)
        effects = await asyncio.to_thread(services.journal.of_run, state.session_id, state.started)
    except ReflectError as error:
        return [f"- (what was changed is not known: {error.what})"]
    lines = []
    for effect in effects:
        call = ToolCall.model_validate(effect.call)
        result = ToolResult.model_validate(effect.result) if effect.result is not None else None
        if result is not None and result.ok:
            lines.append(f"- {displayed(call)}")
        elif result is None or result.returncode >= 0 or result.error_kind in MAYBE_DONE:
            lines.append(f"- {displayed(call)} (perhaps, or in part)")
    return lines


# Kinds of error after which something may have been changed all the same.
MAYBE_DONE = ("interrupted", "partial", "timeout", "output_cap")
RECOMMENDATIONS = {
    "missing_path": "Check the name, or ask for a list of the files first.",
    "permission": "Run as a user who may read these files, or choose another root.",
    "not_a_repository": "Choose a root that is a git repository with commits.",
    "timeout": "Ask about a smaller directory, or raise graph.timeout_per_step.",
    "output_cap": "Ask for a count or a ranking, or raise tools.max_output_bytes.",
    "unknown_option": "Use a larger model with --model; this one writes options that the tools do not have.",
    "refused": "Only reading tools below the root are allowed; ask for what they can find.",
    "empty_output": "Nothing was found: check the spelling, or ask for similar names or texts.",
}


def _recommendation(state: ReasoningState, reason: StopReason) -> str:
    # The class that failed most often; of several the latest. Without reflections, that of the last error.
    tried = [attempt.category for attempt in reversed(state.reflection_attempts)]
    known = [name for name in tried or [category_of(None, state.last_error or "")] if name in RECOMMENDATIONS]
    if known and state.failure is None:
        return RECOMMENDATIONS[max(dict.fromkeys(known), key=known.count)]
    if reason == "no_plan" and state.failure is None and state.question:
        return "Say it in other words, name files or texts exactly, or use a larger model with --model."
    return ""


async def _remember(
    state: ReasoningState, problem: str | None, missing: list[Missing], runtime: Runtime[RunContext]
) -> list[str]:
    """Write down what the run teaches; an answer is not withheld because it cannot be remembered.

    Returns:
        What kept memory from working, for the reader.
    """
    try:
        services = await services_of(runtime)
        await learn(state, problem, missing, services)
        await finished(services, state, problem, missing)
    except ReflectError as error:
        log.warning("the run was not remembered: %s", error)
        return [f"This run was not remembered: {error}"]
    experience = services.experience
    return await asyncio.to_thread(experience.problems) if experience is not None else []
