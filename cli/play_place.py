"""Where a game keeps its thread: below the root; a game of one's own outside of the files it is about.

Records among the files of a game would be found by its searches, and change with every turn, so that no
observation of the whole directory could count.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from configs.errors import UsageError

FOLDER = Path(".reflect", "games")
"""Below the home directory."""
SHARED = Path("/var/tmp")
"""Of all users of the machine, and kept when it starts anew."""
AMONG_FILES = (
    "Note: the records of the game lie among its files and change with every turn, so what a search of all "
    "files shows will not count. Set XDG_STATE_HOME to a place outside of them, or choose a smaller root."
)


def project_of(arguments: argparse.Namespace, root: Path) -> Path:
    """The project that keeps the thread of a game.

    Args:
        arguments: of the command.
        root: its --root, resolved.

    Raises:
        UsageError: there is no place for the records of a game of one's own.
    """
    if arguments.goal is not None:
        return _place_beside(root, quiet=arguments.quiet)
    if arguments.resume is not None and (place := own_game_place(arguments.resume)) is not None:
        return place
    return root


def own_game_place(thread: str) -> Path | None:
    """Where the records of a game of one's own lie; None if the thread plays none."""
    from cli.thread_kind import kind_of
    from configs.loading import load_settings

    for place in _places():
        if _is_ours(place):
            kind = asyncio.run(kind_of(place, load_settings(place).settings, thread))
            if kind == "play":
                return place
    return None


def _place_beside(files: Path, *, quiet: bool) -> Path:
    """The first place that is not among the files of a game; where all of them are, the first."""
    # One is made only when those before it will not do.
    for place in sorted(_places(), key=lambda place: place.is_relative_to(files)):
        if _is_made(place):
            if place.is_relative_to(files) and not quiet:
                sys.stderr.write(f"{AMONG_FILES}\n")
            return place
    raise UsageError(
        "There is no place to keep the records of the game in.",
        "Set HOME or XDG_STATE_HOME to a directory you may write to.",
    )


def _places() -> Iterator[Path]:
    try:
        yield (Path.home() / FOLDER).resolve()
    except RuntimeError:  # nobody knows the home directory
        pass
    if state := os.environ.get("XDG_STATE_HOME"):
        yield (Path(state) / "reflect" / "games").resolve()
    yield SHARED / f"reflect-games-{os.getuid()}"


def _is_made(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:  # another place may do
        return False
    return _is_ours(place) and os.access(place, os.W_OK)


def _is_ours(place: Path) -> bool:
    """True for a directory of this user; where others may write, one might have been laid in the way."""
    try:
        status = place.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
