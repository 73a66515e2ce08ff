"""Lines of files as claims write them: `path:line`."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class Place(NamedTuple):
    """One line of a file.

    Attributes:
        path: relative to the sandbox, as facts write it.
        number: of the line, from 1.
    """

    path: str
    number: int


def place_of(written: object) -> Place | None:
    """`path:line`, split at the last colon; None if it is nothing of the kind or leads out of the sandbox."""
    if not isinstance(written, str):
        return None
    path, colon, number = written.rpartition(":")
    inside = inside_path(path)
    if not colon or inside is None or not _NUMBER.fullmatch(number):
        return None
    return Place(inside, int(number))


def inside_path(written: str) -> str | None:
    """A path as facts write it, "." for the sandbox; None if it is empty, absolute or leads outside."""
    if not written or written.startswith("/") or "\0" in written:
        return None
    path = posixpath.normpath(written)
    return None if path == ".." or path.startswith("../") else path


def below(directory: str, path: str) -> str:
    """The path of something that stands in a directory of the sandbox."""
    return posixpath.normpath(posixpath.join(directory, path))
