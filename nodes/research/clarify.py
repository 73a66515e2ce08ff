"""CLARIFY: sets a run up and asks what an ambiguous query means; the answer binds.

`clarify` finds the readings, `choose` asks the person. They are two nodes because a node that waits for an
answer runs again from its beginning when it comes, and a model must not be asked twice.
"""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from models.errors import ModelError
from nodes.errors import GoalError
from nodes.reflective.context import RunContext
from nodes.reflective.services import services_of
from nodes.research.ambiguity import ambiguity_of
from nodes.research.asking import Asking
from nodes.research.beginning import anew, beginning
from nodes.research.bookkeeping import Visit
from nodes.research.reading_choice import answer_text, chosen, means_all, not_a_reading, question_of
from nodes.research.readings import Clarification
from nodes.research.replaying import recorded_answer
from nodes.research.state import LONGEST_QUERY, ClarificationOutput, ResearchState, TemporalContext


async def clarify(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Write down what the run begins with, and the readings of an ambiguous query.

    Raises:
        GoalError: there is no query, or it is too long.
        ModelError: no model can be used, or the profile forbids the one that is set.
    """
    state = state.model_copy(update=anew())
    visit = Visit("clarify", state)
    if not state.query:
        raise GoalError("There is nothing to research: the query is empty.", "Say what you want to know.")
    if len(state.query) > LONGEST_QUERY:
        raise GoalError(
            f"The query has {len(state.query):,} characters, more than {LONGEST_QUERY:,}.",
            "Ask one question; long texts belong among the sources.",
        )
    services = await services_of(runtime, fresh=True)
    begun = await asyncio.to_thread(beginning, services, state)
    begun = {name: value for name, value in anew().items() if name not in ("timeline", "notes")} | begun
    state = state.model_copy(update=begun)
    ambiguity = state.ambiguity or (ambiguity_of(state.query) if state.clarify else None)
    if ambiguity is None or not state.clarify:
        return visit.update("begins", **begun)
    asking = Asking(services, state)
    notes: list[str] = []
    try:
        found = await Clarification(asking).generate_options(state.query, ambiguity)
    except ModelError as error:
        notes.append(f"What the query may mean was not asked: {error.what}")
        found = ClarificationOutput()
    if not found.options and not notes:
        notes.append(
            f"The query may be meant in several ways ({ambiguity}); no readings were found to choose from, "
            "so it was taken as it is."
        )
    what = f"{len(found.options)} readings ({ambiguity})"
    update: dict[str, Any] = {**begun, **asking.update(), "ambiguity": ambiguity, "readings": found}
    return visit.update(what, notes, **update)


async def choose(state: ResearchState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Ask the person which reading is meant; "all" or an empty answer leaves the query as it is.

    Raises:
        ReplayMismatch: a replayed run asks what was not asked in the recorded one.
    """
    visit = Visit("choose", state)
    readings = state.readings or ClarificationOutput()
    if state.replay:
        answer = await asyncio.to_thread(recorded_answer, state.replay)
    else:
        answer = answer_text(interrupt(question_of(state.query, state.ambiguity, readings)))
    asked = state.asked.model_copy(update={"answer": answer})
    option = chosen(answer, readings)
    if option is None:
        understood = means_all(answer, readings)
        asked = asked.model_copy(update={"understood": understood})
        notes = [] if understood else [not_a_reading(answer)]
        return visit.update("all readings", notes, asked=asked)
    context = TemporalContext(start=option.start, end=option.end, label=option.label)
    return visit.update(
        f"means: {option.label}",
        [f"The query was narrowed to: {option.label}."],
        asked=asked,
        query=(option.query or state.query)[: len(state.query) + 200],
        temporal_context=context if context.bounded else state.temporal_context,
    )
