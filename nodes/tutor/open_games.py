"""Games that are played in this process: one live engine each, which a state is held against."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

from configs.settings import ToolSettings
from nodes.errors import GameDamaged
from nodes.reflective.services import Services
from nodes.tutor.bulk import observation_store, packed, unpacked
from nodes.tutor.engine import Tutor
from nodes.tutor.games.game import Game, Target
from nodes.tutor.games.generating import generate
from nodes.tutor.observing.observing import Observer
from nodes.tutor.parsing import dumped
from nodes.tutor.proof_graph import Edge, ProofGraph
from nodes.tutor.state import TutorState
from nodes.tutor.turns import Turn

MOST_OPEN = 64
FREE = "free"


class _OpenGames:
    """Engines by the game's name; the oldest are dropped, and made anew from their state."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Tutor] = OrderedDict()
        self._lock = Lock()

    def at(self, name: str, turns: int, digest: str) -> Tutor | None:
        """The engine that stands where a state does."""
        with self._lock:
            tutor = self._games.get(name)
        fits = tutor is not None and len(tutor.turns) == turns and tutor.digest == digest
        return tutor if fits else None

    def keep(self, tutor: Tutor) -> None:
        with self._lock:
            self._games[tutor.name] = tutor
            self._games.move_to_end(tutor.name)
            while len(self._games) > MOST_OPEN:
                self._games.popitem(last=False)

    def drop(self, name: str) -> None:
        with self._lock:
            self._games.pop(name, None)


_OPEN = _OpenGames()


def game_of(state: TutorState) -> Game:
    """The game a state is about: generated anew from its seed, or the caller's own goal.

    Raises:
        UnknownGame: there is none of that id.
        pydantic.ValidationError: a target of a free game is none.
    """
    if state.game != FREE:
        return generate(state.game, state.seed)
    return free_game(state.goal, [Target.model_validate(target) for target in state.targets])


def free_game(goal: str, targets: list[Target]) -> Game:
    """A game about a directory of the user's own.

    Args:
        goal: the task, in words.
        targets: forms of the claims that answer it; without any, every proved claim may be the answer.
    """
    return Game(id=FREE, seed=0, band="search", title="A free game", goal=goal, targets=tuple(targets))


async def tutor_of(state: TutorState, services: Services) -> Tutor:
    """The engine of a game, at the place where its state is.

    One that lives in this process and stands there is taken; else it is made from the state: after a kill, in
    another process, or on a fork.

    Raises:
        GameDamaged: the turns of the state are not those that were played.
        ReflectError: the game cannot be made.
    """
    tutor = _OPEN.at(state.name, len(state.turns), state.digest)
    if tutor is None:
        tutor = await asyncio.to_thread(stored_game, state, services.settings.tools)
        _OPEN.keep(tutor)
    return tutor


def forget(name: str) -> None:
    """Drop the engine of a game that is over."""
    _OPEN.drop(name)


def changes_of(tutor: Tutor, place: str) -> dict[str, Any]:
    """What is new of a graph, as an update of the state; blocking.

    Args:
        tutor: of the game.
        place: the directory that was made for it.

    Raises:
        ContentUnwritable: a large observation cannot be stored.
    """
    changes, store = tutor.drained(), observation_store(place)
    return {
        "nodes": {node.id: packed(node, store) for node in changes.nodes},
        "edges": [dumped(edge) for edge in changes.edges],
    }


def stored_game(state: TutorState, tools: ToolSettings) -> Tutor:
    """The engine of a game, made from its state; blocking.

    Args:
        state: of its thread.
        tools: of the sandbox in which it goes on.

    Raises:
        GameDamaged: the turns of the state are not those that were played.
        ReflectError: the game cannot be made.
    """
    store = observation_store(state.place)
    nodes = {name: unpacked(data, store) for name, data in state.nodes.items()}
    graph = ProofGraph(nodes, [Edge.model_validate(edge) for edge in state.edges])
    turns = [Turn.model_validate(turn) for turn in state.turns]
    observer = Observer(Path(state.directory), tools, state.name)
    # An end that is no turn; what else ended a game is read in its turns.
    ended = state.ended if state.ended in ("player", "turns") else None
    tutor = Tutor(game_of(state), state.name, observer, state.settings, graph=graph, turns=turns, ended=ended)
    if (state.digest or turns) and tutor.digest != state.digest:
        raise GameDamaged(
            f"The turns of the game {state.name} are not those that were played.", "Begin a new game."
        )
    return tutor
