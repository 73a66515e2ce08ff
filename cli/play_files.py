"""Which files `reflect play` writes: the game, and its page; nothing of anybody else is written over."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cli.whole_files import check_output, write_whole
from configs.errors import UsageError

if TYPE_CHECKING:
    from cli.play_running import PlayedGame
    from nodes.tutor.engine import Tutor

OUTPUTS = ("export", "html")
REMEDY = "Name a file in another place, and go on with the game by --resume: nothing is played again."
KINDS = {"export": "game of `reflect play`", "html": "page of `reflect play`"}
MARKS = {"export": b'"format":"reflective-graph/tutor-game"', "html": b'content="reflective-graph tutor"'}
"""What stands in a file that an earlier run wrote, and in no other."""
PAGE_HEAD = 4096


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse, before anything runs, to write where something else is, or nothing can be.

    Raises:
        UsageError: an output that is not ours, or cannot be made.
    """
    for name in OUTPUTS:
        if given := getattr(arguments, name):
            _check(arguments, name, Path(given))


def write_files(arguments: argparse.Namespace, played: PlayedGame) -> None:
    """Write the game and the page that were asked for, each whole or not at all.

    Raises:
        UsageError: a file cannot be written, became somebody else's meanwhile, or there is no game to write.
    """
    texts: dict[str, Callable[[], str]] = {"export": lambda: _export(played), "html": lambda: _page(played)}
    problem: Exception | None = None
    for name in OUTPUTS:
        if given := getattr(arguments, name):
            try:
                _check(arguments, name, Path(given))
                write_whole(f"--{name}", Path(given), texts[name](), REMEDY)
            except Exception as error:  # raised below: the other file is written all the same
                problem = problem or error
    if problem is not None:
        raise problem


def _export(played: PlayedGame) -> str:
    from nodes.tutor.export import export

    return export(_tutor_of(played)).decode("ascii")


def _page(played: PlayedGame) -> str:
    from cli.play_page import page_of
    from nodes.tutor.export import document_of

    tutor = _tutor_of(played)
    return page_of(document_of(tutor), played.state, tutor.game.title)


def _tutor_of(played: PlayedGame) -> Tutor:
    """The engine of a game.

    Raises:
        UsageError: the game could not begin.
    """
    if played.tutor is None:
        raise UsageError("There is no game to write: it could not begin.", "Mend that first.")
    return played.tutor


def _check(arguments: argparse.Namespace, name: str, path: Path) -> None:
    others = {f"--{other}": getattr(arguments, other) for other in OUTPUTS if other != name}
    check_output(f"--{name}", path, others, lambda file: _is_ours(name, file), KINDS[name])


def _is_ours(name: str, path: Path) -> bool:
    """True for an earlier game, or an earlier page."""
    try:
        with path.open("rb") as stream:
            # Keys of a game are sorted, so its format stands somewhere within.
            held = stream.read(PAGE_HEAD) if name == "html" else stream.read()
    except OSError:
        return False
    return MARKS[name] in held and held.startswith(b"<!doctype html>" if name == "html" else b'{"answer":')
