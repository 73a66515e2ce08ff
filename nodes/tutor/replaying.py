"""A recorded game, played again move by move: the same observations have to bring the same turns and graph.

Observations are taken as they were recorded, if their seals hold; facts, verdicts, statuses, edges, points
and the end are made anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ValidationError

from nodes.errors import CallRecordedAsFailed
from nodes.tutor.engine import Tutor
from nodes.tutor.export import Document, text_of_all, unsealed
from nodes.tutor.games.game import Game
from nodes.tutor.known import is_whole
from nodes.tutor.moves import Request
from nodes.tutor.observations import Observation
from nodes.tutor.parsing import canonical, dumped
from nodes.tutor.proof_graph import Edge, Node
from nodes.tutor.turns import Turn

MOST_TOLD = 20
LONGEST_TOLD = 200


class Recorded:
    """An observer that gives what was observed then.

    Args:
        document: of the game.

    Attributes:
        turns: of the game that is played again, to which its engine adds; the tutor's own are among them.
    """

    def __init__(self, document: Document) -> None:
        self._observations = {node.id: node for node in document.nodes if node.kind == "observation"}
        self._calls = {node.turn: node.data for node in document.nodes if node.kind == "action"}
        self._stale = {turn.number: set(turn.stale) for turn in document.turns}
        self._game = document.name
        self.turns: Sequence[Turn] = ()

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
        return observation.id not in self._stale.get(len(self.turns) + 1, set())


async def replay_problems(document: Document, texts: Mapping[str, str], game: Game) -> list[str]:
    """Play the moves again, with the observations of then; everything that comes of it otherwise than then.

    Args:
        document: of the game.
        texts: of the document's fields, as `export.texts_of`.
        game: as it is generated, or as its document says a free one is.
    """
    broken = list(_broken_seals(document))
    if broken:
        told = [f"The observation {name} was changed: its seal is broken." for name in broken[:MOST_TOLD]]
        return [*told, "It cannot be played again with observations that were changed."]
    recorded = Recorded(document)
    tutor = Tutor(game, document.name, recorded, document.settings)
    recorded.turns = tutor.turns
    for turn in document.turns:
        if turn.by == "player" and tutor.ended is None:
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


def _broken_seals(document: Document) -> Iterator[str]:
    """Names of the observations that are not as they were sealed."""
    for node in document.nodes:
        if node.kind == "observation":
            try:
                intact = Observation.model_validate(node.data).intact
            except ValidationError:
                intact = False
            if not intact:
                yield node.id


def _text(value: BaseModel) -> str:
    """One text for one value: 1, 1.0 and true are three."""
    return canonical(dumped(value))


def _short(value: object) -> str:
    return str(value)[:LONGEST_TOLD]
