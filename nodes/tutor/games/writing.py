"""The files of a game, laid out on the disk."""

from __future__ import annotations

from pathlib import Path

from nodes.errors import GameNotWritten
from nodes.tutor.games.game import Game


def write_files(game: Game, directory: Path) -> None:
    """Write the files of a game into a directory that is empty or not there yet.

    Raises:
        GameNotWritten: the directory holds something, a path leads out of it, or the disk refuses.
    """
    raise GameNotWritten(f"The files of {game.id} cannot be written to {directory}.")
