"""What a search of past runs gives: the records `reflect experience search` prints."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from memory.experience.recall_prompt import ExperienceHit, Scope


class ExperienceRecord(BaseModel):
    """A past event like what was searched for.

    Attributes:
        scope: the corpus it comes from: the project's, or the user's of all projects.
        event_id: of the event; empty when its line has none.
        at: ISO time; None for an undated one.
        type: of event.
        goal: what was asked.
        outcome: how that ended.
        error: what failed.
        lesson: what was learnt from it.
        category: of the failure.
        later: steps of a later run that solved it.
        resolved_by: event id of that run.
        helpful, harmful: runs it was used in that succeeded, and that failed.
        score: likeness, 0 to 1.
    """

    scope: Scope
    event_id: str
    at: str | None
    type: str
    goal: str
    outcome: str
    error: str
    lesson: str
    category: str
    later: str
    resolved_by: str
    helpful: int
    harmful: int
    score: float


def record_of(hit: ExperienceHit) -> ExperienceRecord:
    """A hit as a record."""
    return ExperienceRecord(
        scope=hit.scope,
        event_id=hit.event_id,
        at=hit.at.isoformat() if hit.at else None,
        type=hit.event_type,
        goal=hit.goal,
        outcome=hit.outcome,
        error=hit.error,
        lesson=hit.lesson,
        category=hit.recollection.category,
        later=hit.later,
        resolved_by=hit.resolved_by,
        helpful=hit.helpful,
        harmful=hit.harmful,
        score=round(hit.score, 4),
    )


def lines_of(hit: ExperienceHit) -> Iterator[str]:
    """A hit for people, line by line."""
    date = hit.at.date().isoformat() if hit.at else "undated"
    counters = f"helpful {hit.helpful}, harmful {hit.harmful}, score {hit.score:.2f}"
    yield f"{hit.scope.upper()} {date} {hit.goal}"
    yield f"  {hit.event_type}: {hit.outcome or 'no outcome'} ({counters})"
    shown = {"error": hit.error, "lesson": hit.lesson, "what later worked": hit.later}
    for label, text in shown.items():
        if text:
            yield f"  {label}: {text}"
