"""Which games there are, and one of them from its seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from nodes.errors import UnknownGame
from nodes.tutor.games.breaking_change import breaking_change
from nodes.tutor.games.causal_line import causal_line
from nodes.tutor.games.clock_skew import clock_skew
from nodes.tutor.games.game import Game
from nodes.tutor.games.import_chain import import_chain
from nodes.tutor.games.import_cycle import import_cycle
from nodes.tutor.games.line_total import line_total
from nodes.tutor.games.scattered_clues import scattered_clues
from nodes.tutor.games.schema_mismatch import schema_mismatch
from nodes.tutor.games.session_rules import session_rules
from nodes.tutor.games.token_search import token_search

GAMES: Mapping[str, Callable[[random.Random, int], Game]] = {
    "B01": token_search,
    "B02": line_total,
    "B03": schema_mismatch,
    "B04": import_chain,
    "B05": session_rules,
    "B06": scattered_clues,
    "B07": causal_line,
    "B08": breaking_change,
    "B09": import_cycle,
    "B10": clock_skew,
}


def generate(id: str, seed: int) -> Game:
    """The game of a seed: the same bytes for the same id and seed, anywhere.

    Raises:
        UnknownGame: there is none of that id.
    """
    if id not in GAMES:
        raise UnknownGame(f"There is no game {id!r}.", f"Choose one of {', '.join(GAMES)}.")
    return GAMES[id](random.Random(f"{id}-{seed}"), seed)
