"""BEGIN: the limits of the run, decided once; the question itself as the root of an empty tree."""

from __future__ import annotations

import secrets
from typing import Any

from langgraph.runtime import Runtime

from configs.contractive import ContractiveSettings, resolved
from memory.call_journal import new_run_id
from nodes.contractive.entailment import is_fit
from nodes.contractive.material import fitting
from nodes.contractive.state import (
    LONGEST_QUESTION,
    ROOT,
    ContractiveState,
    Metrics,
    Question,
    Said,
)
from nodes.contractive.telling import happened
from nodes.errors import GoalError
from nodes.reflective.context import RunContext
from nodes.reflective.emit import now
from nodes.reflective.services import Services, services_of, thread_id
from nodes.reflective.state import dump

MOST_REMEMBERED = 50


async def begin(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Start on a question; what the thread was asked before is remembered, its tree is not.

    Raises:
        GoalError: the question is empty or far too long.
        ReflectError: settings or models cannot be used.
    """
    services = await services_of(runtime, fresh=True)
    if not state.question:
        raise GoalError("There is no question.", "Say what you want to know.")
    if len(state.question) > LONGEST_QUESTION:
        raise GoalError(
            f"The question has {len(state.question)} characters; {LONGEST_QUESTION} is the most.",
            "Give the material as context, and ask about it.",
        )
    limits = _limits(services)
    material, lost = fitting(services.models, state.question, state.context)
    root = Question(id=ROOT, text=state.question)
    root.events.append(happened("node_created", ROOT, question=state.question, depth=0))
    return anew(
        state,
        root,
        run_id=new_run_id(thread_id() or "no-thread"),
        seed=secrets.randbelow(2**31) if state.seed == 0 else state.seed,
        limits=limits,
        model=services.models.model_name("worker"),
        peer=_peer(services, limits),
        judge=is_fit(services.models),
        notes=_notes(services, limits, lost),
        material=material,
        began=now(),
        events=[happened("started", question=state.question, limits=limits.model_dump(mode="json"))],
        metrics=Metrics(questions=1),
    )


def anew(state: ContractiveState, root: Question | None = None, **decided: Any) -> dict[str, Any]:
    """The state without anything of the question before, which goes to the turns of the chat.

    Args:
        state: as the run before left it.
        root: the question itself; None leaves the tree empty, for a run that cannot begin.
        decided: fields of the state the run begins with.
    """
    fresh = ContractiveState(asked_before=_remembered(state), **decided)
    again = fresh.model_dump(
        mode="json", exclude={"question", "context", "tree", "hindrances", "remaining_steps", "limits"}
    )
    return {
        **again,
        # Dumped by itself, it keeps which of its fields were decided.
        **dump(limits=fresh.limits),
        # These are joined with what was there before, unless told otherwise.
        "hindrances": {"__overwrite__": []},
        "tree": {"__overwrite__": {ROOT: root.model_dump(mode="json")} if root is not None else {}},
    }


def _limits(services: Services) -> ContractiveSettings:
    """The settings of the run; a model whose restatements would be noise is not asked for one."""
    chosen = services.settings.contractive
    limits = resolved(chosen, services.models.model_name("worker"))
    if "normalize" not in chosen.model_fields_set and not services.models.can_judge("planner"):
        return limits.model_copy(update={"normalize": "code"})
    return limits


def _peer(services: Services, limits: ContractiveSettings) -> str:
    """The model that reviews; none is asked whose verdicts would be noise."""
    asked = limits.peer != "none" and services.models.can_judge("critic")
    return services.models.model_name("critic") if asked else ""


def _notes(services: Services, limits: ContractiveSettings, lost: int) -> list[str]:
    """What a person should know of the run before it begins."""
    notes = []
    if lost:
        notes.append(
            f"{lost} characters in the middle of the given material do not fit the models' windows "
            "and were left out; raise num_ctx for them."
        )
    if limits.peer != "none" and not services.models.can_judge("critic"):
        model = services.models.model_name("critic")
        notes.append(f"No peer reviewed anything: {model} cannot judge. Name another for the role of critic.")
    return notes


def _remembered(state: ContractiveState) -> list[Said]:
    """The turns of the thread, the last one among them."""
    if state.status == "running" or not state.tree:
        return state.asked_before
    last = Said(
        question=state.root.text,
        answer=state.short_answer or state.final_answer or "(no answer)",
        status=state.status,
    )
    return [*state.asked_before, last][-MOST_REMEMBERED:]
