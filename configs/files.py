"""Where settings files lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SETTINGS_FILE = Path(".reflect") / "config.yaml"


@dataclass(frozen=True)
class SettingsFile:
    """A place where settings are looked for, and whether anything is there."""

    path: Path
    exists: bool


def settings_files(root: Path, home: Path | None = None) -> list[SettingsFile]:
    """The user's file, then the project's; one file when the project is the home directory.

    A user without a home directory has no file of their own.
    """
    folders = [home if home is not None else _home(), root]
    paths = [folder.absolute() / SETTINGS_FILE for folder in folders if folder is not None]
    return [SettingsFile(path, _exists(path)) for path in dict.fromkeys(paths)]


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
