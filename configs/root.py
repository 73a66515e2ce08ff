"""The directory a goal is about."""

from __future__ import annotations

from pathlib import Path

from configs.errors import UsageError


def resolve_root(text: str) -> Path:
    """The root as an absolute directory.

    Raises:
        UsageError: it does not exist, is not a directory, or cannot be read.
    """
    root = Path(text).expanduser()
    if not root.exists():
        raise UsageError(f"The root {text!r} does not exist.", "Name a directory with --root.")
    if not root.is_dir():
        raise UsageError(f"The root {text!r} is a file.", "Name the directory that holds it with --root.")
    try:
        next(root.iterdir(), None)
    except PermissionError as error:
        raise UsageError(f"The root {text!r} cannot be read.", "Choose a directory you may list.") from error
    try:
        return root.resolve()
    except OSError as error:
        raise UsageError(
            "The current directory no longer exists.", "Change to one that does, or name one with --root."
        ) from error
