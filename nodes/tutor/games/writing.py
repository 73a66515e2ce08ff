"""The files of a game, laid out on the disk: all of them or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path, PurePosixPath

from nodes.errors import GameNotWritten
from nodes.tutor.games.game import Game


def write_files(game: Game, directory: Path) -> None:
    """Write the files of a game into a directory that is empty or not there yet.

    They are written beside it and put in its place in one step, so whoever looks meanwhile sees nothing or
    everything, and nothing that was there is ever changed.

    Raises:
        GameNotWritten: the directory holds something, a path leads out of it, or the disk refuses.
    """
    for path in game.files:
        if not _is_inside(path):
            raise GameNotWritten(f"{path!r} is no path below the game's directory.")
    place = directory.absolute()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name[:40]}."))
    except OSError as error:
        raise GameNotWritten(f"{directory} cannot be made: {error.strerror}.") from error
    try:
        _write_below(game, beside)
        # mkdtemp lets nobody else in; a game is no secret.
        beside.chmod(0o755)
        # Renaming replaces an empty directory, and refuses any other.
        os.rename(beside, place)
    except OSError as error:
        raise GameNotWritten(
            f"The files of game {game.id} cannot be written into {directory}: {error.strerror}.",
            "Name a directory that is empty or not there yet.",
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    plain = bool(parts) and "/".join(parts) == path and "\0" not in path
    return plain and ".." not in parts and not path.startswith("/")


def _write_below(game: Game, root: Path) -> None:
    for path, text in game.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # As bytes: line ends stay what they are.
        file.write_bytes(text.encode("utf-8"))
