"""The directory a goal is about.

A relative one starts at the working directory; in a server that works elsewhere, because what it keeps for
itself must not lie in a project, at the directory it was told to serve.
"""

from __future__ import annotations

import stat
from pathlib import Path

from configs.errors import RootMissing, UsageError

_served: Path | None = None


def serve(root: Path) -> None:
    """Have relative roots start at a directory from now on, in the whole process.

    Args:
        root: absolute.
    """
    global _served
    _served = root


def starting_point() -> Path:
    """The directory relative roots start at: the one that is served, else the working directory."""
    return _served or Path.cwd()


def resolve_root(text: str) -> Path:
    """The root as an absolute directory.

    Raises:
        RootMissing: it does not exist.
        UsageError: it is not a directory, cannot be read, or the text can name none.
    """
    try:
        root = Path(text).expanduser()
        if _served is not None:
            root = _served / root
        status = root.stat()
        if not stat.S_ISDIR(status.st_mode):
            raise UsageError(f"The root {text!r} is a file.", "Name the directory that holds it with --root.")
        next(root.iterdir(), None)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RootMissing(f"The root {text!r} does not exist.", "Name a directory with --root.") from error
    except PermissionError as error:
        raise UsageError(f"The root {text!r} cannot be read.", "Choose a directory you may list.") from error
    except (OSError, ValueError, RuntimeError) as error:
        # A NUL, half a character, a name that is too long, links in a circle, the home of nobody.
        raise UsageError(
            f"The root {text!r} can name no directory: {str(error).rstrip('.')}.",
            "Name a directory with --root.",
        ) from error
    try:
        return root.resolve()
    except OSError as error:
        raise UsageError(
            "The current directory no longer exists.", "Change to one that does, or name one with --root."
        ) from error
