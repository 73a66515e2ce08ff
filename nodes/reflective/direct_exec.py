"""DIRECT_EXEC: BYPASS answers from the model alone, SIMPLE from one tool call at most."""

from __future__ import annotations

import asyncio
import re

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from models.errors import ModelError, ModelReplyInvalid
from models.usage import Usage
from nodes.errors import PlanInvalid
from nodes.reflective.command_line import command_plan
from nodes.reflective.commitments import says_it_acted
from nodes.reflective.context import RunContext
from nodes.reflective.draft import MOST_ANSWER_CHARS, draft_answer, refuses
from nodes.reflective.echo import echoes, repeats_itself
from nodes.reflective.emit import progress, record, thought
from nodes.reflective.execute import failure_text, run_step, step_event
from nodes.reflective.lookup import Located, locate_goal, near_names
from nodes.reflective.model_plan import DraftStep, PlanDraft, check_draft
from nodes.reflective.plan import asked_beside, gives_way, plan_event, require_tools, shown_at_least
from nodes.reflective.probes import category_of
from nodes.reflective.promotion import promoted
from nodes.reflective.reasoning import planned, step_begun, step_done
from nodes.reflective.recall import asked, plan_from_experience, reuse_note
from nodes.reflective.recipe_plan import plan_from_recipe
from nodes.reflective.servers import look_at_servers
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import (
    Evidence,
    Plan,
    ReasoningState,
    StepStatus,
    TaskComplexity,
    Update,
    add_usage,
    cut_note,
    dump,
)
from tools.toolbox import Toolbox

SHOWN_OF_NO_ANSWER = 300


class CommandReply(BaseModel):
    """The one command a model proposes for a simple goal."""

    model_config = ConfigDict(extra="ignore")

    command: str = Field(min_length=1, max_length=2000)


async def direct_exec(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Answer without a plan: by the model for BYPASS, by one call for SIMPLE."""
    services = await services_of(runtime)
    if state.complexity is TaskComplexity.BYPASS:
        return await _bypass(state, services)
    return await _one_call(state, services, require_tools(services))


async def _bypass(state: ReasoningState, services: Services) -> Update:
    progress("model_call", role="worker", attempt=1)
    messages = [SystemMessage(render("direct_answer")), *CONVERSATION, HumanMessage(state.question)]
    reply = await services.models.text("worker", messages)
    thought("worker", reply.thinking)
    answer = reply.text.strip()
    update = dump(
        usage=add_usage(state, "worker", reply.usage),
        notes=cut_note(state.notes, "worker", reply.cut),
        iterations=state.iterations + 1,
    )
    if not re.search(r"\w", answer):
        empty = "The model only thought aloud." if reply.thinking else "The model's answer was empty."
        return update | dump(draft_answer=None, last_error=empty)
    if refuses(answer) or says_it_acted(answer) or len(answer) > MOST_ANSWER_CHARS:
        said = f"What the model said is no answer: {answer[:SHOWN_OF_NO_ANSWER]}"
        return update | dump(draft_answer=None, stop_reason="verification_failed", last_error=said)
    if echoes(state.question, answer) or repeats_itself(answer):
        said = f"What the model said only repeats: {answer[:SHOWN_OF_NO_ANSWER]}"
        return update | dump(draft_answer=None, stop_reason="verification_failed", last_error=said)
    if reply.truncated:
        update |= dump(notes=[*update["notes"], ENDS_EARLY])
    # What a model that cannot judge knows by itself is as often wrong as right: it is shown, not claimed.
    doubtful = not services.models.can_judge("worker")
    return update | dump(draft_answer=answer, confidence=None, stop_reason="bypass", doubtful=doubtful)


async def _one_call(state: ReasoningState, services: Services, toolbox: Toolbox) -> Update:
    located = await locate_goal(state.question, services, toolbox)
    plan, state = await _plan(state, located, services, toolbox)
    ran = await _planned_run(state, plan, located, services, toolbox)
    if plan is not None and plan.source == "reused" and ran.get("last_error") is not None:
        # What worked before did not work now; a model may still know a command.
        another, update = await _ask_for_command(state, services, toolbox, located)
        state = state.model_copy(update=update)
        if another is not None:
            ran = await _planned_run(state, another, located, services, toolbox)
    kept = dump(
        asked=state.asked,
        recalled=state.recalled,
        notes=state.notes,
        usage=state.usage,
        plan_retries=state.plan_retries,
    )
    return kept | ran | _planned_next(state, ran)


def _planned_next(state: ReasoningState, ran: Update) -> Update:
    """A call that ran and failed, or showed no answer, is no longer SIMPLE."""
    if ran.get("last_error") is None or ran.get("plan") is None:
        return {}
    return promoted(state.model_copy(update={"notes": ran.get("notes", state.notes)}))


async def _planned_run(
    state: ReasoningState, plan: Plan | None, located: Located, services: Services, toolbox: Toolbox
) -> Update:
    """Tell of the plan, then run it; without one, the run ends."""
    await record(services, plan_event(state, plan, "", state.last_error, state.recalled))
    await planned(services, state, plan, "", state.last_error)
    if plan is None:
        return dump(
            usage=state.usage,
            iterations=state.iterations + 1,
            stop_reason="no_plan",
            last_error=state.last_error,
        )
    progress("plan", source=plan.source, recipe=plan.recipe, steps=[step.description for step in plan.steps])
    return await _run(state, plan, located, services, toolbox)


async def _plan(
    state: ReasoningState, located: Located, services: Services, toolbox: Toolbox
) -> tuple[Plan | None, ReasoningState]:
    """A recipe, else what a verified run of the same question did, else what a model proposes.

    Returns:
        The plan, and the state with what was learnt on the way; `last_error` says why there is no plan.
    """
    question = asked(located)
    state = state.model_copy(update={"asked": question})
    recipe = await asyncio.to_thread(plan_from_recipe, located, [], services.embedder, state.question)
    fallback = recipe if gives_way(recipe, services) else None
    if recipe is not None and fallback is None:
        return recipe, state
    known = await plan_from_experience(state, question, located, services, toolbox)
    if known is not None:
        plan, used = known
        notes = [*state.notes, *reuse_note([used])]
        return plan, state.model_copy(update={"recalled": [*state.recalled, used], "notes": notes})
    fallback = fallback or shown_at_least(state, located)
    asking = _ask_for_command(state, services, toolbox, located)
    made, update = await asked_beside(fallback, state, asking)
    if made is None and fallback is not None:
        made, update["last_error"] = fallback, None
    return made, state.model_copy(update=update)


async def _run(
    state: ReasoningState, plan: Plan, located: Located, services: Services, toolbox: Toolbox
) -> Update:
    evidence: list[Evidence] = []
    for index, step in enumerate(plan.steps):
        entry = await step_begun(services, state, step)
        done = await run_step(step, plan, toolbox, services)
        await record(services, step_event(state, done))
        await step_done(services, state, entry, done)
        plan = plan.model_copy(
            update={"steps": [done if other.num == done.num else other for other in plan.steps]}
        )
        if done.result is not None:
            evidence.append(
                Evidence(
                    source="tool",
                    step=done.num,
                    command=done.result.command,
                    text=done.result.stdout,
                    returncode=done.result.returncode,
                    artifact=done.result.artifact,
                )
            )
        if done.status is StepStatus.FAILED:
            error = failure_text(done)
            # A name that does not exist explains no other error, and REFLECT would take it for the cause.
            if not promoted(state) or category_of(done, error) == "missing_path":
                error = await _explained(error, located, services, toolbox)
            return dump(
                plan=plan,
                evidence=evidence,
                completed=plan.steps[:index],
                current_step_index=index,
                usage=state.usage,
                iterations=state.iterations + 1,
                last_error=error,
            )
    update = {
        "plan": plan,
        "evidence": evidence,
        "completed": plan.steps,
        "current_step_index": len(plan.steps),
        "confidence": plan.confidence,
    }
    progressed = state.model_copy(update=update)
    return dump(**update, usage=state.usage, iterations=state.iterations + 1) | await draft_answer(
        progressed, services, toolbox
    )


async def _explained(error: str, located: Located, services: Services, toolbox: Toolbox) -> str:
    """The failure, with the existing names that resemble a missing one."""
    for name in located.whereabouts.missing:
        near = await near_names(name, services, toolbox)
        return f"{error}. {missing_text(name, near)}"
    return error


def missing_text(name: str, near: list[str]) -> str:
    """That a name does not exist, and what resembles it."""
    return f"{name} does not exist here" + (f"; what resembles it: {', '.join(near)}." if near else ".")


async def _ask_for_command(
    state: ReasoningState, services: Services, toolbox: Toolbox, located: Located
) -> tuple[Plan | None, Update]:
    if not services.models.can_judge("planner"):
        return await command_plan(state, services, toolbox, located)
    error = ""
    retries = 0
    state = state.model_copy(update={"notes": await look_at_servers(toolbox, state.notes)})
    spent = Usage("planner", "")
    for retries in range(services.settings.graph.max_plan_retries + 1):
        progress("model_call", role="planner", attempt=retries + 1)
        system = render(
            "simple_call",
            tools=toolbox.describe(),
            error=f"\nYour last command was refused: {error}" if error else "",
        )
        messages = [SystemMessage(system), *EXAMPLES, HumanMessage(state.question)]
        try:
            reply = await services.models.structured("planner", messages, CommandReply)
            thought("planner", reply.thinking)
            state = state.model_copy(
                update={
                    "usage": add_usage(state, "planner", reply.usage),
                    "notes": cut_note(state.notes, "planner", reply.cut),
                }
            )
            spent = spent.joined(reply.usage)
            draft = PlanDraft(
                objective=state.goal,
                steps=[DraftStep(description="Run the one command", command=reply.value.command)],
            )
            strict = not services.models.can_judge("verifier")
            plan = check_draft(draft, state, located, toolbox, strict=strict)
            return plan, {"usage": state.usage, "notes": state.notes, "plan_retries": retries}
        except ModelReplyInvalid as invalid:
            state = state.model_copy(update={"usage": add_usage(state, "planner", invalid.usage)})
            spent = spent.joined(invalid.usage)
            error = str(invalid)
        except ModelError as broken:
            broken.usage = spent.joined(broken.usage)
            raise
        except PlanInvalid as invalid:
            error = str(invalid)
        progress("plan_refused", error=error)
    return None, {
        "usage": state.usage,
        "notes": state.notes,
        "plan_retries": retries,
        "last_error": error,
    }


ENDS_EARLY = "The answer stopped at the model's token limit; it is not whole."
CONVERSATION = [
    HumanMessage("hi"),
    AIMessage("Hello. What would you like to know?"),
    HumanMessage("what is a linked list?"),
    AIMessage(
        "A linked list is a sequence of nodes in which each node holds a value and points to the next node."
    ),
]
EXAMPLES = [
    HumanMessage("how many lines does notes.txt have?"),
    AIMessage('{"command": "wc -l notes.txt"}'),
    HumanMessage("show the first 3 lines of data.csv"),
    AIMessage('{"command": "head -n 3 data.csv"}'),
    HumanMessage("is there a file called setup.cfg?"),
    AIMessage('{"command": "find . -name setup.cfg"}'),
]
