"""Directories reached from the root by descriptor, one component at a time and through no link.

Whatever is renamed or linked meanwhile, an operation relative to such a descriptor works in the directory
that was walked to.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tools.errors import PartlyDone, WriteFailed, WriteRefused
from tools.writing.places import PROTECTED, printable

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
LOCK_SECONDS = 10.0
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL)

Identity = tuple[int, int]


@dataclass(frozen=True)
class OpenRoot:
    """The root by path and by descriptor, and which directories below it are not to be entered."""

    path: Path
    fd: int
    protected: frozenset[Identity]


def identity(status: os.stat_result) -> Identity:
    """Device and inode."""
    return (status.st_dev, status.st_ino)


@contextmanager
def open_root(path: Path, *, lock: bool = False) -> Iterator[OpenRoot]:
    """The root's descriptor.

    Args:
        path: resolved root.
        lock: keep other writers of this project, in any thread or process, waiting meanwhile.

    Raises:
        WriteFailed: another writer keeps the root for longer than LOCK_SECONDS.
        OSError: the root is gone.
    """
    fd = os.open(path, DIRECTORY)
    try:
        if lock:
            _lock(fd)
        yield OpenRoot(path, fd, _protected(fd))
    finally:
        os.close(fd)


def _lock(fd: int) -> None:
    """One writer at a time; closing the descriptor lets go."""
    end = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            return fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > end:
                raise WriteFailed(
                    "Another writer keeps this project.", "Try again when it is done."
                ) from error
            time.sleep(0.005)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            return None  # a file system without locks: the look just before each rename has to do


def _protected(fd: int) -> frozenset[Identity]:
    """What `.git` and `.reflect` are, under whatever other name they are reached."""
    found = set()
    for name in (*PROTECTED, _separate_git_directory(fd)):
        try:
            found.add(identity(os.stat(name, dir_fd=fd)))
        except OSError:
            continue  # what is not there, or is a link to nowhere, cannot be entered either
    return frozenset(found)


def _separate_git_directory(fd: int) -> str:
    """Where a `.git` file says that the repository is (gitrepository-layout), else `.git`."""
    try:
        git = os.open(".git", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=fd)
        try:
            line = os.read(git, 4200)
        finally:
            os.close(git)
    except OSError:
        return ".git"  # a directory, as nearly always, or nothing
    name = os.fsdecode(line.removeprefix(b"gitdir:").strip())
    return name if line.startswith(b"gitdir:") and name and "\0" not in name else ".git"


@contextmanager
def reached(root: OpenRoot, parts: Sequence[str], *, make: bool = False, own: bool = False) -> Iterator[int]:
    """The descriptor of a directory below the root.

    Args:
        root: where to start.
        parts: components, none of them a link.
        make: make what is missing, durably; if the body raises, what was made and is empty is removed again.
        own: enter `.reflect`, for the project's own files.

    Raises:
        WriteRefused: a component is a link, a file, or a protected directory.
        FileNotFoundError: a component is missing and is not to be made.
        OSError: a directory cannot be opened or made.
    """
    made: list[int] = []
    fd = os.open(".", DIRECTORY, dir_fd=root.fd)
    try:
        for depth, part in enumerate(parts):
            inner, new = _enter(fd, part, parts[: depth + 1], make=make)
            os.close(fd)
            fd = inner
            if new:
                made.append(depth)
            if not own and identity(os.fstat(fd)) in root.protected:
                raise WriteRefused(
                    f"{printable('/'.join(parts[: depth + 1]))} is .git or .reflect under another name.",
                    "Write somewhere else.",
                )
        yield fd
    except PartlyDone:
        raise  # what was made belongs to what was done
    except BaseException:
        for depth in reversed(made):
            _remove_empty(root, parts[: depth + 1])
        raise
    finally:
        os.close(fd)


def _enter(fd: int, part: str, parts: Sequence[str], *, make: bool) -> tuple[int, bool]:
    made = False
    try:
        if make:
            try:
                os.mkdir(part, dir_fd=fd)
                made = True
                sync(fd)
            except FileExistsError:
                made = False
        return os.open(part, DIRECTORY, dir_fd=fd), made
    except OSError as error:
        if made:
            with suppress(OSError):  # filled or replaced by someone else: theirs now
                os.rmdir(part, dir_fd=fd)
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise WriteRefused(
                f"{printable('/'.join(parts))} is no directory, or became a link.", "Name a directory."
            ) from error
        raise


def _remove_empty(root: OpenRoot, parts: Sequence[str]) -> None:
    """Take back a directory that was made; one that something has been put into stays."""
    try:
        with reached(root, parts[:-1], own=True) as fd:
            os.rmdir(parts[-1], dir_fd=fd)
    except (OSError, WriteRefused):
        return  # moved or filled by someone else: it is theirs now


def sync(fd: int) -> None:
    """Make a directory's or file's state durable, where the file system knows how to."""
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise


def settle(root: OpenRoot, done: str, places: Sequence[tuple[Sequence[str], int]]) -> None:
    """Make a change durable, and see that the directories it was made in are still where they were.

    Args:
        root: where the walk starts.
        done: what was done, for the message.
        places: components and descriptor of every directory that was changed.

    Raises:
        PartlyDone: it may be lost in a power failure, or a directory was moved away meanwhile.
    """
    for parts, fd in places:
        where = printable("/".join(parts)) or "the root"
        try:
            sync(fd)
        except OSError as error:
            raise PartlyDone(
                f"{done}, but that may not survive a power failure: syncing {where}: {error.strerror}.",
                "Check the disk.",
            ) from error
        try:
            with reached(root, parts, own=True) as again:
                moved = identity(os.fstat(again)) != identity(os.fstat(fd))
        except (OSError, WriteRefused):
            moved = True
        if moved:
            raise PartlyDone(
                f"{done}, but {where} was moved or replaced meanwhile, so it is not at that path.",
                "Look where that directory went.",
            )
