"""A failed step, worded anew by the planner: how loop_v1 tries again, where nothing reflects.

Its visit to EXECUTE ends with the new wording, so that the step is a checkpoint before it runs: a change that
waits for an approval would otherwise be worded once more when the answer comes.
"""

from __future__ import annotations

import secrets

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from configs.prompting import render
from models.errors import ModelReplyInvalid
from nodes.errors import PlanInvalid
from nodes.reflective.change_plan import ChangeDraft, ChangeStep, check_change
from nodes.reflective.emit import now, progress, record
from nodes.reflective.lookup import Located, locate_goal
from nodes.reflective.model_plan import DraftStep, PlanDraft, check_draft
from nodes.reflective.plan import plan_event
from nodes.reflective.reasoning import planned
from nodes.reflective.respond import MAYBE_DONE
from nodes.reflective.services import Services
from nodes.reflective.state import (
    Plan,
    PlanStep,
    ReasoningState,
    ReflectionAttempt,
    StepTry,
    Update,
    add_usage,
    dump,
)
from tools.mcp.wording import as_command
from tools.toolbox import Toolbox
from tools.writing.arguments import WRITERS

SHOWN_ERROR = 1000


def may_have_changed(step: PlanStep, changes: bool) -> bool:
    """True if a failed step may have changed something all the same, so that it is never tried again.

    Args:
        step: the step.
        changes: the goal asks for a change; only then may a server's tool, which has a dot in its name, be
            one that does not merely read.
    """
    tool = step.tool_call.tool if step.tool_call else ""
    if tool not in WRITERS and not (changes and "." in tool):
        return False
    result = step.result
    return result is None or result.returncode >= 0 or result.error_kind in MAYBE_DONE


async def word_anew(
    state: ReasoningState, plan: Plan, step: PlanStep, error: str, services: Services, toolbox: Toolbox
) -> Update:
    """The plan with another call in the failed step's place, still to be run; else why the run ends.

    Args:
        state: the run.
        plan: its plan.
        step: the step that failed.
        error: why.
        services: of the run.
        toolbox: its tools.
    """
    tries = [*step.tries, *([StepTry(call=step.tool_call, error=error)] if step.tool_call else [])]
    located = await locate_goal(state.goal_as_corrected(), services, toolbox)
    await toolbox.servers.look()
    made: PlanStep | None = None
    refusal = ""
    for attempt in range(services.settings.graph.max_plan_retries + 1):
        progress("model_call", role="planner", attempt=attempt + 1)
        schema: type[DraftStep] | type[ChangeStep] = ChangeStep if state.asks_for_change else DraftStep
        try:
            messages = _messages(state, plan, step, tries, toolbox, refusal)
            reply = await services.models.structured("planner", messages, schema)
            state = state.model_copy(update={"usage": add_usage(state, "planner", reply.usage)})
            strict = not services.models.can_judge("verifier")
            made = _checked(reply.value, state, plan, step, tries, located, toolbox, strict=strict)
            break
        except ModelReplyInvalid as invalid:
            state = state.model_copy(update={"usage": add_usage(state, "planner", invalid.usage)})
            refusal = str(invalid)
        except PlanInvalid as invalid:
            refusal = str(invalid)
        progress("plan_refused", error=refusal)
    base = {"usage": state.usage, "iterations": state.iterations + 1}
    again = _with(plan, made) if made is not None else None
    await record(services, plan_event(state, again, "", refusal, ()))
    await planned(services, state, again, "", refusal)
    if again is None:
        note = f"No other call was found for step {step.num}: {refusal}"
        return dump(**base, stop_reason="max_reflections", notes=[*state.notes, note])
    progress("plan", source=again.source, recipe=None, steps=[other.description for other in again.steps])
    return dump(**base, plan=again, last_error=None, verified=False)


def _with(plan: Plan, made: PlanStep) -> Plan:
    """The plan with another step; what a model wrote into it makes it a model's plan, which is verified."""
    steps = [made if step.num == made.num else step for step in plan.steps]
    return plan.model_copy(update={"steps": steps, "source": "model", "reused_from": None})


def _messages(
    state: ReasoningState,
    plan: Plan,
    step: PlanStep,
    tries: list[StepTry],
    toolbox: Toolbox,
    refusal: str,
) -> list[BaseMessage]:
    slots = {
        "tools": toolbox.describe(),
        "plan": "\n".join(f"{one.num}. {one.description}: {_call_text(one)}" for one in plan.steps),
        "step": str(step.num),
        "fence": f"====={secrets.token_hex(8)}=====",
        "tries": "\n".join(f"{one.call.model_dump_json()}\n{one.error[:SHOWN_ERROR]}" for one in tries),
        "error": f"\nYour last step was refused: {refusal}" if refusal else "",
    }
    if state.asks_for_change:
        slots |= {"tools": toolbox.describe_writers(), "readers": toolbox.describe()}
        return [SystemMessage(render("retry_change", **slots)), HumanMessage(state.question)]
    return [SystemMessage(render("retry_step", **slots)), HumanMessage(state.goal_as_corrected())]


def _checked(
    draft: DraftStep | ChangeStep,
    state: ReasoningState,
    plan: Plan,
    step: PlanStep,
    tries: list[StepTry],
    located: Located,
    toolbox: Toolbox,
    *,
    strict: bool,
) -> PlanStep:
    """The draft as a step, after the whole plan passed the checks of a plan with it in its place.

    Raises:
        PlanInvalid: the plan fails one, or the call was tried before.
    """
    failed = [
        ReflectionAttempt(timestamp=now(), failed_step=step.num, error=one.error, failed_call=one.call)
        for one in tries
    ]
    # Steps of this plan that are done stay in it, and are no repeats of themselves.
    judged = state.model_copy(update={"reflection_attempts": failed, "completed": []})
    if isinstance(draft, ChangeStep):
        changes = [draft if one.num == step.num else _change_draft(one) for one in plan.steps]
        whole = check_change(ChangeDraft(steps=changes), judged, located, toolbox)
    else:
        steps = [draft if one.num == step.num else _draft(one, toolbox) for one in plan.steps]
        whole = check_draft(PlanDraft(steps=steps), judged, located, toolbox, strict=strict)
    made = next(one for one in whole.steps if one.num == step.num)
    if made.tool_call is None:
        raise PlanInvalid(f"Step {step.num} has no command.", "Write one.")
    if any(made.tool_call == one.call for one in tries):
        raise PlanInvalid(f"Step {step.num} failed before.", "Change the tool or its arguments.")
    return made.model_copy(
        update={"expect_exit": step.expect_exit, "expect_output": step.expect_output, "tries": tries}
    )


def _draft(step: PlanStep, toolbox: Toolbox) -> DraftStep:
    call = step.tool_call
    command = "" if call is None else str(call.args.get("command", ""))
    if call is not None and toolbox.servers.owns(call.tool):
        command = as_command(call)
    # It passed its checks as it was written; what code writes in its place may be longer.
    return DraftStep.model_construct(description=step.description, command=command)


def _change_draft(step: PlanStep) -> ChangeStep:
    call = step.tool_call
    return ChangeStep(
        description=step.description, tool=call.tool if call else "", args=call.args if call else {}
    )


def _call_text(step: PlanStep) -> str:
    return step.tool_call.model_dump_json() if step.tool_call else "(composes text from earlier results)"
