"""Which directory a project is: the same for all who share it, another for every copy of it.

Hosts may have a project directory in common, under one path or several, and other directories may have that
path elsewhere. A file with a random name of the project tells them apart; its inode tells a copy.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path

from configs.redaction import path_text
from memory.errors import ProjectDirectoryUnwritable, reason_and_remedy
from memory.project_directory import ensure_project_directory, linked_parent

FILE = "project-id"
_LONGEST = 100
_NAME = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Place:
    """A project directory.

    Attributes:
        identity: the same wherever the directory is looked at from.
        shown: for people: its path, and the host that has it.
    """

    identity: str
    shown: str


def place_of(root: Path) -> Place:
    """The place of a project, which is given a name if it has none.

    Raises:
        ProjectDirectoryUnwritable: its name cannot be read or written, or is damaged.
    """
    path = ensure_project_directory(root) / FILE
    try:
        if not path.exists():
            _give_name(path)
        if path.is_symlink() or linked_parent(path) is not None:
            raise ProjectDirectoryUnwritable(
                f"{path_text(path)} is a link, by which a project cannot be told.", "Remove the link."
            )
        with path.open("r", encoding="ascii", errors="replace") as file:
            name, inode = file.read(_LONGEST).strip(), os.fstat(file.fileno()).st_ino
    except OSError as error:
        what, remedy = reason_and_remedy(path, error)
        raise ProjectDirectoryUnwritable(f"The project's name cannot be kept in {what}.", remedy) from error
    if not _NAME.fullmatch(name):
        raise ProjectDirectoryUnwritable(
            f"{path_text(path)} does not hold the name of a project.",
            "Put back what it held, or remove it: threads that were begun here are then refused.",
        )
    return Place(f"{name} {inode}", f"{path_text(root)} on {socket.gethostname()}")


def _give_name(path: Path) -> None:
    """Whole or not at all; of two who do it at once, the first one's stays."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:
        file.write(secrets.token_hex(16) + "\n")
        file.flush()
        os.fsync(file.fileno())
        try:
            os.link(file.name, path)
        except FileExistsError:
            return
