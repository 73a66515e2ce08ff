"""The newest checkpoint of a thread, read as what came of its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from console.api.answers.engines import auto, collective, hybrid, specialists
from console.api.answers.facts import AnswerFacts, failure, figures, usage
from console.api.answers.questions import contractive, hierarchy
from console.api.answers.steps import reflective
from console.api.graphs import STATES, graph_of_kind
from memory.thread_history import START, Moment
from nodes.research.state import ResearchState
from nodes.tutor.state import TutorState


def answer_facts(moment: Moment) -> AnswerFacts:
    """What the newest checkpoint of a thread tells.

    Raises:
        pydantic.ValidationError: its state is not of the form it says it is.
    """
    graph = graph_of_kind(moment.kind)
    state = STATES[graph].model_validate(moment.values)
    facts = _READERS[graph](state)
    notes = list(facts.notes)
    if moment.waiting:
        notes.insert(0, "The run waits for a person: what it asks stands beside it, not on this page.")
    elif moment.next:
        names = ", ".join(moment.next).replace(START, "its first node")
        notes.insert(0, f"The run is not at its end; next comes {names}.")
    return AnswerFacts(
        **{**vars(facts), "graph": graph, "asked": moment.asked or facts.asked, "notes": tuple(notes)}
    )


def _research(state: ResearchState) -> AnswerFacts:
    return AnswerFacts(
        graph="",
        asked=state.query,
        status=state.status,
        answer=state.checked_report or state.no_data,
        figures=figures(
            ("mode", state.mode), ("sources", str(len(state.sources))), *usage(state.usage.values())
        ),
        failure=failure(state.failure),
        notes=tuple(state.notes),
    )


def _tutor(state: TutorState) -> AnswerFacts:
    return AnswerFacts(
        graph="",
        asked=state.goal or state.game,
        status=state.status,
        figures=figures(
            ("game", state.game),
            ("player", state.model),
            ("turns", str(len(state.turns))),
            ("score", str(state.score)),
            ("end", str(state.ended or "")),
        ),
        failure=failure(state.failure),
        notes=tuple(state.notes),
    )


_READERS: Mapping[str, Callable[[Any], AnswerFacts]] = {
    "reflective": reflective,
    "research": _research,
    "contractive": contractive,
    "tutor": _tutor,
    "ensemble": collective,
    "hybrid": hybrid,
    "hierarchy": hierarchy,
    "specialists": specialists,
    "auto": auto,
}
