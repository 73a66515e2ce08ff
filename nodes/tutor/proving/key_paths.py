"""Key paths: `a.b[1].c`, `section.key`, `a["b.c"]`; "", "." and "$" are the whole document. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from nodes.tutor.proving.configurations import Document
from nodes.tutor.proving.unclear import Unclear

LONGEST = 500
WHOLE = ("", ".", "$")
MOST_STEPS = 5000
_PART = re.compile(
    r"""\[(?P<index>0|[1-9][0-9]{0,8})\]"""
    r"""|\["(?P<double>[^"]*)"\]|\['(?P<single>[^']*)'\]"""
    r"""|(?P<dot>\.?)(?P<name>(?:[^.\[]|\[(?!(?:0|[1-9][0-9]{0,8})\]|"[^"]*"\]|'[^']*'\]))+)"""
)


@dataclass(frozen=True)
class Part:
    """One step of a key path.

    Attributes:
        key: of a mapping; None for an item of a list.
        index: of a list, from 0.
        quoted: the key stands in quotes, so it is one key and no part of a longer one.
        start, end: where it stands in the path.
    """

    key: str | None
    index: int
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True)
class Hit:
    """What stands at a key path."""

    value: object


@lru_cache(maxsize=512)
def parse(written: str) -> tuple[Part, ...] | None:
    """The steps of a key path, none for the whole document; None if it is no key path."""
    if written in WHOLE:
        return ()
    if len(written) > LONGEST:
        return None
    parts: list[Part] = []
    at = 0
    while at < len(written):
        found = _PART.match(written, at)
        # Names after the first part are divided by dots; the first has none before it.
        if found is None or (found["name"] is not None and bool(found["dot"]) == (not parts)):
            return None
        quoted = found["double"] if found["double"] is not None else found["single"]
        start = at + len(found["dot"] or "")
        at = found.end()
        key = quoted if quoted is not None else found["name"]
        parts.append(Part(key, int(found["index"] or 0), quoted is not None, start, at))
    return tuple(parts)


def last_key(written: str) -> str | None:
    """The key the path ends with; None if it ends with an item of a list, or has no step."""
    parts = parse(written)
    return parts[-1].key if parts else None


def find(document: Document, written: str) -> Hit | Unclear | None:
    """What stands at a key path.

    Keys may hold dots and brackets: a path that can be read in two ways, both of which lead somewhere, is
    unclear.

    Returns:
        None if nothing stands there.
    """
    parts = parse(written)
    if parts is None:
        return None
    hits = _hits(document.root, parts, written)
    if not hits and document.folded:
        folded = written.casefold()
        if _hits(_folded(document.root), parse(folded) or (), folded):
            return Unclear("The key stands there in other capital or small letters.")
    if len(hits) > 1:
        return Unclear("The key path can be read in several ways; put keys that hold dots into quotes.")
    if hits and isinstance(hits[0], Unclear):
        return hits[0]
    if not parts and isinstance(document.root, Mapping) and written in document.root:
        return Unclear(f"A key is named {written!r}, which also stands for the whole document.")
    return Hit(hits[0]) if hits else None


def _hits(root: object, parts: tuple[Part, ...], written: str) -> list[object]:
    hits: list[object] = []
    waiting: list[tuple[object, int]] = [(root, 0)]
    for _ in range(MOST_STEPS):
        if not waiting or len(hits) > 1:
            return hits
        node, at = waiting.pop()
        if at == len(parts) or isinstance(node, Unclear):
            hits.append(node)
        else:
            waiting += _steps(node, parts, at, written)
    return [Unclear("The key path can be read in too many ways.")]


def _steps(node: object, parts: tuple[Part, ...], at: int, written: str) -> Iterator[tuple[object, int]]:
    part = parts[at]
    if isinstance(node, list):
        if part.key is None and part.index < len(node):
            yield node[part.index], at + 1
        elif part.key is not None and part.key.isdecimal():
            yield Unclear("Items of lists are written in brackets, as in a[0]."), at + 1
    elif isinstance(node, Mapping):
        if part.quoted:
            yield from _entry(node, part.key or "", at, at + 1)
        else:
            for end in range(at + 1, len(parts) + 1):
                yield from _entry(node, written[part.start : parts[end - 1].end], at, end)


def _entry(node: Mapping[object, object], key: str, at: int, end: int) -> Iterator[tuple[object, int]]:
    if key in node:
        yield node[key], end
    elif any(not isinstance(other, str) and (end == at + 1 or str(other) == key) for other in node):
        yield Unclear(f"Keys that are no text stand where {key} is looked for."), end


def _folded(root: object) -> object:
    if not isinstance(root, Mapping):
        return root
    return {str(key).casefold(): _folded(value) for key, value in root.items()}
