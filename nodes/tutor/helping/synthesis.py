"""When there is enough to answer: the player is told so twice, then code answers from validated claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from configs.prompting import render
from nodes.tutor.games.game import Game
from nodes.tutor.helping.settling import untried_answer
from nodes.tutor.proof_graph import ProofGraph
from nodes.tutor.turns import Turn

NUDGE = "nudge"
"""What `Turn.helped` holds for a turn whose answer carried a nudge."""
MOST_NUDGES = 2
_WINDOW = 8


@dataclass(frozen=True)
class Advice:
    """What to do now.

    Attributes:
        kind: nudge: tell the player `text`, and note `NUDGE` among the turn's helps; compose: answer with
            `claims` in the player's place; none: nothing.
        text: for the player; "" for none.
        claims: validated, one for each target, in the order of the targets; empty for none.
    """

    kind: Literal["none", "nudge", "compose"]
    text: str = ""
    claims: tuple[str, ...] = ()


def advice_of(game: Game, graph: ProofGraph, turns: Sequence[Turn]) -> Advice:
    """Advice after the last turn; nothing as long as a target is open, or if the same answer was rejected.

    Args:
        game: what has to be settled.
        graph: of the game, with the last turn in it.
        turns: all until now; nudges are looked for in the last eight. One is not followed if another turn
            was played after it, since an answer that is accepted ends the game.
    """
    claims = untried_answer(game, graph, turns)
    if not claims:
        return Advice("none")
    unheeded = sum(NUDGE in turn.helped for turn in turns[-_WINDOW:-1])
    named = ", ".join(claims)
    if unheeded < MOST_NUDGES:
        return Advice("nudge", render("tutor_nudge", claims=named), claims)
    return Advice("compose", render("tutor_compose", claims=named), claims)
