"""When enough is proved: tell the player to answer, and at last answer for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from nodes.tutor.games.game import Game
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.turns import Turn


@dataclass(frozen=True)
class Advice:
    """What should happen next.

    Attributes:
        kind: nothing; tell the player to answer; or compose the answer.
        text: for the player.
        claims: that make the answer, if it is composed.
    """

    kind: Literal["none", "nudge", "compose"] = "none"
    text: str = ""
    claims: tuple[str, ...] = ()


def advice_of(game: Game, graph: ProofGraph, turns: Sequence[Turn]) -> Advice:
    """What the state of the proof asks for."""
    return Advice()
