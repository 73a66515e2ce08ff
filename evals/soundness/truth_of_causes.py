"""Is a configuration line the cause of a logged error? By trying it: the value of that line is read and used.

The last frame of the traceback names a source line, that line the key and what is done with its value, the
source the file it reads. A configuration line is the cause if altering it alters that key, and its value,
used in that way, fails with the logged error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from evals.soundness.tree import Tree
from evals.soundness.truth_of_values import Missing, parsed, value_at

FRAME = re.compile(r'  File "(?:/app/)?(.+)", line (\d+), in ')
KEY = re.compile(r'\["(\w+)"\]')
OPENED = re.compile(r'open\("([^"]+)"\)')
SETTING = re.compile(r'^(\s*(?:- )?"?[\w.]+"?\s*[:=] ?)(.*?)(,?)$')
USES: Mapping[str, Callable[[Any], object]] = {
    r"\bint\(": int,
    r"\bfloat\(": float,
    r" / ": lambda value: 1000 / value,
    r"\.upper\(\)": lambda value: value.upper(),
    r"\.split\(": lambda value: value.split(","),
    r" \+ ": lambda value: value + 1,
    r"\blen\(": len,
}


def causes(tree: Tree, subject: str, error: str) -> bool:
    """True if the line at `subject` causes the error logged at `error`, both `path:line`."""
    path, number = _place(subject)
    log, at = _place(error)
    if tree.text(path) is None or tree.text(log) is None or not at <= len(tree.lines(log)):
        return False
    frame = _last_frame(tree.lines(log)[:at])
    if frame is None or tree.text(frame[0]) is None:
        return False
    source, line = tree.files[frame[0]], tree.lines(frame[0])[frame[1] - 1]
    opened = OPENED.search(source)
    if opened is None or opened[1] != path:
        return False
    key = ".".join(KEY.findall(line))
    return _sets(tree, path, number, key) and tree.lines(log)[at - 1].endswith(
        _failure(tree, path, key, line)
    )


def _place(written: str) -> tuple[str, int]:
    path, _, number = written.rpartition(":")
    return path, int(number)


def _last_frame(lines: list[str]) -> tuple[str, int] | None:
    """The innermost frame of the traceback that the last of some lines ends."""
    for line in reversed(lines[:-1]):
        found = FRAME.match(line)
        if found:
            return found[1], int(found[2])
        if line.startswith("Traceback") or not line.startswith("  "):
            return None
    return None


def _sets(tree: Tree, path: str, number: int, key: str) -> bool:
    """True if another value in that line is another value under that key."""
    lines = tree.lines(path)
    setting = SETTING.match(lines[number - 1]) if 0 < number <= len(lines) else None
    if setting is None or not setting[2]:
        return False
    altered = [*lines[: number - 1], f'{setting[1]}"altered"{setting[3]}', *lines[number:]]
    text = "\n".join(altered) + "\n"
    try:
        parsed(path, text)
        return bool(value_at(Tree({path: text}), path, key) != value_at(tree, path, key))
    except (Missing, ValueError, yaml.YAMLError):
        return False


def _failure(tree: Tree, path: str, key: str, line: str) -> str:
    """Type and message of what the source line raises; no such text if it raises nothing."""
    use = next(use for pattern, use in USES.items() if re.search(pattern, line))
    try:
        use(value_at(tree, path, key))
    except (TypeError, ValueError, ZeroDivisionError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error at all \0"
