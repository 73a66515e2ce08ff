"""Where a call may write: paths as a model writes them, resolved to names below the root.

This decides and explains; the wall is `descent.py`, which reaches a place through no link at all.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tools.errors import WriteRefused
from tools.policy.paths import check_path

PROTECTED = frozenset({".git", ".reflect"})
# Other spellings of the same names on file systems that fold case, make short names or ignore characters.
SHORT_NAMES = ("git~", "reflec~")


@dataclass(frozen=True)
class Place:
    """A name below the root.

    Attributes:
        parents: directories from the root to it, none of them a link when it was resolved.
        name: last component.
    """

    parents: tuple[str, ...]
    name: str

    @property
    def parts(self) -> tuple[str, ...]:
        """All components."""
        return (*self.parents, self.name)

    @property
    def shown(self) -> str:
        """The relative path, printable."""
        return printable("/".join(self.parts))


def printable(path: str) -> str:
    r"""A path on one line: control characters and undecodable bytes as escapes (`\n`, `\xff`)."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def locate(root: Path, written: str, *, follow: bool) -> Place:
    """The place a path names.

    Args:
        root: resolved directory no path may leave.
        written: path as the call gives it, relative to the root or absolute below it.
        follow: resolve a link at the end too; without it the place is the link itself.

    Raises:
        ToolError: it leads outside, to the root itself, into `.git` or `.reflect`, or is no path.
    """
    if follow:
        place = _below(root, _resolved(root, written))
    else:
        head, name = os.path.split(written.rstrip("/"))
        if name in ("", ".", ".."):
            raise WriteRefused(f"{written!r} does not end in a name.", "Write the path without . or .. last.")
        _check_text(written)
        above = _resolved(root, head or ".")
        place = _below(root, above / name)
    for part in (*place.parts, *_written_parts(root, written)):
        if is_protected(part):
            raise WriteRefused(
                f"{written!r} is refused: what is in .git and .reflect is not for tools to change.",
                "Write somewhere else.",
            )
    return place


def _check_text(written: str) -> None:
    try:
        if b"\0" in os.fsencode(written):
            raise WriteRefused(f"{written!r} holds a NUL byte, so it is no path.", "Leave it out.")
    except UnicodeEncodeError as error:
        raise WriteRefused(f"{written!r} cannot be a file name: {error.reason}.", "Use text.") from error
    if written.startswith("~"):
        raise WriteRefused(
            f"{written!r} is refused: home directories are outside the root.", "Use a path below the root."
        )


def _resolved(root: Path, written: str) -> Path:
    _check_text(written)
    # A lone dash means standard input to a Unix tool; here it is a name.
    check_path(root, "./-" if written == "-" else written)
    return Path(os.path.realpath(root / written))


def _below(root: Path, path: Path) -> Place:
    if path == root:
        raise WriteRefused("The root itself is not for tools to change.", "Name something below it.")
    if root not in path.parents:
        raise WriteRefused(f"{str(path)!r} is outside the root.", "Use a path below the root.")
    *parents, name = path.relative_to(root).parts
    return Place(tuple(parents), name)


def _written_parts(root: Path, written: str) -> tuple[str, ...]:
    path = PurePosixPath(written)
    return path.relative_to(root).parts if path.is_relative_to(root) else path.parts


def is_protected(name: str) -> bool:
    """True for `.git`, `.reflect` and what some file system takes for one of them."""
    plain = unicodedata.normalize("NFKC", name)
    plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf").casefold()
    plain = plain.partition(":")[0].rstrip(" .")
    return plain in PROTECTED or plain.startswith(SHORT_NAMES)
