"""Paths that a client names: none leads out of the root, by no link either."""

from __future__ import annotations

import os
from pathlib import Path

from configs.errors import UsageError
from configs.redaction import escaped
from tools.errors import CommandRefused
from tools.policy.paths import check_path
from tools.search.opening import with_place

_SHOWN = 200


def below(root: Path, named: str) -> Path:
    """The place a client names, every link resolved.

    Args:
        root: resolved directory.
        named: relative to the root, or absolute below it; empty for the root itself.

    Raises:
        UsageError: it lies outside of the root, is none, or no file and no directory.
    """
    if not named:
        return root
    try:
        # A dash alone means standard input to programs; here it is a name like any other.
        check_path(root, "./-" if named == "-" else named)
        return Path(os.path.realpath(root / named))
    except (CommandRefused, ValueError, OSError) as error:
        raise UsageError(
            f"The path {escaped(named[:_SHOWN])!r} is not below the root of this server.",
            "Name a file or directory below the root, relative to it.",
        ) from error


def corpus_below(root: Path, corpus: str) -> str:
    """A corpus that a client names, its place resolved; one that is a server as it stands.

    Args:
        root: resolved directory.
        corpus: as `tools.search.opening.open_backend` takes it; empty leaves it to the settings.

    Raises:
        UsageError: its place lies outside of the root.
    """
    if not corpus:
        return ""

    def resolved(named: str) -> str:
        return str(below(root, named))

    placed = with_place(corpus, resolved)
    # In a name with a sign that parts a place from a collection, a shorter place would be read.
    if with_place(placed, resolved) != placed:
        raise UsageError(
            f"The corpus {escaped(corpus[:_SHOWN])!r} lies where its name cannot be read.",
            "Rename its directory, without '#'.",
        )
    return placed
