"""The state of a proof game in a graph run: small JSON. The engine is made of it, and what is new goes back.

A turn adds one entry to `turns`, and the nodes and edges it brought; nothing is read and written as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from langgraph.managed import RemainingSteps
from pydantic import BaseModel, Field

from configs.tutor import TutorSettings
from nodes.reflective.state import Failure, RoleUsage
from nodes.tutor.turns import EndReason

Status = Literal["running", "won", "lost", "error"]


def appended(before: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    """Both lists."""
    return [*before, *new]


def merged(before: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Nodes added, or put in the place of those that changed; their order stays."""
    return {**before, **new}


class TutorState(BaseModel):
    """Everything a game knows.

    Attributes:
        game: B01 to B10, or "free" for a goal of the caller's own.
        seed: of a generated game.
        goal: of a free game: the task, in words; of a generated one as it is generated.
        targets: of a free game: the forms of the claims that answer it, `Target`s; none for any claims.
        about: of a free game: the directory it is about; "" for the root, where a search finds the records of
            the run as well, which change with every turn.
        name: of this game; no other has it.
        directory: the sandbox: that of `about` or the root for a free game, else one in `place`.
        place: directory that was made for the game, with its files and its large observations.
        settings: of the game, every field decided.
        model: provider:model that plays, or "person".
        turns: `Turn`s, in order.
        nodes: of the proof graph, by name.
        edges: of the proof graph, in order.
        digest: of the turns, by which an engine in this process knows whether it is at the same place.
        move: what the player gave last and the tutor has not played yet.
        score: points until now.
        ended: why the game ended.
        status: running; won; lost; error: something other than the game ended it.
        answer: names of the claims that won it.
        justification: how well they are justified, 0 to 1.
        usage: cost of the player's calls.
        cut: characters at most that one prompt had to lose to fit the window.
        notes: for people.
        failure: an exception that ended it.
    """

    game: str = "B01"
    seed: int = 0
    goal: str = ""
    targets: list[Any] = Field(default_factory=list)
    about: str = ""

    name: str = ""
    directory: str = ""
    place: str = ""
    settings: TutorSettings = TutorSettings()
    model: str = ""
    turns: Annotated[list[Any], appended] = Field(default_factory=list)
    nodes: Annotated[dict[str, Any], merged] = Field(default_factory=dict)
    edges: Annotated[list[Any], appended] = Field(default_factory=list)
    digest: str = ""
    move: Any = None
    score: int = 0
    ended: EndReason | None = None
    status: Status = "running"
    answer: list[str] = Field(default_factory=list)
    justification: float = 0.0
    usage: RoleUsage = RoleUsage()
    cut: int = 0
    notes: list[str] = Field(default_factory=list)
    failure: Failure | None = None

    remaining_steps: RemainingSteps = 100
