"""A goal that leans on what was said before in the thread, read as one that stands alone.

What was said before only tells what the words of the goal mean; it is no evidence. The goal as it was read
is shown to the person, and the run goes on as if it had been asked in these words. Code reads the plain
cases: one part exchanged for another of its kind, or one file meant by "it". A model that can judge reads the
others, and may use no word that was not said. A goal that is not read is not guessed at.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field

from configs.prompting import render
from memory.recipes.changes import wants_change
from models.errors import ModelReplyInvalid
from nodes.errors import GoalError
from nodes.reflective.emit import progress
from nodes.reflective.exchange import exchanged, leaning, named_once, words_of
from nodes.reflective.services import Services
from nodes.reflective.state import ReasoningState, RoleUsage, Turn, add_usage

KEPT_TURNS = 3
GOAL_CHARS = 500
ANSWER_CHARS = 800
# Words this short carry no name; function words may come and go when a request is rewritten.
SHORT = 3


class Rewritten(BaseModel):
    """The model's reply."""

    model_config = ConfigDict(extra="ignore")

    request: str = Field(max_length=2000)
    complete: bool


@dataclass(frozen=True)
class Read:
    """How a goal was read.

    Attributes:
        goal: what is asked, in words that stand alone.
        said: the person's own words, if they were others; else empty.
        notes: remarks for the reader.
        usage: model calls so far.
    """

    goal: str
    said: str
    notes: list[str]
    usage: dict[str, RoleUsage]


async def read_in_thread(goal: str, state: ReasoningState, services: Services) -> Read:
    """Read a goal in the light of the turns before it.

    Raises:
        GoalError: it is a part of a question, and nothing before says of which.
    """
    lean = leaning(goal) if state.turns else None
    if lean is None:
        return Read(goal, "", [], {})
    usage: dict[str, RoleUsage] = {}
    by, read = "code", await asyncio.to_thread(_by_code, goal, state.turns, services.root)
    if read is None and services.models.can_judge("planner"):
        by = "model"
        read, usage = await _by_model(goal, state, services)
    if read is not None and (not wants_change(read) or wants_change(goal)):
        progress("follow_up", said=goal, read_as=read, by=by)
        return Read(read, goal, [f"Read as: {read}"], usage)
    if lean == "part":
        raise GoalError(
            f"What {goal!r} asks for is not clear from what was said before.",
            "Say it in full, in one request.",
        )
    return Read(goal, "", ["Read on its own, without what was said before in this thread."], usage)


def with_turn(state: ReasoningState, answer: str, status: str) -> list[Turn]:
    """The turns a thread is to remember, this one the last."""
    said = (state.said or state.goal)[:GOAL_CHARS]
    turn = Turn(goal=state.goal[:GOAL_CHARS], answer=answer[:ANSWER_CHARS], status=status, said=said)
    return [*state.turns, turn][-KEPT_TURNS:]


def _by_code(goal: str, turns: Sequence[Turn], root: Path) -> str | None:
    last = turns[-1]

    def exists(path: str) -> bool:
        place = (root / path).resolve()
        return place.is_relative_to(root) and place.exists()

    return exchanged(goal, last.goal, exists) or named_once(goal, last.answer, last.goal, exists)


async def _by_model(
    goal: str, state: ReasoningState, services: Services
) -> tuple[str | None, dict[str, RoleUsage]]:
    """The planner's reading, if every name in it was said, and every word of the goal is in it."""
    fence = f"====={secrets.token_hex(8)}====="
    earlier = "\n".join(f"Request: {turn.goal}\nAnswer: {turn.answer}" for turn in state.turns)
    prompt = render("follow_up", fence=fence, earlier=earlier)
    progress("model_call", role="planner", attempt=1)
    asked = [SystemMessage(prompt), HumanMessage(goal)]
    # The state before this run tells what was said, not what this run has cost.
    fresh = ReasoningState()
    try:
        reply = await services.models.structured("planner", asked, Rewritten)
    except ModelReplyInvalid as invalid:
        return None, add_usage(fresh, "planner", invalid.usage)
    usage = add_usage(fresh, "planner", reply.usage)
    rewritten = " ".join(reply.value.request.split())
    return (rewritten if reply.value.complete and holds(rewritten, goal, earlier) else None), usage


def holds(rewritten: str, goal: str, earlier: str) -> bool:
    """True if a rewriting adds no name that was not said and drops none that was.

    Args:
        rewritten: the goal as a model would have it.
        goal: as the person said it.
        earlier: what was said before.
    """
    said = words_of(f"{goal}\n{earlier}")
    made = words_of(rewritten)
    added = {word for word in made - said if len(word) > SHORT or not word.isalpha()}
    dropped = {
        word for word in words_of(goal, content=True) - made if len(word) > SHORT or not word.isalpha()
    }
    return bool(rewritten) and not added and not dropped
