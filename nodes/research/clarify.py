"""CLARIFY: sets a run up and asks what an ambiguous query means; the answer binds.

`clarify` finds the readings, `choose` asks the person. They are two nodes because a node that waits for an
answer runs again from its beginning when it comes, and a model must not be asked twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from datetime import UTC, date, datetime, timedelta
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import BaseModel, ConfigDict

from configs.settings import Role
from memory.trace.iteration_log import iterations_directory
from models.errors import ModelError
from models.roles import RoleModels
from nodes.errors import GoalError, TimeInvalid
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, services_of, thread_id
from nodes.research.ambiguity import ambiguity_of
from nodes.research.asking import Asking, quoted
from nodes.research.bookkeeping import Visit, research_settings
from nodes.research.passages import CJK
from nodes.research.replaying import load_manifest, recorded_answer
from nodes.research.state import (
    LONGEST_QUERY,
    AmbiguityType,
    Asked,
    ClarificationOption,
    ClarificationOutput,
    ResearchLimits,
    ResearchState,
    TemporalContext,
)
from nodes.research.time_bounds import checked

ALL = "all"
ALL_WORDS = frozenset(("", ALL, "全部", "都"))
LONGEST_ANSWER = 200
NUMBER_DIGITS = 4
LEAST_OPTIONS, MOST_OPTIONS = 2, 4
QUERY_ID_CHARS = 12
# What the caller chooses; all else belongs to the run.
GIVEN = frozenset(
    "query mode query_id corpus items temporal_context clarify ambiguity replay remaining_steps".split()
)
ROLES: tuple[Role, ...] = ("analyst", "critic", "writer")


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


class Clarification:
    """Finds out what an ambiguous query may mean.

    Args:
        asking: through which the model is asked.
    """

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def generate_options(self, query: str, ambiguity_type: AmbiguityType) -> ClarificationOutput:
        """Two to four readings, or none where neither code nor a model knows any.

        Raises:
            ModelError: the model gave no usable answer.
        """
        state = self._asking.state
        if ambiguity_type == "time":
            return time_options(query, date.fromisoformat(state.today))
        if not state.judges:
            return ClarificationOutput()
        settings = await asyncio.to_thread(research_settings, self._asking.services, state)
        found = await self._asking.ask(
            "clarification",
            "analyst",
            "research_clarification",
            ClarificationOutput,
            settings.critic_timeout,
            query=query,
            ambiguity=ambiguity_type,
            today=state.today,
        )
        options = [option for option in found.options if option.label.strip() and _dated(option)]
        distinct = list({option.label.strip(): option for option in options}.values())[:MOST_OPTIONS]
        enough = len(distinct) >= LEAST_OPTIONS
        return ClarificationOutput(question=found.question, options=distinct if enough else [])


class Choice(BaseModel):
    """What a person answers: the number of an option from 1, its label, or "all"."""

    model_config = ConfigDict(extra="ignore")

    option: int | str = ALL


def question_of(query: str, ambiguity: AmbiguityType | None, readings: ClarificationOutput) -> dict[str, Any]:
    """The value of the interrupt."""
    words = {
        "time": "Which time do you mean?",
        "scope": "How wide is it meant?",
        "entity": "Which do you mean?",
    }
    return {
        "kind": "clarification",
        "query": query,
        "ambiguity_type": ambiguity,
        "question": readings.question or words.get(ambiguity or "", "What do you mean?"),
        "options": [option.model_dump(mode="json") for option in readings.options],
        "all": ALL,
    }


def answer_text(answer: object) -> str:
    """The words of an answer: of its `option`, where it has one."""
    if isinstance(answer, dict):
        answer = answer.get("option", ALL)
    words = "" if answer is None else str(answer)
    return " ".join(words.encode("utf-8", "replace").decode("utf-8").split())[:LONGEST_ANSWER]


def chosen(answer: object, readings: ClarificationOutput) -> ClarificationOption | None:
    """The option an answer names: by number from 1, by label; None for "all" and anything else."""
    text = answer_text(answer)
    number = _number(text)
    if 1 <= number <= len(readings.options):
        return readings.options[number - 1]
    return next(
        (one for one in readings.options if answer_text(one.label).casefold() == text.casefold()), None
    )


def means_all(answer: str, readings: ClarificationOutput) -> bool:
    """True if an answer that names no reading says so: "all", its number, or nothing."""
    return answer.casefold() in ALL_WORDS or _number(answer) == len(readings.options) + 1


def not_a_reading(answer: str) -> str:
    """What is told of an answer that is none of those offered."""
    return f"The answer {quoted(answer)[:60]!r} names none of the readings, so the query was taken as it is."


def _number(text: str) -> int:
    """The number a text is, 0 if it is none; digits that count for nothing, as in "²", are none."""
    return int(text) if text.isdecimal() and len(text) <= NUMBER_DIGITS else 0


def time_options(query: str, today: date) -> ClarificationOutput:
    """Readings of an open time, by code."""
    chinese = re.search(rf"[{CJK}]", query) is not None
    spans = (
        ("最近一個月", "the last month", 31),
        ("最近一年", "the last year", 366),
        ("最近五年", "the last 5 years", 1827),
    )
    options = [
        ClarificationOption(
            label=zh if chinese else en,
            start=(today - timedelta(days=days)).isoformat(),
            end=today.isoformat(),
        )
        for zh, en, days in spans
    ]
    question = "您指的是哪一段時間？" if chinese else "Which time do you mean?"
    return ClarificationOutput(question=question, options=options)


def beginning(services: Services, state: ResearchState) -> dict[str, Any]:
    """What the run rests on from its first step on, so that a resumed or replayed one rests on the same.

    Raises:
        TraceUnwritable: its logs would lie outside of the root, by a link.
        ReplayImpossible: the manifest cannot be used.
    """
    settings = research_settings(services, state)
    # Refused before any model is asked.
    iterations_directory(services.root, services.settings)
    limits = ResearchLimits(
        enabled=settings.enabled,
        iterations=settings.max_iterations,
        searches=settings.max_searches,
        rewrites=settings.max_rewrites,
    )
    asked = Asked(
        query=state.query,
        temporal_context=state.temporal_context,
        clarify=state.clarify,
        ambiguity=state.ambiguity,
    )
    if state.replay:
        recorded = load_manifest(state.replay)
        return {
            "asked": asked,
            "query_id": state.query_id or recorded.query_id,
            "today": recorded.today,
            "seed": recorded.seed,
            "judges": recorded.judges,
            "models": recorded.models,
            "windows": recorded.windows,
            "limits": limits,
        }
    today = datetime.now(UTC).date().isoformat()
    return {
        "asked": asked,
        "query_id": state.query_id or thread_id() or _query_id(state.query),
        "today": today,
        "seed": secrets.token_hex(16),
        "judges": _can_judge(services.models),
        "models": {role: services.models.model_name(role) for role in ROLES},
        "windows": {role: services.models.window(role) for role in ROLES},
        "limits": limits,
    }


def anew() -> dict[str, Any]:
    """What a run of an earlier query left in the thread, put back to its beginning."""
    fresh = ResearchState()
    return {name: getattr(fresh, name) for name in ResearchState.model_fields if name not in GIVEN}


def _can_judge(models: RoleModels) -> bool:
    return all(models.can_judge(role) for role in ROLES)


def _query_id(query: str) -> str:
    digest = hashlib.sha256(query.encode("utf-8", "backslashreplace")).hexdigest()
    return f"research-{datetime.now(UTC):%Y%m%d-%H%M%S}-{digest[:QUERY_ID_CHARS]}"


def _dated(option: ClarificationOption) -> bool:
    """True if the bounds, where there are any, are dates in order."""
    try:
        checked(TemporalContext(start=option.start, end=option.end))
    except TimeInvalid:
        return False
    return True
