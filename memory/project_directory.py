"""The directory `.reflect/` of a project, which keeps itself out of the project's git status."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from configs.redaction import path_text
from memory.errors import ProjectDirectoryUnwritable, reason_and_remedy

DIRECTORY = ".reflect"
_IGNORE_FILE = ".gitignore"
_IGNORE_EVERYTHING = b"*\n"
_PRIVATE = 0o700
_PRIVATE_FILE = 0o600
_DATABASE_FILES = ("", "-journal", "-wal", "-shm")


def ensure_project_directory(root: Path) -> Path:
    """Make `.reflect/` under a root, with a `.gitignore` of `*` when it has none.

    An ignore file that is there is left as it is.

    Args:
        root: the project's directory; it must exist.

    Returns:
        The directory, under `root`.

    Raises:
        ProjectDirectoryUnwritable: it cannot be made, or is a link that leads out of the root: a
            repository from elsewhere could otherwise have its asker write anywhere.
    """
    directory = root / DIRECTORY
    try:
        directory.mkdir(exist_ok=True)
        # Every event that is written comes by here; only a link can lead out, and only it is followed.
        if directory.is_symlink() and not directory.resolve().is_relative_to(root.resolve()):
            raise ProjectDirectoryUnwritable(
                f"{path_text(directory)} is a link that leads out of {path_text(root)}.",
                "Remove the link; a directory is made in its place.",
            )
        if not os.path.lexists(directory / _IGNORE_FILE):
            _write_new(directory / _IGNORE_FILE)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ProjectDirectoryUnwritable(f"The project's memory cannot be kept in {what}.", remedy) from error
    return directory


def make_parent(path: Path) -> None:
    """Make the directories above a file of memory.

    Inside a project this goes through `ensure_project_directory`, and no directory below that may be a link;
    elsewhere the lowest one must not be.

    Raises:
        ProjectDirectoryUnwritable: the project's directory cannot be used.
        OSError: another directory cannot be made, or one is a link.
    """
    nearest = _project_above(path)
    if nearest is not None and nearest.parent.is_dir() and not _is_home(nearest.parent):
        ensure_project_directory(nearest.parent)
    link = linked_parent(path)
    if link is not None:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(link))
    path.parent.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)


def linked_parent(path: Path) -> Path | None:
    """The directory above a file of memory that is a link, through which nothing is written; or None."""
    nearest = _project_above(path)
    for directory in path.parents:
        if directory == nearest:
            return None
        if directory.is_symlink():
            return directory
        if nearest is None:
            return None
    return None


def _project_above(path: Path) -> Path | None:
    return next((parent for parent in path.parents if parent.name == DIRECTORY), None)


def first_link(database: Path) -> Path | None:
    """The first link among a SQLite database and the files SQLite keeps beside it; None when there is none.

    A repository from elsewhere may bring one: in the place of the database it would have its asker write
    where it leads; at others SQLite fails.
    """
    files = (database.with_name(f"{database.name}{end}") for end in _DATABASE_FILES)
    return next((file for file in files if file.is_symlink()), None)


def make_private(database: Path) -> None:
    """Make an empty file only its owner reads, unless it is there: SQLite would let everybody.

    What tools read of private files stands in it. SQLite gives the files beside it the same mode.

    Raises:
        OSError: it cannot be made.
    """
    if not database.exists():
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW
        os.close(os.open(database, flags, _PRIVATE_FILE))


def _is_home(root: Path) -> bool:
    """A person's own `~/.reflect` may be a link to another disk; nobody else put it there."""
    try:
        return root == Path.home()
    except RuntimeError:
        return False


def _write_new(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(_IGNORE_EVERYTHING)
