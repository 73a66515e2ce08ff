"""One game of one seed in one arm: a model plays it through the graph, another player through the engine."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from configs.tutor import Arm
from evals.report import Case, Planned
from evals.tutor.at_engine import played
from evals.tutor.field import is_player, player_of
from evals.tutor.recorded import Played, case_of
from nodes.reflective.context import RunContext
from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from nodes.tutor.games.generating import generate
from nodes.tutor.helping.node_data import claim_of
from nodes.tutor.proof_graph import Node
from nodes.tutor.state import TutorState
from nodes.tutor.turns import Turn

# No memory, no trace: a game must not learn from the one before it.
ALONE: dict[str, Any] = {"experience.enabled": False, "traces.enabled": False}


def settings_of(arm: Arm) -> dict[str, Any]:
    """Settings of a run of the graph, by dotted key."""
    return {**ALONE, "tutor.arm": arm}


async def run_case(planned: Planned) -> Case:
    """Play a game, and say what came of it.

    Raises:
        UsageError: there is no such player.
        UnknownGame: there is no such game.
        ReflectError: a player's game met an error that is not the player's.
    """
    game = generate(planned.id, planned.seed)
    arm: Any = planned.variant
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="reflect-play-") as root:
        if is_player(planned.model):
            found = await _by_player(planned.model, game, arm, Path(root))
        else:
            found = await _by_graph(planned.model, game, arm, root)
    seconds = round(time.perf_counter() - started, 3)
    return case_of(planned, game, found).model_copy(update={"seconds": seconds})


async def _by_player(model: str, game: Game, arm: Arm, root: Path) -> Played:
    tutor = await played(game, player_of(model, game), arm, model, root)
    return Played(
        turns=tutor.turns,
        ended=tutor.ended,
        won=tutor.is_won,
        answer=[claim_of(tutor.graph.nodes[name]) for name in tutor.answer],
        score=tutor.score,
        justification=tutor.justification(),
    )


async def _by_graph(model: str, game: Game, arm: Arm, root: str) -> Played:
    # Takes time to import, which `--help` and games without a model need not pay.
    from graph.tutor import play

    context = RunContext(root=root, model=model, settings=settings_of(arm))
    return of_state(TutorState.model_validate(await play(game.id, game.seed, run=context)))


def of_state(state: TutorState) -> Played:
    """A game that was played through the graph."""
    return Played(
        turns=[Turn.model_validate(turn) for turn in state.turns],
        ended=state.ended,
        won=state.status == "won",
        answer=[_claim(state, name) for name in state.answer],
        score=state.score,
        justification=state.justification,
        usage=state.usage,
        failure=state.failure.what if state.failure is not None else "",
    )


def _claim(state: TutorState, name: str) -> Claim:
    return claim_of(Node.model_validate(state.nodes[name]))
