"""Operands that name files: inside the root, links resolved, and ordinary files or directories."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tools.errors import CommandRefused
from tools.policy.vectors import refuse

MAGIC = frozenset({"/proc", "/dev", "/sys"})
MAX_LINKS = 40


def check_path(root: Path, operand: str, *, follows: bool = True) -> str:
    """An operand that is safe to give to a tool; one that begins with a dash gets "./" in front.

    Args:
        root: resolved directory no path may leave.
        operand: path as written, relative to the root or absolute below it.
        follows: False for a tool that tells of a link itself: then its last part may lead anywhere.

    Raises:
        CommandRefused: it leads outside, to a device, a pipe or a socket.
    """
    if operand in ("", "-"):
        if operand == "-":
            return "-"
        raise refuse(operand, "an empty name is no path", "Use . for the root.")
    if operand.startswith("~"):
        raise refuse(operand, "home directories are outside the root", "Use a path below the root.")
    last = operand.rsplit("/", 1)[-1]
    named = root / operand
    if not follows and last not in ("", ".", "..") and os.path.islink(named):
        named = named.parent
    try:
        resolved = Path(os.path.realpath(named))
    except (OSError, ValueError) as error:
        raise refuse(operand, "it is no path", "Use a path below the root.") from error
    if (resolved != root and root not in resolved.parents) or _leads_through_process(named):
        raise refuse(operand, "it leads outside the root", "Use a path below the root.")
    _check_kind(resolved, operand)
    return f"./{operand}" if operand.startswith("-") else operand


def _leads_through_process(path: Path) -> bool:
    """True if a step on the way lies in /proc or /dev, where one name means another place in each process."""
    # Plain strings: a call has a dozen paths of as many steps, and a Path for each takes most of its check.
    at, steps, links = "/", list(reversed(path.parts)), 0
    while steps:
        step = steps.pop()
        if step.startswith("/"):
            at = "/"  # a root of two slashes is the same one
        else:
            at = os.path.dirname(at) if step == ".." else os.path.join(at, step)
        if at in MAGIC or links > MAX_LINKS:
            return True
        if os.path.islink(at):
            links += 1
            steps += reversed(Path(os.readlink(at)).parts)
            at = os.path.dirname(at)
    return False


def _check_kind(resolved: Path, operand: str) -> None:
    try:
        mode = resolved.lstat().st_mode
    except OSError:
        return  # what does not exist cannot be read; the tool says so itself
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
        raise refuse(operand, "it is a device, pipe or socket", "Name an ordinary file.")


def is_safe(root: Path, operand: str) -> bool:
    """True if `check_path` accepts the operand."""
    try:
        check_path(root, operand)
    except CommandRefused:
        return False
    return True
