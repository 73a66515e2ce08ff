"""FINISH: how the game ended. What was made for it goes, unless its thread may still be forked or resumed."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from memory.project_directory import linked_parent
from nodes.errors import GameDamaged
from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import close_models, services_of, thread_id
from nodes.tutor.engine import Tutor
from nodes.tutor.export import texts_of_game, unsealed
from nodes.tutor.open_games import forget, tutor_of
from nodes.tutor.replaying import replay_problems
from nodes.tutor.state import Status, TutorState


async def finish(state: TutorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Sum up the game. It is won only if the engine says so, and says it again."""
    await close_models(runtime)
    update = await _result(state, runtime)
    progress(
        "tutor_end",
        status=update["status"],
        ended=update["ended"] or "",
        turns=len(state.turns),
        score=state.score,
    )
    forget(state.name)
    if state.place and not thread_id():
        await asyncio.to_thread(_remove, Path(state.place))
    return update


async def _result(state: TutorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    if state.failure is not None and state.failure.node != "player":
        return {"status": "error", "ended": None, "answer": [], "justification": 0.0}
    engine = await tutor_of(state, await services_of(runtime))
    # Without a model, or without a step of the graph left, nobody moves any more.
    engine.give_up("turns" if state.failure is None else "player")
    if engine.is_won:
        await _check(engine)
    status: Status = "won" if engine.is_won else "lost"
    justification = await asyncio.to_thread(engine.justification)
    return {
        "status": status,
        "ended": engine.ended,
        "answer": list(engine.answer),
        "justification": justification,
    }


async def _check(engine: Tutor) -> None:
    """A win is told only if the same moves win again: a state may be edited from outside, turns and all.

    Raises:
        GameDamaged: they do not, or the records they rest on are lost.
    """
    document = unsealed(engine)
    problems = await replay_problems(document, texts_of_game(document), engine.game)
    if problems:
        raise GameDamaged(
            f"The game {engine.name} says that it is won, and is not when it is played again: {problems[0]}",
            "Begin a new game.",
        )


def _remove(place: Path) -> None:
    """Remove what was made for a game; nothing is removed through a link."""
    if linked_parent(place) is None and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
