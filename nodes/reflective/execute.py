"""EXECUTE: one step a visit, so each step is a checkpoint. Tool results decide what succeeded."""

from __future__ import annotations

import asyncio

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from memory.errors import EffectInProgress, ThreadElsewhere, ThreadTaken
from memory.events import ReasoningEvent
from nodes.errors import AfterChange, LeftToAnother, NotInGraph, PlanInvalid
from nodes.reflective.commitments import still_owed
from nodes.reflective.context import RunContext
from nodes.reflective.draft import draft_answer
from nodes.reflective.effects import effects_of
from nodes.reflective.emit import now, progress, record
from nodes.reflective.kept import until_kept
from nodes.reflective.lookup import forget_lookups
from nodes.reflective.plan import require_tools
from nodes.reflective.reasoning import step_begun, step_done
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import Evidence, Plan, PlanStep, ReasoningState, StepStatus, Update, dump
from nodes.reflective.step_retry import word_anew
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

SHOWN_LINES = 3


async def execute(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Run the current step; after the last one, draft the answer."""
    services = await services_of(runtime)
    toolbox = require_tools(services)
    plan = state.plan
    step = plan.step_at(state.current_step_index) if plan else None
    if plan is None or step is None:
        return dump(
            iterations=state.iterations + 1, stop_reason="no_plan", last_error="There is no step to run."
        )
    if step.status is StepStatus.FAILED:
        # Never as it stands: only loop_v1 comes back to a failed step.
        return await word_anew(state, plan, step, state.last_error or failure_text(step), services, toolbox)
    if step.tool_call is not None and toolbox.writes(step.tool_call):
        try:
            return await _visit(state, plan, step, services, toolbox, runtime)
        except GraphBubbleUp:
            raise
        except (ThreadTaken, ThreadElsewhere, EffectInProgress) as error:
            raise LeftToAnother(error.what, error.remedy) from error
        except Exception as error:
            raise AfterChange(error) from error
    return await _visit(state, plan, step, services, toolbox, runtime)


async def _visit(
    state: ReasoningState,
    plan: Plan,
    step: PlanStep,
    services: Services,
    toolbox: Toolbox,
    runtime: Runtime[RunContext],
) -> Update:
    """What the state learns from running one step."""
    made: Update = {}
    forget_lookups(services)
    entry = await step_begun(services, state, step)
    if step.tool_call is not None and toolbox.writes(step.tool_call):
        done, made = await change_step(step, step.tool_call, plan, state, runtime)
    else:
        done = await run_step(step, plan, toolbox, services)
    await record(services, step_event(state, done))
    await step_done(services, state, entry, done)
    plan = plan.model_copy(
        update={"steps": [done if other.num == done.num else other for other in plan.steps]}
    )
    evidence = [*state.evidence, *_evidence(done)]
    update = {"plan": plan, "evidence": evidence, "iterations": state.iterations + 1, **made}
    if done.status is StepStatus.FAILED:
        return dump(**update, last_error=failure_text(done))
    update |= {
        "current_step_index": plan.next_index(state.current_step_index + 1),
        "completed": [*state.completed, done],
        "last_error": None,
    }
    if not plan.is_complete:
        return dump(**update)
    progressed = state.model_copy(update=update)
    return dump(**update) | await draft_answer(progressed, services, toolbox)


async def change_step(
    step: PlanStep, call: ToolCall, plan: Plan, state: ReasoningState, runtime: Runtime[RunContext]
) -> tuple[PlanStep, Update]:
    """A copy of a writing step with its result, and what else the state learns.

    Raises:
        PlanInvalid: the goal asks for no change, so no plan may hold one.
    """
    if not state.asks_for_change:
        raise PlanInvalid(
            f"Step {step.num} would change something, which the goal does not ask for.",
            "Ask for the change in so many words.",
        )
    services = await services_of(runtime)
    progress("step", num=step.num, of=len(plan.steps), description=step.description)
    info = runtime.execution_info
    if info is None:
        raise NotInGraph(
            "A change can only be made inside a run of the graph.", "Run the graph instead of the node."
        )
    toolbox = require_tools(services)
    await until_kept(info.checkpoint_id)
    effects = effects_of(services, toolbox, state, info.task_id)
    outcome = await effects.make(step, call)
    result = outcome.result
    status = StepStatus.SUCCESS if result.ok else StepStatus.FAILED
    status = StepStatus.SKIPPED if outcome.planned_only else status
    progress(
        "step_done", num=step.num, status=status.value, command=result.command, returncode=result.returncode
    )
    update: Update = {
        "notes": [*state.notes, *outcome.notes],
        "commitments": still_owed(state.commitments, call, outcome.call),
    }
    if outcome.always:
        update["allowed_tools"] = [*state.allowed_tools, call.tool]
    if outcome.rejected:
        update["stop_reason"] = "user_abort"
    if result.error_kind == "interrupted":
        # A person must look before anything else is tried: another plan might do it a second time.
        update["stop_reason"] = "interrupted"
    return step.model_copy(update={"status": status, "result": result, "tool_call": outcome.call}), update


async def run_step(step: PlanStep, plan: Plan, toolbox: Toolbox, services: Services) -> PlanStep:
    """A copy of a step that only reads, with its result and status.

    Raises:
        PlanInvalid: it would change something; `change_step` is the one way to do that.
    """
    progress("step", num=step.num, of=len(plan.steps), description=step.description)
    if step.tool_call is None:
        return step.model_copy(update={"status": StepStatus.SUCCESS})
    if toolbox.writes(step.tool_call):
        raise PlanInvalid(
            f"Step {step.num} would change something without being shown, written down or approved.",
            "Let the goal be planned: its complexity is to be moderate or complex.",
        )
    if step.expect_text is not None and any(other.status is StepStatus.SKIPPED for other in plan.steps):
        return step.model_copy(update={"status": StepStatus.SKIPPED})  # of a change that was only shown
    source = next((other for other in plan.steps if other.num == step.input_from), None)
    stdin = (
        (await asyncio.to_thread(toolbox.full_output, source.result)) if source and source.result else None
    )
    result = await toolbox.run(step.tool_call, stdin=stdin, timeout=services.settings.graph.timeout_per_step)
    status = StepStatus.SUCCESS if succeeded(step, result) else StepStatus.FAILED
    progress(
        "step_done", num=step.num, status=status.value, command=result.command, returncode=result.returncode
    )
    return step.model_copy(update={"status": status, "result": result})


def succeeded(step: PlanStep, result: ToolResult) -> bool:
    """Decided by exit codes, errors, cuts and declared expectations; never by what text says."""
    if result.error is not None or result.truncated or result.returncode not in step.expect_exit:
        return False
    if step.expect_text is not None:
        return result.stdout.strip() == step.expect_text.strip()
    return bool(result.stdout.strip()) or not step.expect_output


def failure_text(step: PlanStep) -> str:
    """Why a step failed: the first lines of what it said, for a tool may complain about every file."""
    result = step.result
    if result is None:
        return f"Step {step.num} did not run."
    reason = result.error or result.stderr.strip() or _silent_failure(step, result)
    lines = reason.splitlines()
    more = f"\n... and {len(lines) - SHOWN_LINES} more lines" if len(lines) > SHOWN_LINES else ""
    shown = "\n".join(lines[:SHOWN_LINES])
    return f"Step {step.num} failed (exit {result.returncode}): {shown}{more}"


def _silent_failure(step: PlanStep, result: ToolResult) -> str:
    if result.truncated:
        return "its output was cut at the limit, so it cannot be relied on"
    if step.expect_text is not None:
        return "what it found is not what the change should have made"
    return "it printed nothing" if step.expect_output and not result.stdout.strip() else "it gave no reason"


def _evidence(step: PlanStep) -> list[Evidence]:
    result = step.result
    if result is None or result.returncode < 0:
        return []
    return [
        Evidence(
            source="tool",
            step=step.num,
            command=result.command,
            text=result.stdout,
            returncode=result.returncode,
            artifact=result.artifact,
        )
    ]


def step_event(state: ReasoningState, step: PlanStep) -> ReasoningEvent:
    """What the corpus keeps of an executed step."""
    result = step.result
    return ReasoningEvent(
        timestamp=now(),
        session_id=state.session_id,
        event_type="execution",
        goal=state.goal,
        step_num=step.num,
        step_description=step.description,
        tool=step.tool_call.tool if step.tool_call else None,
        tool_input=result.command if result else None,
        outcome_status="success" if step.status is StepStatus.SUCCESS else "failure",
        stdout=result.stdout if result else None,
        stderr=result.stderr if result else None,
        returncode=result.returncode if result else None,
        error=failure_text(step) if step.status is StepStatus.FAILED else None,
    )
