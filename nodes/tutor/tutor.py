"""TUTOR: plays the move that was given, and writes down what came of it."""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from nodes.reflective.context import RunContext
from nodes.reflective.emit import progress
from nodes.reflective.services import services_of
from nodes.tutor.open_games import changes_of, tutor_of
from nodes.tutor.parsing import dumped
from nodes.tutor.state import TutorState


async def tutor(state: TutorState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Play one move; the turn, and what it brought to the graph, go to the state together.

    A node that runs again after a kill finds the game before the move: nothing was played twice.

    Raises:
        GameDamaged: the turns of the state are not those that were played.
        ReflectError: the observer, or the store of large observations, cannot be used.
    """
    services = await services_of(runtime)
    engine = await tutor_of(state, services)
    before = len(engine.turns)
    await engine.play(state.move)
    turns = engine.turns[before:]
    changes = await asyncio.to_thread(changes_of, engine, state.place)
    for turn in turns:
        progress(
            "tutor",
            turn=turn.number,
            move=turn.move,
            outcome=turn.outcome,
            message=turn.message,
            score=turn.score,
        )
    return {
        **changes,
        "turns": [dumped(turn) for turn in turns],
        "digest": engine.digest,
        "move": None,
        "score": engine.score,
        "ended": engine.ended,
        "notes": list(dict.fromkeys([*state.notes, *engine.lost])),
    }
