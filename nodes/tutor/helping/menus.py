"""Menus: legal moves a player may choose from, built from what the game showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nodes.tutor.games.game import Game
from nodes.tutor.moves import Move
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.turns import Turn


@dataclass(frozen=True)
class MenuItem:
    """One move that is offered.

    Attributes:
        label: in words.
        move: the move.
    """

    label: str
    move: Move


def menu_of(game: Game, graph: ProofGraph, turns: Sequence[Turn], size: int = 8) -> tuple[MenuItem, ...]:
    """Moves to choose from, at most `size`."""
    return ()
