"""REFLECT: look before judging. Read-only probes, past experience, then a diagnosis that changes the plan."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from memory.events import ReasoningEvent
from models.errors import ModelError, ModelReplyInvalid
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now, progress, record
from nodes.reflective.lookup import Located, is_slip, locate_goal, near_names
from nodes.reflective.model_plan import attempts_text
from nodes.reflective.plan import require_tools
from nodes.reflective.probes import category_of, probes_for, remedy_for
from nodes.reflective.reasoning import reflected
from nodes.reflective.recall import recall
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import (
    PlanStep,
    ReasoningState,
    Recalled,
    ReflectionAttempt,
    Update,
    add_usage,
    dump,
)
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox


class Diagnosis(BaseModel):
    """What a model makes of a failure."""

    model_config = ConfigDict(extra="ignore")

    category: str = Field("other", max_length=60)
    diagnosis: str = Field(min_length=1, max_length=2000)
    fragile: str = Field("", max_length=2000)
    lesson: str = Field("", max_length=2000)
    new_plan_summary: str = Field(min_length=1, max_length=2000)


async def reflect(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Record one reflection attempt; PLAN reads it."""
    services = await services_of(runtime)
    toolbox = require_tools(services)
    step = _culprit(state)
    error = state.last_error or "no error was recorded"
    category = category_of(step, error)
    located = await locate_goal(state.goal_as_corrected(), services, toolbox)
    probes = await _run_probes(category, step, located, services, toolbox)
    attempt = ReflectionAttempt(
        timestamp=now(),
        failed_step=step.num if step else -1,
        error=error,
        category=category,
        failed_call=_failed_call(state, step),
        probes=probes,
    )
    attempt = await _diagnose_by_code(attempt, located, services, toolbox)
    lessons = await recall(f"{state.goal}\n{error}", state, services)
    update: Update = {}
    used: tuple[Recalled, ...] = ()
    if services.models.can_judge("critic"):
        attempt, update = await _diagnose_by_model(state, attempt, step, lessons.text, services)
        used = lessons.used
    progress("reflection", category=category, diagnosis=attempt.diagnosis, corrections=attempt.corrections)
    await record(services, _event(state, attempt, lessons.text if used else "", used), to_global=True)
    await reflected(services, state, attempt)
    return update | dump(
        reflection_count=state.reflection_count + 1,
        reflection_attempts=[*state.reflection_attempts, attempt],
        recalled=[*state.recalled, *used],
        iterations=state.iterations + 1,
    )


def _culprit(state: ReasoningState) -> PlanStep | None:
    """The step that failed; after a failed verification, the last one, whose output did not hold."""
    steps = state.plan.steps if state.plan else []
    return state.plan.step_at(state.current_step_index) or steps[-1] if state.plan and steps else None


def _failed_call(state: ReasoningState, step: PlanStep | None) -> ToolCall | None:
    """The call the next plan must not repeat.

    A remembered plan that found nothing with other values did not fail: it is in doubt, and a planner that
    writes the same call says that it was the right one.
    """
    if step is None:
        return None
    result = step.result
    remembered = state.plan is not None and state.plan.source == "reused"
    if remembered and result is not None and result.ok and not result.stdout.strip():
        return None
    return step.tool_call


async def _run_probes(
    category: str, step: PlanStep | None, located: Located, services: Services, toolbox: Toolbox
) -> list[ToolResult]:
    settings = services.settings.reflect
    if not (settings.enabled and settings.use_shell):
        return []
    calls = [call for call in probes_for(category, step, located) if call.tool in settings.allowed_tools]
    results = []
    for call in calls[: settings.max_commands]:
        result = await toolbox.run(call, timeout=settings.shell_timeout)
        progress("probe", command=result.command, returncode=result.returncode)
        results.append(result.model_copy(update={"stdout": result.stdout[: settings.max_context_chars]}))
    return results


async def _diagnose_by_code(
    attempt: ReflectionAttempt, located: Located, services: Services, toolbox: Toolbox
) -> ReflectionAttempt:
    """A diagnosis from the class of the error; a missing name is compared with the names that exist."""
    corrections: dict[str, str] = {}
    notes = []
    for name in located.whereabouts.missing:
        near = await near_names(name, services, toolbox)
        slips = [path for path in near if is_slip(name, path)]
        if len(slips) == 1:
            corrections[name] = slips[0]
            notes.append(f"{name} does not exist here; {slips[0]} was meant")
        else:
            notes.append(
                f"{name} does not exist here" + (f"; what resembles it: {', '.join(near)}" if near else "")
            )
    diagnosis, summary = remedy_for(attempt.category, attempt.error)
    return attempt.model_copy(
        update={
            "diagnosis": ". ".join(notes) + "." if notes else diagnosis,
            "fragile": "The plan took a name for granted without looking it up." if notes else "",
            "new_plan_summary": f"Use {', '.join(corrections.values())}." if corrections else summary,
            "lesson": f"{attempt.category}: {summary}",
            "corrections": corrections,
        }
    )


async def _diagnose_by_model(
    state: ReasoningState, attempt: ReflectionAttempt, step: PlanStep | None, context: str, services: Services
) -> tuple[ReflectionAttempt, Update]:
    """The critic's diagnosis; what code found out stays in front of it."""
    fence = f"====={secrets.token_hex(8)}====="
    probes = "\n".join(f"$ {probe.command}\n{probe.stdout or probe.stderr}" for probe in attempt.probes)
    prompt = render(
        "reflect",
        goal=state.question,
        step=str(attempt.failed_step),
        description=step.description if step else "",
        command=step.result.command if step and step.result else "",
        error=attempt.error,
        fence=fence,
        probes=probes or "(no probes)",
        experience=context or "(no past experience)",
        attempts=attempts_text(state.reflection_attempts) or "none",
    )
    progress("model_call", role="critic", attempt=1)
    try:
        reply = await services.models.structured(
            "critic", [SystemMessage(prompt), HumanMessage("Diagnose the failure.")], Diagnosis
        )
    except ModelReplyInvalid as invalid:
        return attempt, dump(usage=add_usage(state, "critic", invalid.usage))
    except ModelError as error:
        # What code found out is a diagnosis of its own; the run goes on with it and says so.
        return attempt, dump(notes=[*state.notes, f"The critic did not answer: {error}"])
    found = reply.value
    merged = attempt.model_copy(
        update={
            "diagnosis": f"{attempt.diagnosis} {found.diagnosis}".strip(),
            "fragile": found.fragile or attempt.fragile,
            "lesson": found.lesson or attempt.lesson,
            "new_plan_summary": f"{attempt.new_plan_summary} {found.new_plan_summary}".strip(),
        }
    )
    return merged, dump(usage=add_usage(state, "critic", reply.usage))


def _event(
    state: ReasoningState, attempt: ReflectionAttempt, context: str, used: Sequence[Recalled]
) -> ReasoningEvent:
    return ReasoningEvent(
        timestamp=attempt.timestamp,
        session_id=state.session_id,
        event_type="reflection",
        goal=state.goal,
        step_num=attempt.failed_step,
        error=attempt.error,
        llm_critique=attempt.diagnosis,
        context_used=context or None,
        outcome_status="failure",
        meta={
            "category": attempt.category,
            "lesson": attempt.lesson,
            "next": attempt.new_plan_summary,
            "corrections": attempt.corrections,
            "key": state.asked.key if state.asked else None,
            "used": [hit.model_dump(mode="json") for hit in used],
        },
    )
