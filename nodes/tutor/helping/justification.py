"""How well an answer is justified."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.tutor.games.game import Game
from nodes.tutor.proof_graph import ProofGraph


def score_of(game: Game, graph: ProofGraph, answer: Sequence[str]) -> float:
    """How well the evidence of an answer's claims covers what was expected, 0 to 1.

    Args:
        game: it answers.
        graph: of the game.
        answer: names of claims.
    """
    return 0.0
