"""Lines of files as claims write them, and paths in directories."""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from nodes.tutor.proving import paths


class Place(NamedTuple):
    """One line of a file.

    Attributes:
        path: relative to the sandbox, as facts write it.
        number: of the line, from 1.
    """

    path: str
    number: int


def place_of(written: object) -> Place | None:
    """`path:line`; None if it is nothing of the kind or leads out of the sandbox."""
    numbered = paths.numbered(written) if isinstance(written, str) else None
    return None if numbered is None else Place(*numbered)


def below(directory: str, path: str) -> str:
    """The path of something named from a directory of the sandbox, "" or "." being the sandbox itself."""
    return posixpath.normpath(posixpath.join(directory or ".", path))
