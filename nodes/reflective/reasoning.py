"""The reasoning trace of a run: what each node decided, did and found, for people and for later plans.

Nodes call these functions beside `record`. Entries are written when a visit has ended; one that was begun in
a visit that raised waits in this process, and RESPOND settles it. An entry is known by LangGraph's task, so a
node that runs again after a kill replaces what it said before.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.config import get_config

from memory.experience.recollection import read_time
from memory.session_memory import SessionMemory
from memory.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from nodes.reflective.commitments import Missing, told
from nodes.reflective.services import Services
from nodes.reflective.state import Plan, PlanStep, ReasoningState, ReflectionAttempt, StepStatus
from nodes.reflective.traced_files import files_of

OPEN_SESSIONS = 64
SUMMARY_ENTRIES = 10
SHOWN_OUTPUT = 400
_OUTCOMES = {
    StepStatus.SUCCESS: OutcomeStatus.SUCCESS,
    StepStatus.SKIPPED: OutcomeStatus.SKIPPED,
    StepStatus.FAILED: OutcomeStatus.FAILED,
}
_ENDS = {"answered": OutcomeStatus.SUCCESS, "partial": OutcomeStatus.PARTIAL}
_SESSIONS: OrderedDict[tuple[Path, str], SessionMemory] = OrderedDict()


async def planned(
    services: Services, state: ReasoningState, made: Plan | None, context: str, error: str | None
) -> None:
    """Enter a plan, or that there is none."""
    memory = await _opened(services, state)
    if memory is None:
        return
    evidence = []
    if made is not None:
        evidence.append(f"plan from {made.source}" + (f" {made.recipe}" if made.recipe else ""))
    if context:
        evidence.append(f"past runs shown: {context.count(chr(10)) - 1}")
    steps = "; then ".join(step.description for step in made.steps) if made else ""
    memory.add_reasoning_entry(
        ReasoningStage.PLANNING,
        steps or "No plan could be made.",
        entry_id=_entry_id(state, "planning", len(state.reflection_attempts)),
        evidence=evidence,
        outcome=OutcomeStatus.SUCCESS if made else OutcomeStatus.FAILED,
        error=None if made else error,
        commitments=state.commitments,
    )
    await asyncio.to_thread(memory.flush)


async def step_begun(services: Services, state: ReasoningState, step: PlanStep) -> str | None:
    """Enter a step as pending, before its call; gives the entry's id."""
    memory = await _opened(services, state)
    if memory is None:
        return None
    call = step.tool_call
    return memory.add_reasoning_entry(
        ReasoningStage.EXECUTION,
        step.description,
        entry_id=_entry_id(state, "execution", step.num),
        action=call.tool if call else None,
        parameters=call.args if call else {},
        outcome=OutcomeStatus.PENDING,
    )


async def step_done(services: Services, state: ReasoningState, entry: str | None, step: PlanStep) -> None:
    """Enter how a step went, what it showed, and which files it found or changed."""
    memory = await _opened(services, state)
    if memory is None:
        return
    result = step.result
    error = None
    if step.status is StepStatus.FAILED:
        said = (result.error or result.stderr.strip() or result.stdout.strip()) if result else ""
        error = f"exit {result.returncode}: {said}" if result else "it did not run"
    memory.update_reasoning_entry(
        entry,
        # A person may have edited the call.
        parameters=step.tool_call.args if step.tool_call else {},
        outcome=_OUTCOMES.get(step.status, OutcomeStatus.PARTIAL),
        error=error,
        evidence=[f"{result.command}: {result.stdout.strip()[:SHOWN_OUTPUT]}"] if result else [],
        attachments=await asyncio.to_thread(files_of, step, services.root),
    )
    await asyncio.to_thread(memory.flush)


async def reflected(services: Services, state: ReasoningState, attempt: ReflectionAttempt) -> None:
    """Enter a correction: what went wrong, how that was found out, and what to do differently."""
    memory = await _opened(services, state)
    if memory is None:
        return
    replaced = [f"{written} stands for {meant}" for written, meant in attempt.corrections.items()]
    memory.add_reasoning_entry(
        ReasoningStage.CORRECTION,
        attempt.diagnosis,
        entry_id=_entry_id(state, "correction", len(state.reflection_attempts)),
        evidence=[attempt.error, *(f"{probe.command}: {probe.stdout[:200]}" for probe in attempt.probes)],
        corrections=[text for text in (attempt.new_plan_summary, *replaced) if text],
    )
    await asyncio.to_thread(memory.flush)


async def checked(services: Services, state: ReasoningState, findings: Sequence[str]) -> None:
    """Enter a verdict; what does not hold is to be done differently."""
    memory = await _opened(services, state)
    if memory is None:
        return
    memory.add_reasoning_entry(
        ReasoningStage.VERIFICATION,
        "The answer does not hold." if findings else "The answer holds.",
        entry_id=_entry_id(state, "verification", len(state.reflection_attempts)),
        outcome=OutcomeStatus.FAILED if findings else OutcomeStatus.SUCCESS,
        error="; ".join(findings) or None,
        corrections=[f"Make sure of this: {finding}" for finding in findings],
    )
    await asyncio.to_thread(memory.flush)


async def finished(
    services: Services, state: ReasoningState, problem: str | None, missing: Sequence[Missing]
) -> None:
    """Enter the end of a run, and settle what a node that raised left pending."""
    memory = await _opened(services, state)
    if memory is None:
        return
    cut_off = state.failure.what if state.failure else problem or "it was not finished"
    memory.settle_pending(OutcomeStatus.FAILED, cut_off)
    kept = [name for name in state.commitments if name not in dict(missing)]
    memory.add_reasoning_entry(
        ReasoningStage.FINALIZATION,
        f"{state.status}: {state.stop_reason}",
        entry_id=_entry_id(state, "finalization", 0),
        outcome=_ENDS.get(state.status, OutcomeStatus.FAILED),
        error=problem,
        evidence=[*(f"done: {name}" for name in kept), *(f"not done: {told(*item)}" for item in missing)],
    )
    await asyncio.to_thread(memory.flush)


def seconds_since(started: str) -> float | None:
    """Seconds from an ISO time to now; None when it is no readable time."""
    begun = read_time(started)
    return round((datetime.now(UTC) - begun).total_seconds(), 3) if begun else None


async def planner_context(services: Services, state: ReasoningState, examples: str) -> str:
    """What a planner is shown of the past, as `reasoning_trace.context` says: past runs, this session, both.

    Args:
        services: of the run.
        state: of the run.
        examples: past runs as a block, or "".

    Returns:
        At most the examples and `LONGEST_SUMMARY` characters more.
    """
    wanted = services.settings.reasoning_trace.context
    memory = await _opened(services, state) if wanted != "examples" else None
    if memory is None:
        return examples
    summary = memory.get_reasoning_summary(SUMMARY_ENTRIES)
    parts = [summary] if wanted == "trace" else [examples, summary]
    return "\n".join(part for part in parts if part)


async def _opened(services: Services, state: ReasoningState) -> SessionMemory | None:
    """The session's memory as its file has it, at the run's request; None when no trace is kept."""
    if not services.settings.reasoning_trace.enabled:
        return None
    key = (services.root, state.session_id)
    memory = _SESSIONS.pop(key, None)
    if memory is None:
        memory = SessionMemory(enable_reasoning_trace=True, trace=services.trace(state.session_id))
    _SESSIONS[key] = memory
    while len(_SESSIONS) > OPEN_SESSIONS:
        _SESSIONS.popitem(last=False)
    await asyncio.to_thread(memory.refresh)
    memory.start_reasoning_trace(memory.add_interaction(state.goal, _digest(state.session_id, state.started)))
    return memory


def _entry_id(state: ReasoningState, stage: str, ordinal: int) -> str:
    """The id of what a task says, the same when the task runs again after a kill."""
    configurable: dict[str, Any] = get_config().get("configurable", {})
    task = str(configurable.get("__pregel_task_id") or state.started)
    return _digest(state.session_id, task, stage, str(ordinal))


def _digest(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "backslashreplace")
    return hashlib.sha256(text).hexdigest()[:20]
