"""What happened to a question, for the state and for whoever streams the run."""

from __future__ import annotations

from typing import Any

from nodes.contractive.state import Event, Question, Stage
from nodes.reflective.emit import now, progress


def happened(type_: str, node: str = "", **facts: Any) -> Event:
    """An event, which is streamed at once.

    Args:
        type_: as `Event.type` lists them.
        node: id of the question; empty for the run.
        facts: JSON values.
    """
    event = Event(type=type_, at=now(), node=node, facts=facts)
    progress("contractive", type=event.type, at=event.at, node=event.node, facts=event.facts)
    return event


def moved(question: Question, stage: Stage) -> None:
    """Put a question at another stage, and say so."""
    if question.stage != stage:
        before, question.stage = question.stage, stage
        question.events.append(happened("state_changed", question.id, before=before, after=stage))
