"""One entry to wall one: a tool and an argument vector in, a safe vector out."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from tools.errors import UnknownTool
from tools.policy.find import check_find
from tools.policy.git import check_git
from tools.policy.options import ALLOWED, INSTEAD, UNLIMITED
from tools.policy.paths import check_path
from tools.policy.sed import check_sed
from tools.policy.vectors import check_size, normalise, refuse

PATH_VALUES = ("--relative-to", "--relative-base")
FOLLOWS = re.compile(r"-[qvz]*[fF].*|--f(?:o|ol|oll|ollo|ollow|ollow=.*)?|--retry|--pid=.*")
STILL_LONG = frozenset("-l -a -A -h -r -t -S -i -s -n --all --almost-all --human-readable --reverse".split())
LANGUAGES = {"find": check_find, "git": check_git, "sed": check_sed}
NAMES = frozenset(ALLOWED) | LANGUAGES.keys()


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
        hint = INSTEAD.get(_plain_name(tool), f"Use one of {', '.join(sorted(NAMES))}.")
        raise UnknownTool(f"{tool!r} is not in the read-only set of tools.", hint)
    check_size(tool, argv)
    if tool == "tail" and any(FOLLOWS.fullmatch(word) for word in argv):
        raise refuse("tail -f", "it would wait for ever", "Use tail -n to see the last lines.")
    if list(argv) == ["--help"] and tool != "git":
        return ["--help"]  # of git alone it would start a viewer
    return LANGUAGES[tool](root, argv) if tool in LANGUAGES else _by_options(root, tool, argv)


def _by_options(root: Path, tool: str, argv: Sequence[str]) -> list[str]:
    allowed = ALLOWED[tool]
    options, operands = normalise(tool, _modern(tool, argv), allowed)
    for option in options:
        name, _, value = option.partition("=")
        if name in PATH_VALUES:
            check_path(root, value)
    if allowed.operands == "paths":
        follows = not _tells_of_links(tool, options)
        operands = [check_path(root, operand, follows=follows) for operand in operands]
        # Links inside a compared directory may lead anywhere: they are compared, not what they lead to.
        compares_directories = tool == "diff" and any(os.path.isdir(root / operand) for operand in operands)
        if compares_directories and "--no-dereference" not in options:
            options.append("--no-dereference")
    elif allowed.operands == "pattern":
        operands = _pattern_first(root, tool, options, operands)
        options = _without_following(root, options, operands)
    return [*options, "--", *operands] if operands else options


def _plain_name(tool: str) -> str:
    """`python` for `/usr/bin/python3.11`."""
    name = tool.rsplit("/", 1)[-1]
    return name.rstrip("0123456789.") or name


def _modern(tool: str, argv: Sequence[str]) -> Sequence[str]:
    """`tail +3`, which tail takes as a count only where it stands first and little follows."""
    if tool == "tail" and argv and len(argv) <= 2 and re.fullmatch(r"\+[0-9]+", argv[0]):
        return ["-n", *argv]
    return argv


def _tells_of_links(tool: str, options: Sequence[str]) -> bool:
    """True if the tool tells what a link is, not what it leads to.

    `ls` follows a link it is given unless it prints long lines, which later options can take back (`-C`,
    `-f`); `du -H` and `stat -f` follow as well.
    """
    if tool == "ls":
        return "-d" in options or ("-l" in options and set(options) <= STILL_LONG)
    takes_back = {"du": {"-H"}, "stat": {"-f", "--file-system"}, "file": set[str](), "readlink": set[str]()}
    return tool in takes_back and not takes_back[tool] & set(options)


def _without_following(root: Path, options: list[str], operands: Sequence[str]) -> list[str]:
    """`grep -R` as `grep -r`, which is the same where there are no links."""
    following = {"-R", "--dereference-recursive"}
    if not following & set(options):
        return options
    for start in operands:
        for place, directories, files in os.walk(root / start):
            if any(os.path.islink(os.path.join(place, name)) for name in (*directories, *files)):
                raise refuse("grep -R", "it follows links, and there are some", "Use grep -r.")
    return ["-r" if option in following else option for option in options]


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
