"""Cards: what a player who is stuck is told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from nodes.tutor.games.game import Game
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.turns import Turn


@dataclass(frozen=True)
class Card:
    """One card.

    Attributes:
        name: of the card.
        text: for the player.
    """

    name: str
    text: str


def card_for(
    patterns: Sequence[str], turns: Sequence[Turn], graph: ProofGraph, shown: Collection[str], game: Game
) -> Card | None:
    """The card for what `failures.detect` found; None if there is none left."""
    return None
