"""Where a game keeps its thread: below the root; a game of one's own outside of the files it is about.

Records among the files of a game would be found by its searches, and change with every turn, so that no
observation of the whole directory could count.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from configs.errors import UsageError

FOLDER = Path(".reflect", "games")
"""Below the home directory."""


def project_of(arguments: argparse.Namespace, root: Path) -> Path:
    """The project that keeps the thread of a game.

    Args:
        arguments: of the command.
        root: its --root, resolved.

    Raises:
        UsageError: there is no place for the records of a game of one's own.
    """
    if arguments.goal is not None:
        return _made()
    if arguments.resume is not None and asyncio.run(is_own_game(arguments.resume)):
        return _made()
    return root


async def is_own_game(thread: str) -> bool:
    """True for a thread that plays a game of one's own."""
    from cli.thread_kind import kind_of
    from configs.loading import load_settings

    place = _place()
    if place is None or not place.is_dir():
        return False
    return await kind_of(place, load_settings(place).settings, thread) == "play"


def _place() -> Path | None:
    try:
        return Path.home() / FOLDER
    except RuntimeError:  # nobody knows the home directory
        return None


def _made() -> Path:
    place = _place()
    remedy = "Set HOME to a directory you may write to."
    if place is None:
        raise UsageError("There is no home directory to keep the records of the game in.", remedy)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"The records of the game cannot be kept in ~/{FOLDER}: {error.strerror}."
        raise UsageError(what, remedy) from error
    return place.resolve()
