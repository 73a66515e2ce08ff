"""What a command names, and the environment it runs in: the system's programs."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

from tools.errors import SandboxUnavailable
from tools.sandbox.bwrap import HOME
from tools.sandbox.confinement import Confinement

TRUSTED = "/usr/bin:/bin"


@cache
def program(name: str) -> str:
    """Absolute path of a tool; only the system's own directories are trusted.

    Raises:
        SandboxUnavailable: the tool is not installed.
    """
    found = shutil.which(name, path=TRUSTED)
    if found is None:
        raise SandboxUnavailable(
            f"The tool {name!r} is not installed.", f"Install it, e.g. `apt-get install {name}`."
        )
    return found


def executable(name: str, limits: Confinement) -> str:
    """Absolute path of what a command names: a file of the root, of a readable directory, or of the system.

    Args:
        name: looked up among the system's programs; with a slash, a path relative to the root.
        limits: where it may lie.

    Raises:
        SandboxUnavailable: it lies elsewhere, or is no program.
    """
    if "/" not in name:
        return program(name)
    path = Path(os.path.normpath(limits.root / name))
    places = (limits.root, *limits.readable, *map(Path, TRUSTED.split(":")))
    real = path.resolve()
    if not any(real.is_relative_to(place.resolve()) for place in places):
        raise SandboxUnavailable(
            f"The program {name!r} lies outside {limits.root}.", "Name one of the project or of the system."
        )
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise SandboxUnavailable(f"The program {name!r} cannot be run.", "Make it an executable file.")
    return str(path)


def environment(root: Path) -> dict[str, str]:
    """The whole environment of a tool: no secret of the caller's gets in."""
    return {
        "PATH": TRUSTED,
        "LC_ALL": "C.UTF-8",
        "HOME": HOME,
        "TZ": os.environ.get("TZ", ""),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_ATTR_NOSYSTEM": "1",
    }
