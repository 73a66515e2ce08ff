"""A tree, file by file, in an order of its own: no link is followed, nothing is opened but directories."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.audit.labels import label
from tools.audit.languages import language_of
from tools.audit.report import LeftOut, Skipped

NEVER = frozenset(
    ".git .hg .svn .bzr .reflect .langgraph_api .venv .tox .nox .eggs .idea .cache .mypy_cache .ruff_cache "
    ".pytest_cache .hypothesis .ipynb_checkpoints .terraform .gradle .next .nuxt __pycache__ __pypackages__ "
    "site-packages node_modules bower_components jspm_packages vendor dist build".split()
)
"""Directories that hold what was built, fetched or stored; so does each with a `pyvenv.cfg`."""


@dataclass(frozen=True)
class Found:
    """An ordinary file of a known language: path below the root, as the system gives it, and bytes."""

    path: str
    size: int


@dataclass
class Walk:
    """What a walk passed by.

    Attributes:
        skipped: links, what is no ordinary file, what cannot be listed.
        built: names of the directories that were never looked at.
    """

    skipped: list[Skipped] = field(default_factory=list)
    built: set[str] = field(default_factory=set)

    def files(self, root: Path, left_out: Callable[[str], bool]) -> Iterator[Found]:
        """The files below a directory, in no special order.

        Args:
            root: resolved.
            left_out: whether a path below the root is; a directory's comes with a slash at the end.
        """
        waiting = [""]
        while waiting:
            below = waiting.pop()
            for entry in self._entries(root, below):
                path = below + entry.name
                if entry.is_symlink():
                    if not left_out(path) and not left_out(f"{path}/"):
                        self._link(entry, path)
                elif entry.is_dir(follow_symlinks=False):
                    if not left_out(f"{path}/") and self._is_own(entry):
                        waiting.append(f"{path}/")
                elif language_of(entry.name) is not None and not left_out(path):
                    yield from self._ordinary(entry, path)

    def _entries(self, root: Path, below: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(root / below) as entries:
                return list(entries)
        except OSError as error:
            self._skip(below or ".", "unreadable", f"The directory cannot be listed ({error.strerror}).")
            return []

    def _is_own(self, entry: os.DirEntry[str]) -> bool:
        if entry.name in NEVER or os.path.lexists(os.path.join(entry.path, "pyvenv.cfg")):
            self.built.add(entry.name)
            return False
        return True

    def _link(self, entry: os.DirEntry[str], path: str) -> None:
        """A link is told of where something to look at may be behind it."""
        if entry.name in NEVER:
            self.built.add(entry.name)
        elif language_of(entry.name) is not None or os.path.isdir(entry.path):
            self._skip(path, "link", "It is a link, and links are not followed.")

    def _ordinary(self, entry: os.DirEntry[str], path: str) -> Iterator[Found]:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            self._skip(path, "unreadable", f"It cannot be looked at ({error.strerror}).")
            return
        if stat.S_ISREG(status.st_mode):
            yield Found(path, status.st_size)
        else:
            self._skip(path, "unreadable", "It is no ordinary file, but a pipe, a socket or a device.")

    def _skip(self, path: str, reason: LeftOut, what: str) -> None:
        self.skipped.append(
            Skipped(file=label(path.rstrip("/")), kernel="ast_scan", reason=reason, what=what)
        )
