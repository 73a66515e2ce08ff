"""Waiting for a lock whose owners get on.

Waiters for a lock of SQLite, or of a file, are no queue: on a slow disk one may find it taken at its every
look. Who waits gives up only when nothing was written for as long as it waits.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Given = TypeVar("Given")


def in_turn(attempt: Callable[[], Given], path: Path, is_busy: Callable[[Exception], bool]) -> Given:
    """What an attempt gives, made again while it finds the lock taken and the file is written meanwhile.

    Args:
        attempt: waits for the lock, and raises where it is not given.
        path: what the lock's owners write.
        is_busy: tells such an error from others.

    Raises:
        Exception: the attempt's, of another kind, or when nothing was written during it.
    """
    while True:
        before = _stamp(path)
        try:
            return attempt()
        except Exception as error:
            if not is_busy(error) or _stamp(path) == before:
                raise


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """What differs after each write to a file; None without one."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns)
