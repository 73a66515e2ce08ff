"""Where settings files lie."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

SETTINGS_FILE = Path(".reflect") / "config.yaml"


@dataclass(frozen=True)
class SettingsFile:
    """A place where settings are looked for.

    Attributes:
        path: of the file.
        exists: whether anything is there.
        own: True if the user wrote it; a project's file may have come with a repository from elsewhere.
    """

    path: Path
    exists: bool
    own: bool = False


def settings_files(root: Path, home: Path | None = None) -> list[SettingsFile]:
    """The user's file, then the project's; one file when the project is the home directory.

    A user without a home directory has no file of their own.
    """
    project = root.absolute() / SETTINGS_FILE
    home = home if home is not None else _home()
    if home is None:
        return [SettingsFile(project, _exists(project))]
    users = home.absolute() / SETTINGS_FILE
    own = os.path.realpath(users)
    return [
        SettingsFile(path, _exists(path), own=os.path.realpath(path) == own)
        for path in dict.fromkeys((users, project))
    ]


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:
        return False
