"""Records that may leave this machine: without secrets, and without the paths of its directories. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memory.redaction import redact_record

# Fields that programs write, in which every absolute path is one of this machine. What people and models
# write may speak of paths of any machine: there only this one's own directories are taken out.
OF_PROGRAMS = frozenset(
    {
        "model",
        "peer",
        "problem",
        "problems",
        "error",
        "errors",
        "notes",
        "failure",
        "what",
        "remedy",
        "refused",
    }
)
_ABSOLUTE = re.compile(r"(?<![\w/.~-])/(?:[^\s/:;,'\"<>|()]+/)+(?=[^\s/:;,'\"<>|()])")


def portable(value: Any, directories: Mapping[str, str]) -> Any:
    """A JSON value fit to be handed on.

    Args:
        value: any JSON value.
        directories: what stands for a directory of this machine, by its absolute path: `{"/home/x": "~"}`.
    """
    # The longest first: a project mostly lies below a home.
    ordered = sorted(directories.items(), key=lambda entry: -len(entry[0]))
    rules = [
        (re.compile(rf"(?<![\w/.-]){re.escape(path.rstrip('/'))}(?![\w.-])"), name)
        for path, name in ordered
        if path.rstrip("/")
    ]
    return _without_paths(redact_record(value), "", rules)


def machine_directories(root: Path) -> dict[str, str]:
    """What stands for the directories a run knows: its project, whoever's home it is, where it was begun."""
    named = {str(Path.home()): "~", str(Path.cwd()): ".", str(root.absolute()): ".", str(root.resolve()): "."}
    return {path: name for path, name in named.items() if path.startswith("/")}


def _without_paths(value: Any, name: str, rules: Sequence[tuple[re.Pattern[str], str]]) -> Any:
    if isinstance(value, str):
        # No reader of JSON takes halves of characters.
        value = value.encode("utf-8", "replace").decode("utf-8")
        for pattern, instead in rules:
            value = pattern.sub(instead, value)
        return _ABSOLUTE.sub("", value) if name in OF_PROGRAMS else value
    if isinstance(value, dict):
        inside = name if name in OF_PROGRAMS else ""
        return {
            _without_paths(key, "", rules): _without_paths(item, inside or key, rules)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_without_paths(item, name, rules) for item in value]
    return value
