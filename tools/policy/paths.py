"""Operands that name files: inside the root, links resolved, and ordinary files or directories."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tools.errors import CommandRefused
from tools.policy.vectors import refuse


def check_path(root: Path, operand: str) -> str:
    """An operand that is safe to give to a tool; one that begins with a dash gets "./" in front.

    Args:
        root: resolved directory no path may leave.
        operand: path as written, relative to the root or absolute below it.

    Raises:
        CommandRefused: it leads outside, to a device, a pipe or a socket.
    """
    if operand in ("", "-"):
        if operand == "-":
            return "-"
        raise refuse(operand, "an empty name is no path", "Use . for the root.")
    if operand.startswith("~"):
        raise refuse(operand, "home directories are outside the root", "Use a path below the root.")
    try:
        resolved = Path(os.path.realpath(root / operand))
    except (OSError, ValueError) as error:
        raise refuse(operand, "it is no path", "Use a path below the root.") from error
    if resolved != root and root not in resolved.parents:
        raise refuse(operand, "it leads outside the root", "Use a path below the root.")
    _check_kind(resolved, operand)
    return f"./{operand}" if operand.startswith("-") else operand


def _check_kind(resolved: Path, operand: str) -> None:
    try:
        mode = resolved.lstat().st_mode
    except OSError:
        return  # what does not exist cannot be read; the tool says so itself
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
        raise refuse(operand, "it is a device, pipe or socket", "Name an ordinary file.")
    for place in ("/proc", "/dev", "/sys"):
        if resolved.is_relative_to(place):
            raise refuse(operand, f"{place} is not read", "Name an ordinary file.")


def is_safe(root: Path, operand: str) -> bool:
    """True if `check_path` accepts the operand."""
    try:
        check_path(root, operand)
    except CommandRefused:
        return False
    return True
