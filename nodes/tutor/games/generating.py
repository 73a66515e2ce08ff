"""Which games there are, and one of them from its seed."""

from __future__ import annotations

from nodes.errors import UnknownGame
from nodes.tutor.games.game import Game


def generate(id: str, seed: int) -> Game:
    """The game of a seed: the same bytes for the same id and seed, anywhere.

    Raises:
        UnknownGame: there is none of that id.
    """
    raise UnknownGame(f"There is no game {id!r}.")
