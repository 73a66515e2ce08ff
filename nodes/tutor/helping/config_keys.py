"""Key paths a configuration file shows, with their values, for suggestions only.

A quick scan, no parser: no claim is judged by it, and what it gets wrong makes a suggestion nobody can prove.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any

MOST_KEYS = 80
_LONGEST = 100_000
_KEY = re.compile(r"""["']?([\w./-]+)["']?\s*:(?:\s+(.*)|\s*)$""")
_ASSIGNED = re.compile(r"""(?:export\s+)?["']?([\w.-]+)["']?\s*[=:]\s*(.*)$""")
_SECTION = re.compile(r"\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:[#;].*)?$")
_INDENTED = ("yaml", "yml")
_TYPED = ("toml",)
_WORDED = ("ini", "cfg", "conf", "env", "properties")


def keys_in(path: str, text: str) -> tuple[tuple[str, Any], ...]:
    """Key paths (`a.b[1].c`; INI `section.key`) and values, 80 at most; nothing of other files."""
    ending = path.rpartition(".")[2].lower()
    if len(text) > _LONGEST:
        return ()
    if ending == "json":
        return tuple(islice(_flat("", _parsed(text)), MOST_KEYS))
    if ending in _INDENTED:
        return tuple(islice(_indented(text), MOST_KEYS))
    if ending in _TYPED or ending in _WORDED:
        return tuple(islice(_assigned(text, typed=ending in _TYPED), MOST_KEYS))
    return ()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        # What is no JSON shows no keys.
        return None


def _flat(at: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Depth first with a stack of its own: a file may be nested deeper than Python recurses."""
    stack = [(at, value)]
    while stack:
        at, value = stack.pop()
        if at:
            yield at, value
        if isinstance(value, dict):
            below = [(f"{at}.{key}" if at else key, inner) for key, inner in value.items()]
        elif isinstance(value, list):
            below = [(f"{at}[{index}]", inner) for index, inner in enumerate(value)]
        else:
            continue
        stack.extend(reversed(below))


def _indented(text: str) -> Iterator[tuple[str, Any]]:
    """Keys of YAML in block style."""
    parents: list[tuple[int, str, bool]] = []
    items: dict[str, int] = defaultdict(int)
    for line in text.split("\n"):
        rest = line.lstrip(" ")
        at = len(line) - len(rest)
        while rest.startswith("- "):
            while parents and (parents[-1][0] > at or (parents[-1][0] == at and parents[-1][2])):
                parents.pop()
            within = parents[-1][1] if parents else ""
            parents.append((at, f"{within}[{items[within]}]", True))
            items[within] += 1
            rest = rest[2:].lstrip(" ")
            at = len(line) - len(rest)
        if not (found := _KEY.match(rest)):
            continue
        while parents and parents[-1][0] >= at:
            parents.pop()
        path = f"{parents[-1][1]}.{found[1]}" if parents else found[1]
        parents.append((at, path, False))
        yield path, _typed(found[2]) if found[2] else None


def _assigned(text: str, *, typed: bool) -> Iterator[tuple[str, Any]]:
    """Keys of files with sections."""
    section = ""
    for line in text.split("\n"):
        line = line.strip()
        if found := _SECTION.match(line):
            section = f"{found[1]}."
        elif found := _ASSIGNED.match(line):
            yield section + found[1], _typed(found[2]) if typed else found[2].strip()


def _typed(written: str) -> Any:
    """A scalar as JSON has it, and else its text without quotes."""
    written = re.sub(r"\s+#.*$", "", written).strip()
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        # A bare word is its own text.
        return written.strip("'\"")
