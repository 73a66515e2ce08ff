"""One entry to wall one: a tool and an argument vector in, a safe vector out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tools.errors import UnknownTool
from tools.policy.find import check_find
from tools.policy.git import check_git
from tools.policy.options import ALLOWED, INSTEAD, UNLIMITED
from tools.policy.paths import check_path
from tools.policy.vectors import check_size, normalise, refuse

NAMES = frozenset(ALLOWED) | {"find", "git"}


def check_argv(root: Path, tool: str, argv: Sequence[str]) -> list[str]:
    """The vector a tool is run with: options normalised, `--`, operands checked.

    Args:
        root: resolved directory no path may leave.
        tool: name of the tool.
        argv: arguments without the tool's name.

    Raises:
        UnknownTool: the tool is not in the read-only set.
        CommandRefused: an option or operand is not allowed.
    """
    if tool not in NAMES:
        hint = INSTEAD.get(
            tool.rsplit("/", 1)[-1].rstrip("0123456789."), f"Use one of {', '.join(sorted(NAMES))}."
        )
        raise UnknownTool(f"{tool!r} is not in the read-only set of tools.", hint)
    check_size(tool, argv)
    if tool == "find":
        return check_find(root, argv)
    if tool == "git":
        return check_git(root, argv)
    allowed = ALLOWED[tool]
    options, operands = normalise(tool, argv, allowed)
    if allowed.operands == "paths":
        operands = [check_path(root, operand) for operand in operands]
        # Links inside a compared directory may lead anywhere: they are compared, not what they lead to.
        compares_directories = tool == "diff" and any((root / operand).is_dir() for operand in operands)
        if compares_directories and "--no-dereference" not in options:
            options.append("--no-dereference")
    elif allowed.operands == "pattern":
        operands = _pattern_first(root, tool, options, operands)
    return [*options, "--", *operands] if operands else options


def check_listed(tool: str) -> None:
    """Whether a tool may take its operands from a list.

    Raises:
        CommandRefused: only so many operands are safe or sensible, and a list may hold more.
    """
    most = ALLOWED[tool].most if tool in ALLOWED else UNLIMITED
    if most < UNLIMITED or tool == "find":
        raise refuse(f"xargs {tool}", "it does not read a list of files", "Name its files as arguments.")


def _pattern_first(root: Path, tool: str, options: list[str], operands: list[str]) -> list[str]:
    given = any(option.startswith(("-e", "--regexp")) for option in options)
    if not given and not operands:
        raise refuse(tool, "the pattern is missing", "Give one.")
    patterns = [] if given else operands[:1]
    paths = [check_path(root, path) for path in operands[len(patterns) :]]
    return [*patterns, *paths]
