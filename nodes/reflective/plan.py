"""PLAN: a recipe when one covers the goal, else the planner model, checked by code and retried."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence

from langgraph.runtime import Runtime

from memory.events import ReasoningEvent
from models.errors import ModelError
from nodes.errors import NoTools, PlanInvalid
from nodes.reflective.commitments import promised
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now, progress, record
from nodes.reflective.lookup import Located, locate_goal
from nodes.reflective.planner import ask_planner
from nodes.reflective.reasoning import planned, planner_context
from nodes.reflective.recall import asked, plan_examples, plan_from_experience, recall, reuse_note
from nodes.reflective.recipe_plan import last_resort, plan_from_recipe, request_plan
from nodes.reflective.replanning import check_something_changed
from nodes.reflective.services import Services, services_of
from nodes.reflective.state import Asked, Plan, ReasoningState, Recalled, Update, add_usage, dump
from tools.toolbox import Toolbox


async def plan(state: ReasoningState, runtime: Runtime[RunContext]) -> Update:
    """Write the next plan, or say why there is none."""
    services = await services_of(runtime)
    toolbox = require_tools(services)
    located = await locate_goal(state.goal_as_corrected(), services, toolbox)
    return await next_plan(state, services, toolbox, located)


async def next_plan(state: ReasoningState, services: Services, toolbox: Toolbox, located: Located) -> Update:
    """The next plan, or why there is none, as an update of the state.

    Args:
        state: of the run, its reflections included.
        services: of the run.
        toolbox: its tools.
        located: the goal as corrected, its names looked up.
    """
    changes = state.asks_for_change
    question = asked(located)
    made, used = await _plan_at_hand(state, question, located, services, toolbox)
    fallback = made if gives_way(made, services) else None
    made = made if fallback is None else None
    if made is None and fallback is None:
        fallback = shown_at_least(state, located)
        if state.reflection_attempts and not services.models.can_judge("planner"):
            # A model too small to take in what went wrong would only guess again.
            made = fallback
    context = ""
    update: Update = {}
    if made is None and state.question and (changes or not _hopeless(state, located)):
        lessons = await recall(state.goal, state, services)
        examples = await plan_examples(state, services, toolbox)
        used, context = [*examples.used, *lessons.used], lessons.text
        shown = await planner_context(services, state, context)
        asking = ask_planner(state, services, toolbox, located, shown, examples)
        made, update = await asked_beside(fallback, state, asking)
    made, used = (made, used) if made is not None or fallback is None else (fallback, [])
    by_model = made is not None and made.source == "model"
    if made is not None and by_model and changes and not services.models.can_judge("verifier"):
        # Code cannot tell whether a change is the one that was meant, so the run does not claim it.
        made = made.model_copy(update={"conclusive": False})
    error = update.pop("last_error", None) or _why_no_plan(state, located)
    commitments, remarks = promised(state, update.pop("commitments", []))
    state = state.model_copy(update={"commitments": commitments})
    await record(services, plan_event(state, made, context, error, used))
    await planned(services, state, made, context, error)
    notes = list(
        dict.fromkeys([*update.pop("notes", state.notes), *skip_notes(located), *reuse_note(used), *remarks])
    )
    base = {
        **update,
        "asked": question,
        "recalled": [*state.recalled, *used],
        "iterations": state.iterations + 1,
        "notes": notes,
        "verified": False,
        "judged": False,
        "doubtful": False,
        "commitments": commitments,
    }
    if made is None:
        return dump(**base, plan=None, stop_reason="no_plan", last_error=error)
    progress("plan", source=made.source, recipe=made.recipe, steps=[step.description for step in made.steps])
    return dump(
        **base, plan=made, current_step_index=made.next_index(), last_error=None, confidence=made.confidence
    )


async def _plan_at_hand(
    state: ReasoningState, question: Asked, located: Located, services: Services, toolbox: Toolbox
) -> tuple[Plan | None, list[Recalled]]:
    """A plan that needs no planner: a recipe's, else one that a verified run of the same question followed.

    A recipe that only shows what may answer the goal comes after a plan that did answer it.
    """
    if state.server_tools:
        return None, []  # recipes know files only, and would take a tool's name for one
    if state.asks_for_change:
        return _change_at_hand(state, located), []
    if not state.question:
        return None, []
    recipe = await asyncio.to_thread(
        plan_from_recipe, located, state.reflection_attempts, services.embedder, state.goal_as_corrected()
    )
    if recipe is not None and _was_tried(recipe, state, toolbox):
        recipe = None
    if recipe is not None and recipe.conclusive:
        return recipe, []
    known = await plan_from_experience(state, question, located, services, toolbox)
    return (recipe, []) if known is None else (known[0], [known[1]])


def gives_way(recipe: Plan | None, services: Services) -> bool:
    """True for a plan that only shows lines which may be the answer, where a planner can judge.

    Such a plan stays as what is shown when the planner finds none.
    """
    return recipe is not None and not recipe.conclusive and services.models.can_judge("planner")


def shown_at_least(state: ReasoningState, located: Located) -> Plan | None:
    """What is shown for a question when neither a recipe nor a model has a plan."""
    if state.server_tools or state.asks_for_change or not state.question:
        return None
    return last_resort(located, state.reflection_attempts)


async def asked_beside(
    fallback: Plan | None, state: ReasoningState, asking: Awaitable[tuple[Plan | None, Update]]
) -> tuple[Plan | None, Update]:
    """What a planner says; one that fails ends no run that has something to show without it.

    Raises:
        ModelError: it failed and there is no fallback, or the same call may succeed a moment later.
    """
    try:
        return await asking
    except ModelError as broken:
        if fallback is None or broken.transient:
            raise
        progress("role_failed", role="planner", error=str(broken))
        usage = add_usage(state, "planner", broken.usage) if broken.usage else state.usage
        return None, {"usage": usage, "notes": [*state.notes, f"The planner did not answer: {broken.what}"]}


def _was_tried(plan: Plan, state: ReasoningState, toolbox: Toolbox) -> bool:
    try:
        check_something_changed([step.tool_call for step in plan.steps if step.tool_call], state, toolbox)
    except PlanInvalid:
        return True
    return False


def _change_at_hand(state: ReasoningState, located: Located) -> Plan | None:
    """The plan of a change every part of which is stated, unless something was tried before."""
    stated = not state.reflection_attempts and not state.completed and state.question == state.goal
    return request_plan(located, state.goal) if stated else None


def skip_notes(located: Located) -> list[str]:
    """What searches leave out, for the reader."""
    left_out = [*located.skipped_names, *located.skipped_paths[:5]]
    further = len(located.skipped_paths) - 5
    more = f" and {further} more" if further > 0 else ""
    return [f"Searches left out {', '.join(left_out)}{more}."] if left_out else []


def require_tools(services: Services) -> Toolbox:
    """The toolbox.

    Raises:
        NoTools: the profile allows none.
    """
    if services.toolbox is None:
        raise NoTools(
            f"The profile {services.settings.profile!r} allows no tools, so files cannot be looked at.",
            "Use --profile dev to let read-only tools run.",
        )
    return services.toolbox


def _hopeless(state: ReasoningState, located: Located) -> bool:
    """A named file that was looked for and does not exist cannot be planned around."""
    looked = any(attempt.category == "missing_path" for attempt in state.reflection_attempts)
    return bool(located.whereabouts.missing) and looked


def _why_no_plan(state: ReasoningState, located: Located) -> str | None:
    if not state.question:
        return "It asks for a message and nothing else, and nothing here can send one."
    if state.reflection_attempts and located.whereabouts.missing:
        return state.reflection_attempts[-1].diagnosis
    return state.last_error


def plan_event(
    state: ReasoningState, made: Plan | None, context: str, error: str | None, used: Sequence[Recalled]
) -> ReasoningEvent:
    """What the corpus keeps of a planning.

    Args:
        state: of the run.
        made: the plan, or None.
        context: past experience that was in the prompt.
        error: why there is no plan.
        used: records of past runs it rests on or was shown.
    """
    return ReasoningEvent(
        timestamp=now(),
        session_id=state.session_id,
        event_type="planning",
        goal=state.goal,
        outcome_status="success" if made else "failure",
        error=None if made else error,
        context_used=context or None,
        meta={
            "source": made.source if made else None,
            "recipe": made.recipe if made else None,
            "steps": [step.description for step in made.steps] if made else [],
            "used": [record_used.model_dump(mode="json") for record_used in used],
        },
    )
