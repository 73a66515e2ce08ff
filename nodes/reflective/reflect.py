"""REFLECT: look before judging. Read-only probes, past experience, then a diagnosis that changes the plan."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from memory.events import ReasoningEvent
from models.errors import ModelError, ModelReplyInvalid
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now, progress, record, thought
from nodes.reflective.lookup import Located, is_slip, locate_goal, near_names
from nodes.reflective.plan import require_tools
from nodes.reflective.probes import (
    REMEDIES,
    Wanted,
    category_of,
    nearest_parent,
    paths_in_error,
    probes_for,
    remedy_for,
)
from nodes.reflective.reasoning import reflected
from nodes.reflective.recall import recall
from nodes.reflective.replanning import attempts_text
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import (
    PlanStep,
    ReasoningState,
    Recalled,
    ReflectionAttempt,
    Update,
    add_usage,
    cut_note,
    dump,
)
from tools.errors import ToolError
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox


class Diagnosis(BaseModel):
    """What a model makes of a failure, and what it would have to see to tell more."""

    model_config = ConfigDict(extra="ignore")

    category: str = Field("other", max_length=60)
    diagnosis: str = Field(min_length=1, max_length=2000)
    fragile: str = Field("", max_length=2000)
    lesson: str = Field("", max_length=2000)
    new_plan_summary: str = Field(min_length=1, max_length=2000)
    commands: Wanted = Field(default_factory=list)


async def reflect(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Record one reflection attempt; PLAN reads it."""
    services = await services_of(runtime)
    toolbox = require_tools(services)
    located = await locate_goal(state.goal_as_corrected(), services, toolbox)
    return await reflection(state, services, toolbox, located)


async def reflection(state: ReasoningState, services: Services, toolbox: Toolbox, located: Located) -> Update:
    """One reflection as an update of the state: look, diagnose, record.

    Args:
        state: of the run, with `last_error` and the plan that failed.
        services: of the run.
        toolbox: its tools.
        located: the goal as corrected, its names looked up.
    """
    step = _culprit(state)
    attempt = await looked_at(state, step, services, toolbox, located)
    lessons = await recall(f"{state.goal}\n{attempt.error}", state, services)
    update: Update = {}
    used: tuple[Recalled, ...] = ()
    if services.models.can_judge("critic"):
        used = lessons.used
        attempt, update = await _diagnose_by_model(state, attempt, step, lessons.text, services, toolbox)
    progress(
        "reflection", category=attempt.category, diagnosis=attempt.diagnosis, corrections=attempt.corrections
    )
    await record(services, _event(state, attempt, lessons.text if used else "", used), to_global=True)
    await reflected(services, state, attempt)
    return update | dump(
        reflection_count=state.reflection_count + 1,
        reflection_attempts=[*state.reflection_attempts, attempt],
        recalled=[*state.recalled, *used],
        iterations=state.iterations + 1,
    )


async def looked_at(
    state: ReasoningState, step: PlanStep | None, services: Services, toolbox: Toolbox, located: Located
) -> ReflectionAttempt:
    """The failure with what code finds out about it: its class, default probes, names that resemble."""
    error = state.last_error or "no error was recorded"
    category = category_of(step, error)
    paths = [*paths_in_error(error), *located.whereabouts.missing]
    parents = [await asyncio.to_thread(nearest_parent, toolbox.root, path) for path in paths]
    failed = _failed_call(state, step)
    attempt = ReflectionAttempt(
        timestamp=now(),
        failed_step=step.num if step else -1,
        error=error,
        category=category,
        failed_call=failed,
        failed_plan=_failed_plan(state, failed),
        probes=await run_probes(probes_for(category, step, located, parents), [], services, toolbox),
    )
    return await _diagnose_by_code(attempt, located, services, toolbox)


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


def _failed_plan(state: ReasoningState, failed: ToolCall | None) -> list[ToolCall]:
    """The calls of the plan that failed, unless none of them is to blame."""
    steps = state.plan.steps if state.plan and failed else []
    return [step.tool_call for step in steps if step.tool_call is not None]


async def run_probes(
    calls: Sequence[ToolCall], before: Sequence[ToolResult], services: Services, toolbox: Toolbox
) -> list[ToolResult]:
    """What read-only calls show: those the settings allow, as many as are left; the others are passed over.

    Args:
        calls: what is wanted, most telling first.
        before: probes of this reflection that were run already.
        services: of the run.
        toolbox: its tools; it refuses whatever does not merely read.
    """
    settings = services.settings.reflect
    if not (settings.enabled and settings.use_shell):
        return []
    results: list[ToolResult] = []
    asked = set()
    for call in calls:
        sign = toolbox.signature(call)
        if len(before) + len(results) >= settings.max_commands or sign in asked:
            continue
        asked.add(sign)
        if not may_probe(call, settings.allowed_tools, toolbox):
            continue
        result = await toolbox.run(call, timeout=settings.shell_timeout)
        progress("probe", command=result.command, returncode=result.returncode)
        results.append(
            result.model_copy(
                update={
                    "stdout": result.stdout[: settings.max_context_chars],
                    "stderr": result.stderr[: settings.max_context_chars],
                }
            )
        )
    return results


def may_probe(call: ToolCall, allowed: Sequence[str], toolbox: Toolbox) -> bool:
    """True if every program of a call only reads and is one of the allowed tools."""
    if toolbox.writes(call):
        return False
    try:
        return set(toolbox.programs(call)) <= set(allowed)
    except ToolError:
        return False  # a model's probe that the tools refuse is passed over


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
    state: ReasoningState,
    attempt: ReflectionAttempt,
    step: PlanStep | None,
    context: str,
    services: Services,
    toolbox: Toolbox,
) -> tuple[ReflectionAttempt, Update]:
    """The critic's diagnosis; what code found out stays in front of it.

    A critic that asks for probes is asked again with their output in view; if that yields nothing, its first
    diagnosis stands.
    """
    usage, notes = state.usage, list(state.notes)
    found: Diagnosis | None = None
    for round_ in (1, 2):
        progress("model_call", role="critic", attempt=round_)
        messages = _critic_messages(state, attempt, step, context, services, first=round_ == 1)
        try:
            reply = await services.models.structured("critic", messages, Diagnosis)
        except ModelReplyInvalid as invalid:
            usage = add_usage(state.model_copy(update={"usage": usage}), "critic", invalid.usage)
            notes = cut_note(notes, "critic", invalid.cut)
            break
        except ModelError as error:
            # What code found out is a diagnosis of its own; the run goes on with it and says so.
            notes.append(f"The critic did not answer: {error}")
            if error.usage is not None:
                usage = add_usage(state.model_copy(update={"usage": usage}), "critic", error.usage)
            break
        usage = add_usage(state.model_copy(update={"usage": usage}), "critic", reply.usage)
        notes = cut_note(notes, "critic", reply.cut)
        thought("critic", reply.thinking)
        found = reply.value
        wanted = [ToolCall(tool="command", args={"command": text}) for text in found.commands]
        more = await run_probes(_unseen(wanted, attempt, state, toolbox), attempt.probes, services, toolbox)
        if round_ == 2 or not more:
            break
        attempt = attempt.model_copy(update={"probes": [*attempt.probes, *more]})
    return _merged(attempt, found), dump(usage=usage, notes=notes)


def _unseen(
    wanted: Sequence[ToolCall], attempt: ReflectionAttempt, state: ReasoningState, toolbox: Toolbox
) -> list[ToolCall]:
    """Wanted calls whose output is not known: not the one that failed, nor what the plan ran."""
    steps = [*state.completed, *(state.plan.steps if state.plan else [])]
    calls = [attempt.failed_call, *(step.tool_call for step in steps if step.result is not None)]
    known = {toolbox.signature(call) for call in calls if call is not None}
    return [call for call in wanted if toolbox.signature(call) not in known]


def _merged(attempt: ReflectionAttempt, found: Diagnosis | None) -> ReflectionAttempt:
    if found is None:
        return attempt
    # The class of the error decides probes and recommendations, so a model only names it where code cannot.
    named = re.sub(r"\W+", "_", found.category.strip().lower()).strip("_")
    unclear = attempt.category == "other" and named in REMEDIES
    return attempt.model_copy(
        update={
            "category": named if unclear else attempt.category,
            "diagnosis": f"{attempt.diagnosis} {found.diagnosis}".strip(),
            "fragile": found.fragile or attempt.fragile,
            "lesson": found.lesson or attempt.lesson,
            "new_plan_summary": f"{attempt.new_plan_summary} {found.new_plan_summary}".strip(),
        }
    )


def _critic_messages(
    state: ReasoningState,
    attempt: ReflectionAttempt,
    step: PlanStep | None,
    context: str,
    services: Services,
    *,
    first: bool,
) -> list[BaseMessage]:
    settings = services.settings.reflect
    left = settings.max_commands - len(attempt.probes) if settings.use_shell and first else 0
    fence = f"====={secrets.token_hex(8)}====="
    probes = "\n".join(
        f"$ {probe.command}\n{probe.stdout or probe.stderr or probe.error or '(nothing)'}"
        for probe in attempt.probes
    )
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
        categories=", ".join(REMEDIES),
        commands=(
            f"at most {left} read-only commands whose output you must see before you can tell, each one tool "
            f"or a pipeline of {', '.join(settings.allowed_tools)}; [] if you can tell now"
            if left > 0
            else "[]"
        ),
    )
    return [SystemMessage(prompt), HumanMessage("Diagnose the failure.")]


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
