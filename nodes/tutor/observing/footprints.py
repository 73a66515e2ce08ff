"""The state of what a result depends on, so that any later change of it is noticed.

Times tell of a change only if a later one would get another time. What was changed so shortly before the
state was first taken that it might not is known by its content as well, as in git's index ("racy git").
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from nodes.tutor.observations import Footprint
from nodes.tutor.observing.questions.base import Depends

# Linux stamps files with the time of its last tick, at most 10 ms old, or more on a busy virtual machine.
RACY = 200_000_000
# Where times have no fraction, as on file systems that count in steps of one or two seconds.
RACY_WITHOUT_FRACTION = 3_000_000_000
MILLISECOND = 1_000_000
MOST_LINKS = 40
_name = attrgetter("name")


@dataclass(frozen=True)
class Look:
    """One look at all that some answers depend on.

    Attributes:
        digest: SHA-256 of the state, see `Footprint`; "" if it cannot be looked at.
        moved: SHA-256 of when each directory and link on the way last changed, itself or its entries.
            What was put there and taken away again while a tool ran leaves no other trace.
    """

    digest: str
    moved: str


def first_look(root: Path, depends: Sequence[Depends]) -> tuple[Footprint, Look]:
    """The state now of all that some answers depend on, and the look it is known by."""
    footprint = Footprint(
        paths=tuple(dict.fromkeys(path for each in depends for path in each.paths)),
        deep=any(each.deep for each in depends),
        contents=any(each.contents for each in depends),
        taken=time.time_ns(),
    )
    look = look_at(root, footprint)
    return footprint.model_copy(update={"digest": look.digest}), look


def look_at(root: Path, footprint: Footprint) -> Look:
    """Everything a footprint names, as it is now."""
    state = hashlib.sha256()
    walk = _Walk(root, footprint)
    try:
        for record in walk.records():
            state.update(repr(record).encode("utf-8", "surrogateescape"))
            state.update(b"\0")
    except OSError:
        return Look("", "")
    moved = hashlib.sha256(repr(walk.moments).encode("utf-8", "surrogateescape"))
    return Look(state.hexdigest(), moved.hexdigest())


def holds(root: Path, footprint: Footprint) -> bool:
    """True if nothing has changed since a footprint was taken."""
    return bool(footprint.digest) and look_at(root, footprint).digest == footprint.digest


def stayed(root: Path, footprint: Footprint, before: Look) -> bool:
    """True if nothing has changed since a look, and nothing was put there and taken away again."""
    return bool(before.digest) and look_at(root, footprint) == before


class _Walk:
    """One look at everything a footprint names.

    Attributes:
        moments: of the directories and links that led on: name, number and last changes.
    """

    def __init__(self, root: Path, footprint: Footprint) -> None:
        self._root = os.fspath(root)
        self._footprint = footprint
        self._on_the_way: set[str] = set()
        self.moments: list[tuple[str, int, int, int]] = []

    def records(self) -> Iterator[tuple[object, ...]]:
        """What was seen, in the same order for the same files."""
        yield self._identity("")
        for path in self._footprint.paths:
            yield from self._named(path, MOST_LINKS)

    def _named(self, path: str, links: int) -> Iterator[tuple[object, ...]]:
        """A path with all directories on its way; links are followed by hand, and never out of the root."""
        parts = [part for part in path.split("/") if part not in ("", ".")]
        for end in range(1, len(parts)):
            way = "/".join(parts[:end])
            if way in self._on_the_way:
                continue
            status = self._status(way)
            if status is None:
                yield (way, "absent")
                return
            if stat.S_ISLNK(status.st_mode):
                yield from self._link(way, parts[end:], links)
                return
            self._on_the_way.add(way)
            yield self._identity(way)
        path = "/".join(parts)
        status = self._status(path)
        if status is None:
            yield (path, "absent")
        elif stat.S_ISLNK(status.st_mode):
            yield from self._link(path, [], links)
        else:
            yield self._state(path, os.path.join(self._root, path), status)
            if stat.S_ISDIR(status.st_mode):
                yield from self._listed(path)

    def _link(self, path: str, rest: list[str], links: int) -> Iterator[tuple[object, ...]]:
        self._moment(path)
        target = os.readlink(os.path.join(self._root, path))
        yield (path, "link", target)
        joined = os.path.join(os.path.dirname(os.path.join(self._root, path)), target, *rest)
        # `..` behind a link that is on the way of a target would be read wrong, so it is resolved as a whole.
        real = os.path.realpath(joined)
        if links and (real == self._root or real.startswith(f"{self._root}/")):
            yield (path, "leads to", real)
            yield from self._named(os.path.relpath(real, self._root), links - 1)

    def _status(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(os.path.join(self._root, path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _identity(self, path: str) -> tuple[object, ...]:
        status = self._moment(path)
        return (path, stat.S_IFMT(status.st_mode), status.st_dev, status.st_ino)

    def _moment(self, path: str) -> os.stat_result:
        status = os.lstat(os.path.join(self._root, path))
        self.moments.append((path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns))
        return status

    def _state(self, name: str, path: str, status: os.stat_result) -> tuple[object, ...]:
        """What a file or directory is recorded as, under a name; the path is its own on the machine."""
        mode = status.st_mode
        if stat.S_ISDIR(mode) or not self._footprint.contents:
            return (name, stat.S_IFMT(mode), stat.S_IMODE(mode))
        changed, altered = status.st_mtime_ns, status.st_ctime_ns
        seen = (name, mode, status.st_dev, status.st_ino, status.st_size, changed, altered)
        if stat.S_ISREG(mode) and self._is_racy(max(changed, altered)):
            return (*seen, _content(path))
        return seen

    def _is_racy(self, latest: int) -> bool:
        since = self._footprint.taken - latest
        if since > RACY_WITHOUT_FRACTION:
            return False
        return since <= (RACY if latest % MILLISECOND else RACY_WITHOUT_FRACTION)

    def _listed(self, path: str) -> Iterator[tuple[object, ...]]:
        """The entries of a directory, and of all below it if they matter; one record a directory."""
        waiting = [path]
        while waiting:
            path = waiting.pop()
            self._moment(path)
            with os.scandir(os.path.join(self._root, path)) as entries:
                found = sorted(entries, key=_name)
            yield (path, "holds", [self._listed_as(entry) for entry in found])
            if self._footprint.deep:
                waiting += [
                    os.path.join(path, entry.name)
                    for entry in reversed(found)
                    if entry.is_dir(follow_symlinks=False)
                ]

    def _listed_as(self, entry: os.DirEntry[str]) -> tuple[object, ...]:
        if entry.is_symlink():
            return (entry.name, "link", os.readlink(entry.path))
        if self._footprint.deep and self._footprint.contents:
            return self._state(entry.name, entry.path, entry.stat(follow_symlinks=False))
        # The kind comes with the name, so nothing more is asked of the disk.
        if entry.is_dir(follow_symlinks=False):
            return (entry.name, "directory")
        return (entry.name, "file" if entry.is_file(follow_symlinks=False) else "other")


def _content(path: str) -> str:
    # A link that took the file's place meanwhile is not followed.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
