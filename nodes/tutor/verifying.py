"""An exported game, proved again: replayed move by move, and every tool call of a generated game made again.

Nothing of the document is believed. Its observations are taken as they were recorded, if their seals hold;
facts, verdicts, statuses, edges, points and the end are made anew and have to be the same. Where the game can
be generated, its files are laid out anew, and each call has to print there what it printed then. The files of
a free game are not at hand: there the recorded output is what the proof rests on.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from configs.settings import ToolSettings
from nodes.errors import CallRecordedAsFailed, GameNotWritten, UnknownGame
from nodes.tutor.engine import Tutor
from nodes.tutor.export import (
    Document,
    played,
    put_together,
    seal_of_texts,
    text_of_all,
    texts_of,
    texts_of_game,
    unsealed,
)
from nodes.tutor.games.game import Game, Target
from nodes.tutor.games.generating import generate
from nodes.tutor.games.writing import write_files
from nodes.tutor.known import is_whole
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.observing.observing import Observer
from nodes.tutor.open_games import FREE, free_game
from nodes.tutor.parsing import canonical, dumped
from nodes.tutor.proof_graph import Edge, Node
from nodes.tutor.turns import Turn
from tools.errors import ToolError

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
        self.turn = 0

    async def observe(self, request: Request, *, id: str, turn: int) -> Observation:
        """The observation of that name, if it was made in that turn.

        Raises:
            CallRecordedAsFailed: there was none; with the words of then.
        """
        node = self._observations.get(id)
        if node is not None and node.turn == turn and is_whole(node):
            return Observation.model_validate(node.data)
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
    value, texts, problems = _read(document)
    if not isinstance(value, dict):
        return problems or ["It is no JSON object."]
    try:
        typed = Document.model_validate(value)
        if texts_of_game(typed) != texts:
            problems.append("It is not in the form in which games are written: a value has another type.")
        game = _game(typed)
    except ValidationError as error:
        return [*problems, *(_told(item) for item in error.errors(include_url=False)[:MOST_TOLD])]
    except UnknownGame as error:
        return [*problems, str(error)]
    if typed.seal != seal_of_texts(texts):
        problems.append("The seal is broken: something of it was changed.")
    broken = list(_broken(typed))
    problems += [f"The observation {name} was changed: its seal is broken." for name in broken]
    if played(game) != typed.game:
        problems.append("The game generated from this id and seed is another one.")
    if broken:
        return [*problems, "It cannot be played again with observations that were changed."]
    problems += await _replayed(typed, texts, game)
    if game.id != FREE and not problems:
        problems += await _observed_again(typed, game)
    return problems


def _read(document: bytes) -> tuple[Any, dict[str, str], list[str]]:
    """The JSON value, the texts of its fields, and what is wrong if it is not written in its one form."""
    try:
        value = json.loads(document.decode("ascii"))
        texts = texts_of(value) if isinstance(value, dict) else {}
        canonical_form = put_together(texts) == document
    except (ValueError, RecursionError) as error:
        return "", {}, [f"It is no JSON document: {str(error)[:LONGEST_TOLD]}."]
    return value, texts, [] if canonical_form else ["It is not in canonical form."]


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


async def _replayed(document: Document, texts: Mapping[str, str], game: Game) -> list[str]:
    """Play the moves again, and compare everything that comes of it."""
    recorded = Recorded(document)
    tutor = Tutor(game, document.name, recorded, document.settings)
    for turn in document.turns:
        if turn.by == "player":
            recorded.turn = turn.number
            await tutor.play(turn.given)
    if tutor.ended is None and document.ended in ("player", "turns"):
        tutor.give_up(document.ended)
    return list(_differences(document, texts, unsealed(tutor)))


def _differences(document: Document, texts: Mapping[str, str], again: Document) -> Iterator[str]:
    """What differs; in which of the turns and nodes is looked for only if their texts are not the same."""
    if texts["turns"] != text_of_all(again.turns):
        yield from _different_turns(document.turns, again.turns)
    if texts["nodes"] != text_of_all(again.nodes):
        yield from _different_nodes(document.nodes, again.nodes)
    if document.edges != again.edges:
        yield from _different_edges(document.edges, again.edges)
    for name in ("ended", "won", "answer", "score", "justification", "digest"):
        told, found = getattr(document, name), getattr(again, name)
        if told != found:
            yield f"`{name}` is {_short(found)} when it is played again, and {_short(told)} in the document."


def _different_edges(told: Sequence[Edge], again: Sequence[Edge]) -> Iterator[str]:
    for edge in sorted(set(told) ^ set(again), key=str)[:MOST_TOLD]:
        which = "does not hold" if edge in told else "is missing"
        yield f"The edge {edge.source} {edge.kind} {edge.target} of turn {edge.turn} {which}."
    yield "The edges are not those of a replay, or in another order."


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


async def _observed_again(document: Document, game: Game) -> list[str]:
    """Lay the files of a generated game out anew, and make every call again."""
    problems = []
    with tempfile.TemporaryDirectory(prefix="tutor-verify-") as directory:
        sandbox = Path(directory) / "files"
        try:
            await asyncio.to_thread(write_files, game, sandbox)
        except GameNotWritten as error:
            return [f"Its calls cannot be made again: {error}"]
        observer = Observer(sandbox, ToolSettings(), document.name)
        observations = {node.turn: node for node in document.nodes if node.kind == "observation"}
        for node in document.nodes:
            if node.kind == "action" and "request" in node.data:
                problem = await _call_again(observer, node, observations.get(node.turn))
                problems += [problem] if problem else []
    return problems


async def _call_again(observer: Observer, action: Node, node: Node | None) -> str:
    """What is wrong with one call; "" if it does what it did."""
    if node is None and "refused" not in action.data:
        return ""
    try:
        request = Request.model_validate(action.data["request"])
        made = await observer.observe(request, id="o1" if node is None else node.id, turn=action.turn)
    except ValidationError:
        return f"The call of turn {action.turn} is none."
    except ToolError as error:
        return "" if node is None else f"The call of turn {action.turn} cannot be made again: {error}"
    if node is None:
        broken = action.data.get("broken")
        return "" if broken else f"The call of turn {action.turn} was refused, and is not when made again."
    fields = ("tool", "args", "returncode", "stdout", "truncated")
    again = dumped(made)
    different = [name for name in fields if _lines(again[name]) != _lines(node.data.get(name))]
    return f"The call of turn {action.turn} has another {', '.join(different)} now." if different else ""


def _lines(value: Any) -> Any:
    """Output by its lines in order: in which order a directory is read is the disk's affair."""
    return sorted(value.split("\n")) if isinstance(value, str) else value


def _told(item: Any) -> str:
    return f"{'.'.join(map(str, item['loc']))}: {item['msg']}"[:LONGEST_TOLD]


def _text(value: BaseModel) -> str:
    """One text for one value: 1, 1.0 and true are three."""
    return canonical(dumped(value))


def _short(value: object) -> str:
    return str(value)[:LONGEST_TOLD]
