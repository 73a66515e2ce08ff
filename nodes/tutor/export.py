"""A game as one JSON document: everything that is needed to play it again, and one text for one game."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from configs.tutor import TutorSettings
from nodes.reflective.services import Services
from nodes.tutor.engine import Tutor
from nodes.tutor.games.game import Game
from nodes.tutor.open_games import FREE, tutor_of
from nodes.tutor.parsing import canonical
from nodes.tutor.proof_graph import Edge, Node
from nodes.tutor.recording import wanted
from nodes.tutor.state import TutorState
from nodes.tutor.turns import EndReason, Turn

Format = Literal["reflective-graph/tutor-game"]
Version = Literal[1]
_LONG = ("turns", "nodes", "edges")
NAME = r"^[A-Za-z0-9._-]{1,100}$"


class Played(BaseModel):
    """Which game it was.

    Attributes:
        id, seed: of a generated game; "free" and 0 else.
        goal: the task.
        targets: of a free game; those of a generated one come with it.
        files: SHA-256 of its files, in hexadecimal digits; "" for a free game.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    seed: int
    goal: str
    targets: tuple[dict[str, Any], ...] = ()
    files: str = ""


class Document(BaseModel):
    """An exported game.

    Attributes:
        format, version: of the document; whoever changes the meaning of a field raises the version.
        game: which one.
        name: of this game.
        settings: that it was played with.
        turns: in order.
        nodes: of the proof graph, in the order they were added; observations are whole.
        edges: in the order they were added.
        ended: why it ended; None for a game that goes on.
        won: True if the answer was accepted.
        answer: names of the claims that were.
        score: points.
        justification: of the answer, 0 to 1.
        digest: of the turns, as `Tutor.digest`.
        seal: SHA-256 of all the other fields.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Format = "reflective-graph/tutor-game"
    version: Version = 1
    game: Played
    name: str = Field(pattern=NAME)
    settings: TutorSettings
    turns: tuple[Turn, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    ended: EndReason | None
    won: bool
    answer: tuple[str, ...]
    score: int
    justification: float = Field(ge=0, le=1)
    digest: str
    seal: str = ""


def document_of(tutor: Tutor) -> Document:
    """A game as it stands, sealed."""
    document = unsealed(tutor)
    return document.model_copy(update={"seal": seal_of_texts(texts_of_game(document))})


def unsealed(tutor: Tutor) -> Document:
    """A game as it stands, without a seal."""
    return Document(
        game=played(tutor.game),
        name=tutor.name,
        settings=tutor.settings,
        turns=tuple(tutor.turns),
        nodes=tuple(tutor.graph.nodes.values()),
        edges=tuple(tutor.graph.edges.values()),
        ended=tutor.ended,
        won=tutor.is_won,
        answer=tuple(tutor.answer),
        score=tutor.score,
        justification=tutor.justification(),
        digest=tutor.digest,
    )


def export(tutor: Tutor) -> bytes:
    """The document of a game: ASCII, sorted keys, no white space between, a final newline."""
    texts = texts_of_game(unsealed(tutor))
    return put_together({**texts, "seal": canonical(seal_of_texts(texts))})


async def export_of(state: TutorState, services: Services) -> bytes:
    """The document of a game from the state of its thread.

    Raises:
        GameDamaged: the turns of the state are not those that were played.
        ReflectError: the game cannot be made.
    """
    return export(await tutor_of(state, services))


def written(document: dict[str, Any]) -> bytes:
    """A JSON document in the one form it has."""
    return put_together(texts_of(document))


def texts_of(document: Mapping[str, Any]) -> dict[str, str]:
    """What stands in a JSON document for each field; a game is long, and this is made once of it."""
    return {name: canonical(value) for name, value in document.items()}


def texts_of_game(document: Document) -> dict[str, str]:
    """The same of a document that is typed."""
    long = {name: text_of_all(getattr(document, name)) for name in _LONG}
    return {**texts_of(document.model_dump(mode="json", exclude=set(_LONG))), **long}


def text_of_all(values: Sequence[BaseModel]) -> str:
    """Turns, nodes or edges as they stand in a document; they hold nothing but JSON, and are not copied."""
    return canonical([vars(value) for value in values])


def seal_of(document: dict[str, Any]) -> str:
    """SHA-256, in hexadecimal digits, of everything but the seal."""
    return seal_of_texts(texts_of(document))


def seal_of_texts(texts: Mapping[str, str]) -> str:
    """The seal of a document by its `texts_of`."""
    return hashlib.sha256(put_together({**texts, "seal": canonical("")})).hexdigest()


def put_together(texts: Mapping[str, str]) -> bytes:
    """A document by its `texts_of`."""
    fields = ",".join(f"{canonical(name)}:{texts[name]}" for name in sorted(texts))
    return f"{{{fields}}}\n".encode("ascii")


def played(game: Game) -> Played:
    """What a document says of a game."""
    if game.id == FREE:
        return Played(id=FREE, seed=0, goal=game.goal, targets=tuple(wanted(one) for one in game.targets))
    files = hashlib.sha256(canonical(game.files).encode("ascii")).hexdigest()
    return Played(id=game.id, seed=game.seed, goal=game.goal, files=files)
