"""Asking the planner model: its draft, checked by code, asked for again with what was wrong."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from models.errors import ModelError, ModelReplyInvalid
from models.usage import Usage
from nodes.errors import PlanInvalid
from nodes.reflective.change_plan import ChangeDraft, change_messages, check_change
from nodes.reflective.command_line import command_plan
from nodes.reflective.emit import progress, thought
from nodes.reflective.lookup import Located
from nodes.reflective.model_plan import PlanDraft, ReplanDraft, check_draft, planner_messages
from nodes.reflective.recall import Examples
from nodes.reflective.replanning import earlier_results
from nodes.reflective.servers import look_at_servers, out_of_reach
from nodes.reflective.services import Services
from nodes.reflective.state import Plan, ReasoningState, Update, add_usage, cut_note
from tools.toolbox import Toolbox

Draft = PlanDraft | ChangeDraft


async def ask_planner(
    state: ReasoningState,
    services: Services,
    toolbox: Toolbox,
    located: Located,
    experience: str,
    examples: Examples,
) -> tuple[Plan | None, Update]:
    """Ask until a draft passes every check, the retries are spent, or the planner repeats a refused draft.

    Args:
        state: the run.
        services: of the run.
        toolbox: checks the commands.
        located: the goal, its names looked up.
        experience: past events as a block of text.
        examples: goals with plans that were verified.

    Returns:
        The plan, or None, and what changes in the state; `last_error` says why there is none.

    Raises:
        ModelError: the planner could not be reached, found or finished.
    """
    notes = list(state.notes)
    if state.server_tools or services.models.can_judge("planner"):
        notes = await look_at_servers(toolbox, notes)
    if lost := out_of_reach(state.server_tools, toolbox):
        return None, {"notes": notes, "last_error": lost}
    if not services.models.can_judge("planner"):
        return await command_plan(state, services, toolbox, located)
    error = ""
    refused: list[list[str]] = []
    retries = 0
    schema = _schema(state, toolbox)
    # Where no model can judge an answer, code must be sure of the plan.
    strict = not services.models.can_judge("verifier")
    spent = Usage("planner", "")
    for retries in range(services.settings.graph.max_plan_retries + 1):
        progress("model_call", role="planner", attempt=retries + 1)
        try:
            messages = _messages(state, toolbox, experience, error, examples)
            reply = await services.models.structured("planner", messages, schema)
            state = state.model_copy(update={"usage": add_usage(state, "planner", reply.usage)})
            notes = cut_note(notes, "planner", reply.cut)
            spent = spent.joined(reply.usage)
            thought("planner", reply.thinking)
            drafted = [step.model_dump_json(exclude={"description"}) for step in reply.value.steps]
            made = _checked(reply.value, state, located, toolbox, strict=strict)
            done = _update(state, retries, notes)
            return made, done | {"commitments": reply.value.commitments}
        except ModelReplyInvalid as invalid:
            state = state.model_copy(update={"usage": add_usage(state, "planner", invalid.usage)})
            notes = cut_note(notes, "planner", invalid.cut)
            spent = spent.joined(invalid.usage)
            error = str(invalid)
        except ModelError as broken:
            broken.usage = spent.joined(broken.usage)
            raise
        except PlanInvalid as invalid:
            error = str(invalid)
            refused.append(drafted)
        progress("plan_refused", error=error)
        if refused and refused[-1] in refused[:-1]:
            break
    return None, _update(state, retries, notes) | {"last_error": error}


def _update(state: ReasoningState, retries: int, notes: list[str]) -> Update:
    return {"usage": state.usage, "plan_retries": state.plan_retries + retries, "notes": notes}


def _schema(state: ReasoningState, toolbox: Toolbox) -> type[Draft]:
    if state.asks_for_change:
        return ChangeDraft
    return ReplanDraft if earlier_results(state, toolbox) else PlanDraft


def _messages(
    state: ReasoningState, toolbox: Toolbox, experience: str, error: str, examples: Examples
) -> Sequence[BaseMessage]:
    if state.asks_for_change:
        return change_messages(state, toolbox, experience, error)
    return planner_messages(state, toolbox, experience, error, examples.shots)


def _checked(
    draft: Draft, state: ReasoningState, located: Located, toolbox: Toolbox, *, strict: bool
) -> Plan:
    """The draft as a plan.

    Raises:
        PlanInvalid: it fails a check.
    """
    if isinstance(draft, ChangeDraft):
        return check_change(draft, state, located, toolbox)
    return check_draft(draft, state, located, toolbox, strict=strict)
