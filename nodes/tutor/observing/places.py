"""Operands as paths of the sandbox: one spelling for each place, and what stands there."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Standing = Literal["file", "directory", "link to a file", "link to a directory", "nothing", "other"]


@dataclass(frozen=True)
class Place:
    """A path of the sandbox.

    Attributes:
        path: relative, without "./", doubled or closing slashes; the sandbox itself is ".".
        standing: what is there; "nothing" also for what cannot be looked at.
        through_link: True if a directory on the way is a link.
    """

    path: str
    standing: Standing
    through_link: bool

    @property
    def is_file(self) -> bool:
        """A file can be read under this path."""
        return self.standing in ("file", "link to a file")

    @property
    def is_own_directory(self) -> bool:
        """A directory that is reached without any link, so that what is below it has one name."""
        return self.standing == "directory" and not self.through_link


def place_of(root: Path, operand: str) -> Place | None:
    """Where an operand leads; None if it has no certain spelling in the sandbox.

    `a/../b` is `b` only if `a` is a real directory.
    """
    if operand in ("", "-") or "\0" in operand:
        return None
    relative = operand
    if operand.startswith("/"):
        if operand != str(root) and not operand.startswith(f"{root}/"):
            return None
        relative = operand[len(str(root)) :].lstrip("/")
    parts: list[str] = []
    for part in relative.split("/"):
        if part in ("", "."):
            continue
        if part != "..":
            parts.append(part)
        elif not parts or not _is_real_directory(root.joinpath(*parts)):
            return None
        else:
            parts.pop()
    closed = relative.endswith(("/", "/."))
    through_link = any(os.path.islink(root.joinpath(*parts[:end])) for end in range(1, len(parts)))
    standing = _standing(root.joinpath(*parts))
    if closed and standing != "directory" and standing != "nothing":
        return None
    try:
        "/".join(parts).encode("utf-8")
    except UnicodeEncodeError:
        return None
    return Place("/".join(parts) or ".", standing, through_link)


def above_of(path: str) -> list[str]:
    """The paths on the way to a normal path, without the sandbox itself."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _is_real_directory(path: Path) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _standing(path: Path) -> Standing:
    try:
        mode = os.lstat(path).st_mode
        if not stat.S_ISLNK(mode):
            return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return "nothing"
    if stat.S_ISREG(mode):
        return "link to a file"
    return "link to a directory" if stat.S_ISDIR(mode) else "other"
