"""What a run stands on: a place for temporary files, and what stays read-only in a writable root.

That is whatever decides what git or this project run the next time: `.git` as a whole, at any depth, file or
directory. Besides its hooks and config, files like `commondir`, `config.worktree` or `modules/*/config` lead
git to other settings, so no part of it is safe to write: nothing is committed from inside. `.reflect` as
well. A repository that is made below the root while the command runs is not covered.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from tools.errors import SandboxUnavailable
from tools.sandbox.confinement import Confinement

NAMES = (".git", ".reflect")
MOST = 500
_MARK = 0
"""Modification time, in seconds since 1970, of a directory that only holds a place."""


@dataclass(frozen=True)
class Placeholder:
    """An empty directory in the place of a protected one, which every run that stands on it has locked.

    Attributes:
        path: the directory.
        descriptor: open on it, with a shared lock (flock(2)), which runs of other processes see as well.
    """

    path: Path
    descriptor: int

    def close(self) -> None:
        """Let go of it; the last one removes it. One that somebody put something into, or made, stays."""
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            status = os.fstat(self.descriptor)
            # Somebody may put something else there, or into it, at any moment: then it is theirs and stays,
            # and the run, whose programs have ended, has nothing to say about it.
            with suppress(OSError):
                ours = os.path.samestat(status, os.lstat(self.path))
                if ours and status.st_mtime == _MARK:
                    self.path.rmdir()
        except BlockingIOError:
            return  # another run stands on it
        finally:
            os.close(self.descriptor)


@dataclass
class Ground:
    """What a confinement stands on while its processes run.

    Attributes:
        protected: paths inside the root that stay read-only.
        temporary: the private directory for temporary files, where the sandbox has none of its own.
        held: empty directories that hold the place of protected ones, so that these cannot be made.
    """

    protected: tuple[Path, ...] = ()
    temporary: tempfile.TemporaryDirectory[str] | None = None
    held: tuple[Placeholder, ...] = ()

    def close(self) -> None:
        """Remove what was made for the run; a directory somebody put something into stays."""
        with ExitStack() as closing:
            for placeholder in self.held:
                closing.callback(placeholder.close)
            if self.temporary is not None:
                closing.callback(self.temporary.cleanup)


def stands_on_ground(limits: Confinement) -> bool:
    """Whether there is anything to prepare; most calls spare themselves the threads it is done in."""
    return limits.writable or limits.sandbox.level == "landlock"


def prepared(limits: Confinement) -> Ground:
    """The ground for one run; `close` it after the last process has ended.

    Raises:
        SandboxUnavailable: the level cannot confine writing, or a protected path is a link.
    """
    if not limits.writable:
        return Ground((), _private() if stands_on_ground(limits) else None)
    if limits.sandbox.level == "policy":
        raise SandboxUnavailable(
            f"A writable {limits.root} needs a sandbox; there is none: {limits.sandbox.reason}.",
            "Install bubblewrap and allow user namespaces, or use a kernel with Landlock (Linux 6.2).",
        )
    if limits.sandbox.level == "landlock":
        return Ground(_found(limits.root), _private())
    held = _hold_places(limits.root)
    try:
        found = _found(limits.root)
    except BaseException:
        Ground(held=held).close()
        raise
    return Ground(tuple(sorted({*found, *(one.path for one in held)})), None, held)


def _private() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="reflect-")


def _found(root: Path) -> tuple[Path, ...]:
    found = [root / name for name in NAMES if os.path.lexists(root / name)]
    for place, directories, files in os.walk(root):
        if ".git" in directories or ".git" in files:
            found.append(Path(place, ".git"))
        directories[:] = [name for name in directories if name != ".git"]
    for path in found:
        if path.is_symlink():
            raise SandboxUnavailable(
                f"{path} is a symbolic link, which cannot be protected in a writable root.",
                "Replace the link by what it leads to.",
            )
    if len(found) > MOST:
        raise SandboxUnavailable(
            f"{root} holds {len(found)} repositories; {MOST} can be protected at once.", "Use a smaller root."
        )
    return tuple(sorted(set(found)))


def _hold_places(root: Path) -> tuple[Placeholder, ...]:
    """An empty `.git` is no repository to git, so holding its place changes nothing for anybody else."""
    held = (_hold(root / name) for name in NAMES)
    return tuple(one for one in held if one is not None)


def _hold(path: Path) -> Placeholder | None:
    """Hold a place, together with runs of other processes that do; None where something real stands."""
    while True:
        with suppress(FileExistsError):
            path.mkdir()
            os.utime(path, (_MARK, _MARK), follow_symlinks=False)
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:
            continue  # whoever held it has just removed it
        except OSError:
            return None  # a file or a link
        if os.listdir(descriptor):
            os.close(descriptor)
            return None
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), os.lstat(path)):
                return Placeholder(path, descriptor)
        os.close(descriptor)  # it was removed before it was locked
