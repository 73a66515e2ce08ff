"""What a run stands on: a place for temporary files, and what stays read-only in a writable root.

That is whatever decides what git or this project run the next time: `.git` as a whole, at any depth, file or
directory. Besides its hooks and config, files like `commondir`, `config.worktree` or `modules/*/config` lead
git to other settings, so no part of it is safe to write: nothing is committed from inside. `.reflect` as
well. A repository that is made below the root while the command runs is not covered.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from tools.errors import SandboxUnavailable
from tools.sandbox.confinement import Confinement

NAMES = (".git", ".reflect")
MOST = 500

_lock = Lock()
_placeholders: Counter[Path] = Counter()


@dataclass
class Ground:
    """What a confinement stands on while its processes run.

    Attributes:
        protected: paths inside the root that stay read-only.
        temporary: the private directory for temporary files, where the sandbox has none of its own.
        made: empty directories that hold the place of protected ones, so that these cannot be made.
    """

    protected: tuple[Path, ...] = ()
    temporary: tempfile.TemporaryDirectory[str] | None = None
    made: tuple[Path, ...] = ()

    def close(self) -> None:
        """Remove what was made for the run; a directory somebody put something into stays."""
        if self.temporary is not None:
            self.temporary.cleanup()
        with _lock:
            for path in self.made:
                _placeholders[path] -= 1
                if _placeholders[path] == 0:
                    del _placeholders[path]
                    if path.is_dir() and not any(path.iterdir()):
                        path.rmdir()


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
    found = _found(limits.root)
    if limits.sandbox.level == "landlock":
        return Ground(found, _private())
    made = _hold_places(limits.root)
    return Ground(tuple(sorted({*found, *made})), None, made)


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


def _hold_places(root: Path) -> tuple[Path, ...]:
    """An empty `.git` is no repository to git, so holding its place changes nothing for anybody else."""
    made = []
    with _lock:
        for path in (root / name for name in NAMES):
            if _placeholders[path] or not os.path.lexists(path):
                path.mkdir(exist_ok=True)
                _placeholders[path] += 1
                made.append(path)
    return tuple(made)
