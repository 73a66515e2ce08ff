"""Command strings as models write them, into stages. What is not understood is refused, and said why.

The reading is bash's for words, quotes and pipes; everything else a shell could do has no place here.
"""

from __future__ import annotations

import os
from pathlib import Path

from tools.arguments import Stage
from tools.globs import expand, is_pattern
from tools.policy.paths import is_safe
from tools.policy.vectors import refuse
from tools.words import Scanner, Word
from tools.xargs import xargs_stage

# Tests of find whose value is a pattern: a shell would expand it if it could, which nobody means.
PATTERN_TESTS = frozenset(
    {"-name", "-iname", "-path", "-ipath", "-wholename", "-lname", "-regex", "--include", "--exclude"}
)
MAX_GLOB = 2000
# Reserved words of bash(1): unquoted and in front, they are no commands.
SHELL_WORDS = frozenset(
    "! { } [[ ]] case coproc do done elif else esac fi for function if in "
    "select then time until while".split()
)


def parse_command(command: str, root: Path) -> list[Stage]:
    """The stages of a command string; options and paths are checked later, by the policy.

    Args:
        command: one pipeline, as typed.
        root: where unquoted globs are expanded.

    Raises:
        CommandRefused: the string holds something that is no word, quote or pipe.
    """
    text = command.strip()
    if "\0" in text:
        raise refuse("NUL", "a command holds no NUL byte", "Leave it out.")
    scanner = Scanner(text)
    stages: list[Stage] = []
    for words in scanner.scan():
        if words and is_pattern(words[0].signs):
            raise refuse(words[0].text, "the tool is a pattern", "Write the tool's name.")
        if words and words[0].text in SHELL_WORDS and not any(quoted for _, quoted in words[0].signs):
            raise refuse(words[0].text, "it is a word of the shell's own", "Start with a tool.")
        expanded = _expand(words, root)
        if not expanded:
            raise refuse("|", "a stage is empty", "Write a tool on both sides of every pipe.")
        stages.append(_stage(expanded, first=not stages))
    if scanner.input is not None:
        (name,) = _one_input(_expand([scanner.input], root))
        stages.insert(0, Stage(tool="cat", argv=["--", name]))
    return stages


def _one_input(names: list[str]) -> list[str]:
    if len(names) != 1 or names[0] in ("", "-"):
        raise refuse("<", "it needs the name of one file", "Name the file as an argument.")
    return names


def _expand(words: list[Word], root: Path) -> list[str]:
    expanded: list[str] = []
    for word in words:
        text = word.text
        named = bool(expanded) and expanded[-1] in PATTERN_TESTS
        if not is_pattern(word.signs) or named or text.startswith("-"):
            expanded.append(text)
            continue
        if text.startswith("/") or ".." in text.split("/"):
            raise refuse(
                text, "a pattern must stay below the root", "Start it at the root's own directories."
            )
        found = expand(word.signs, root)
        if not all(is_safe(root, os.path.dirname(name.rstrip("/")) or ".") for name in found):
            raise refuse(text, "a pattern must stay below the root", "Name a directory of the root.")
        if len(found) > MAX_GLOB:
            raise refuse(text, f"it stands for more than {MAX_GLOB} names", "Use find with -name.")
        expanded += found or [text]
    return expanded


def _stage(words: list[str], *, first: bool) -> Stage:
    tool, *argv = words
    if "=" in tool:
        raise refuse(tool, "variables are not set", "Start with the tool.")
    if tool != "xargs":
        return Stage(tool=tool, argv=argv)
    if first:
        raise refuse("xargs", "nothing is piped into it", "Put find ... -print0 | in front.")
    return xargs_stage(argv)
