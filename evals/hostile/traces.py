"""What a command left on the disk: two looks at some places, and what differs between them.

The change time of an inode moves with every change of its content, mode, owner, links, extended attributes
or other times, and no system call sets it, so it is the one thing that has to be compared; the rest says what
the change was. Reading moves the access time only, which is left out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Status(NamedTuple):
    """What is compared of one name."""

    inode: int
    mode: int
    owner: tuple[int, int]
    links: int
    size: int
    modified: int
    changed: int
    target: str


Look = dict[str, Status]


def look(places: Iterable[Path]) -> Look:
    """The status of every name below the places, the places themselves included."""
    found: Look = {}
    pending = [str(place) for place in places]
    while pending:
        path = pending.pop()
        status = _status(path)
        if status is None:
            continue
        found[path] = status
        if os.path.isdir(path) and not os.path.islink(path):
            pending += [entry.path for entry in os.scandir(path)]
    return found


def _status(path: str) -> Status | None:
    try:
        found = os.lstat(path)
        target = os.readlink(path) if os.path.islink(path) else ""
    except FileNotFoundError:
        return None  # shared places change under the look
    return Status(
        found.st_ino,
        found.st_mode,
        (found.st_uid, found.st_gid),
        found.st_nlink,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        target,
    )


def differences(before: Look, after: Look) -> list[str]:
    """One line for each name that came, went or changed."""
    told = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path), after.get(path)
        if old is None:
            told.append(f"{path} was made")
        elif new is None:
            told.append(f"{path} is gone")
        elif old != new:
            changed = [name for name, a, b in zip(Status._fields, old, new, strict=True) if a != b]
            told.append(f"{path} changed: {', '.join(changed)}")
    return told


def elsewhere(command: str, shared: Iterable[Path]) -> Look:
    """Names in shared places that a command could mean.

    Other programs use `/tmp` as well, so a name there counts only if it is in the command, or is called
    `pwned`; absolute paths in the command are looked at wherever they are. Directories are looked at as
    names: what else happens in them is not the command's doing.
    """
    found: Look = {}
    named = re.findall(r"/[\w./+-]+", command)
    candidates = [Path(name) for name in named if not name.startswith(("/proc", "/dev/", "/sys"))]
    for place in shared:
        entries = os.listdir(place) if os.path.isdir(place) else []
        candidates += [
            place / name
            for name in entries
            if name.startswith("pwned") or (len(name) > 3 and name in command)
        ]
    for path in candidates:
        status = _status(str(path)) if path.is_symlink() or path.exists() else None
        if status is not None and path.is_dir():
            status = status._replace(size=0, links=0, modified=0, changed=0)
        if status is not None:
            found[str(path)] = status
    return found
