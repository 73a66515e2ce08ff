"""Where the history of a directory is kept: the repository around it, which may begin further up.

Everything here is the word of a tree nobody vouches for. A `.git` file leads elsewhere, so it is followed
only where the other side leads back: a working tree that `git worktree add` made is known to its repository,
and no tree from elsewhere can write that there.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from tools.errors import CommandRefused

LINE_BYTES = 8192
SHALLOW_BYTES = 16 * 2**20
_BRANCH = re.compile(r"ref: (?P<name>refs/(?!.*\.\.)[^\s:~^?*\[\\\x00-\x20]+)")
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True)
class Repository:
    """A repository, and which part of it is looked at.

    Attributes:
        top: its main working tree, in which git runs.
        prefix: path of the looked at directory in it, with a slash behind; empty for the top itself.
        revision: where its history begins, the newest commit first.
        linked: True if the directory lies in another working tree of the repository than the main one; the
            prefix is then its path in that one.
    """

    top: Path
    prefix: str = ""
    revision: str = "HEAD"
    linked: bool = False


def repository_of(root: Path) -> Repository | None:
    """The repository a directory belongs to; None if there is none up to the border of its file system.

    Args:
        root: the directory, with links resolved.

    Raises:
        CommandRefused: its `.git` leads elsewhere, and nothing there leads back.
        OSError: a directory cannot be looked at.
    """
    device = os.stat(root).st_dev
    for place in (root, *root.parents):
        if os.stat(place).st_dev != device:
            return None
        git = place / ".git"
        prefix = "" if place == root else f"{root.relative_to(place).as_posix()}/"
        if git.is_symlink() or git.is_file():
            return _linked(place, prefix)
        # Git looks further up where the directory is no repository, e.g. an empty one.
        if os.path.lexists(git / "HEAD"):
            return Repository(place, prefix)
    return None


def _linked(place: Path, prefix: str) -> Repository:
    """The repository of a linked working tree.

    Raises:
        CommandRefused: it is none that its repository knows.
    """
    git = place / ".git"
    led = "" if git.is_symlink() else _line(git)
    own = Path(os.path.realpath(place / led.removeprefix("gitdir: ")))
    back, above, head = (_line(own / name) for name in ("gitdir", "commondir", "HEAD"))
    common = Path(os.path.realpath(own / above)) if above else own
    known = led.startswith("gitdir: ") and back and os.path.realpath(own / back) == os.path.realpath(git)
    if not known or own.parent != common / "worktrees" or common.name != ".git":
        raise CommandRefused(
            ".git leads to a repository elsewhere, which does not know this directory as a working tree.",
            "Audit the directory that holds the repository.",
        )
    branch = _BRANCH.fullmatch(head)
    if not branch and not _HASH.fullmatch(head):
        raise CommandRefused("HEAD of this working tree names no commit.", "Check out a branch.")
    return Repository(common.parent, prefix, branch["name"] if branch else head, linked=True)


def _line(path: Path) -> str:
    """The first line of a small file; empty if it cannot be read or is none, as a broken repository's."""
    line = _beginning(path, LINE_BYTES).partition(b"\n")[0]
    return "" if b"\0" in line else os.fsdecode(line)


def cut_off(top: Path) -> frozenset[bytes]:
    """Hashes of the commits whose parents a shallow repository does not hold; empty for a whole one."""
    return frozenset(_beginning(top / ".git" / "shallow", SHALLOW_BYTES).split())


def _beginning(path: Path, most: int) -> bytes:
    """The first bytes of an ordinary file; none of a pipe, which would wait for somebody to write."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with open(descriptor, "rb") as file:
        return file.read(most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
