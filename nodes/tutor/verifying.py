"""An exported game, proved again: replayed move by move, and every tool call of a generated game made again.

Nothing of the document is believed. Its observations are taken as they were recorded, if their seals hold;
facts, verdicts, statuses, edges, points and the end are made anew and have to be the same. Where the game can
be generated, its files are laid out anew, and each call has to print there what it printed then. The files of
a free game are not at hand: there the recorded output is what the proof rests on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from nodes.errors import CallRecordedAsFailed, UnknownGame
from nodes.tutor.calling_again import called_again
from nodes.tutor.engine import Tutor
from nodes.tutor.export import Document, document_of, played, seal_of, written
from nodes.tutor.games.game import Game, Target
from nodes.tutor.games.generating import generate
from nodes.tutor.known import is_whole
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.open_games import FREE, free_game
from nodes.tutor.parsing import canonical, dumped
from nodes.tutor.proof_graph import Node
from nodes.tutor.turns import Turn

LARGEST = 64 * 1024 * 1024
DEEPEST = 64
"""Levels; a move has at most 16, and an observation of it a few more."""
MOST_TOLD = 20
LONGEST_TOLD = 200


class Recorded:
    """An observer that gives what was observed then.

    Args:
        document: of the game.

    Attributes:
        turn: number of the turn being played.
    """

    def __init__(self, document: Document) -> None:
        self._observations = {node.id: node for node in document.nodes if node.kind == "observation"}
        self._calls = {node.turn: node.data for node in document.nodes if node.kind == "action"}
        self._stale = {turn.number: set(turn.stale) for turn in document.turns}
        self._game = document.name
        self.turn = 0

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """The observation of that name, if it was made in that turn.

        Raises:
            CallRecordedAsFailed: there was none; with the words of then.
        """
        node = self._observations.get(id)
        if node is not None and node.turn == turn and is_whole(node):
            observation = Observation.model_validate(node.data)
            if (observation.id, observation.turn, observation.game) == (id, turn, self._game):
                return observation
        call = self._calls.get(turn, {})
        failure = CallRecordedAsFailed(str(call.get("refused", "No observation was recorded.")))
        failure.kind = "launch" if call.get("broken") else "refused"
        raise failure

    def is_fresh(self, observation: Observation) -> bool:
        """True unless it was found to tell of the past in the turn being played."""
        return observation.id not in self._stale.get(self.turn, set())


def verify(document: bytes) -> list[str]:
    """What is wrong with an exported game; empty if all of it is proved again.

    Blocking, and starts an event loop of its own; within one, use `verified`.
    """
    return asyncio.run(verified(document))


async def verified(document: bytes) -> list[str]:
    """What is wrong with an exported game; empty if all of it is proved again."""
    value, problems = _read(document)
    if not isinstance(value, dict):
        return problems or ["It is no JSON object."]
    try:
        typed = Document.model_validate(value)
        if written(dumped(typed)) != document:
            problems.append("It is not in the form in which games are written: a value has another type.")
        game = _game(typed)
    except ValidationError as error:
        return [*problems, *(_told(item) for item in error.errors(include_url=False)[:MOST_TOLD])]
    except UnknownGame as error:
        return [*problems, str(error)]
    if typed.seal != seal_of(value):
        problems.append("The seal is broken: something of it was changed.")
    problems += [f"The observation {name} was changed: its seal is broken." for name in _broken(typed)]
    if played(game) != typed.game:
        problems.append("The game generated from this id and seed is another one.")
    problems += await _replayed(typed, game)
    if game.id != FREE and not problems:
        problems += await called_again(typed, game)
    return problems


def _read(document: bytes) -> tuple[Any, list[str]]:
    """The JSON value, if it is written in its one form; else what is wrong."""
    if len(document) > LARGEST:
        return "", [f"It is larger than {LARGEST} bytes, more than any game is."]
    try:
        value = json.loads(document.decode("ascii"))
        problems = [] if written(value) == document else ["It is not in canonical form."]
    except (ValueError, RecursionError) as error:
        return "", [f"It is no JSON document: {str(error)[:LONGEST_TOLD]}."]
    if _depth(value) > DEEPEST:
        return "", ["It has more levels of lists and objects than any game has."]
    return value, problems


def _depth(value: object) -> int:
    """Levels of lists and objects; counted without recursion, since they are a stranger's."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            item
            for one in level
            if isinstance(one, dict | list)
            for item in (one.values() if isinstance(one, dict) else one)
        ]
    return depth


def _game(document: Document) -> Game:
    if document.game.id != FREE:
        return generate(document.game.id, document.game.seed)
    return free_game(document.game.goal, [Target.model_validate(target) for target in document.game.targets])


def _broken(document: Document) -> Iterator[str]:
    for node in document.nodes:
        if node.kind == "observation":
            try:
                intact = Observation.model_validate(node.data).intact
            except ValidationError:
                intact = False
            if not intact:
                yield node.id


async def _replayed(document: Document, game: Game) -> list[str]:
    """Play the moves again, and compare everything that comes of it."""
    if list(_broken(document)):
        return ["It cannot be played again with observations that were changed."]
    recorded = Recorded(document)
    tutor = Tutor(game, document.name, recorded, document.settings)
    for turn in document.turns:
        if turn.by == "player" and tutor.ended is None:
            recorded.turn = turn.number
            await tutor.play(turn.given)
    if tutor.ended is None and document.ended in ("player", "turns"):
        tutor.give_up(document.ended)
    return list(_differences(document, document_of(tutor)))


def _differences(document: Document, again: Document) -> Iterator[str]:
    yield from _different_turns(document.turns, again.turns)
    yield from _different_nodes(document.nodes, again.nodes)
    for edge in sorted(set(document.edges) ^ set(again.edges), key=str)[:MOST_TOLD]:
        which = "does not hold" if edge in document.edges else "is missing"
        yield f"The edge {edge.source} {edge.kind} {edge.target} of turn {edge.turn} {which}."
    if document.edges != again.edges:
        yield "The edges are not those of a replay, or in another order."
    for name in ("ended", "won", "answer", "score", "justification", "digest"):
        told, found = getattr(document, name), getattr(again, name)
        if told != found:
            yield f"`{name}` is {_short(found)} when it is played again, and {_short(told)} in the document."


def _different_turns(told: Sequence[Turn], again: Sequence[Turn]) -> Iterator[str]:
    if len(told) != len(again):
        yield f"It has {len(told)} turns, and {len(again)} when it is played again."
    for one, other in zip(told, again, strict=False):
        if _text(one) != _text(other):
            fields = [name for name in Turn.model_fields if getattr(one, name) != getattr(other, name)]
            yield f"Turn {one.number} differs when it is played again: {', '.join(fields)}."


def _different_nodes(told: Sequence[Node], again: Sequence[Node]) -> Iterator[str]:
    before: Mapping[str, Node] = {node.id: node for node in told}
    after: Mapping[str, Node] = {node.id: node for node in again}
    for name in sorted(before.keys() ^ after.keys())[:MOST_TOLD]:
        yield f"The node {name} {'does not come about' if name in before else 'is missing'}."
    for name in [name for name in before if name in after and _text(before[name]) != _text(after[name])][
        :MOST_TOLD
    ]:
        yield f"The node {name} differs when it is played again."
    if [node.id for node in told] != [node.id for node in again]:
        yield "The nodes are not those of a replay, or in another order."


def _told(item: Any) -> str:
    return f"{'.'.join(map(str, item['loc']))}: {item['msg']}"[:LONGEST_TOLD]


def _text(value: BaseModel) -> str:
    """One text for one value: 1, 1.0 and true are three."""
    return canonical(dumped(value))


def _short(value: object) -> str:
    return str(value)[:LONGEST_TOLD]
