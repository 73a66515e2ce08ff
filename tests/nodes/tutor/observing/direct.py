"""Facts, compared with the files themselves: read with nothing of the code that made them."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
import stat
from pathlib import Path

from nodes.tutor.facts import (
    Compared,
    Digest,
    Entry,
    Fact,
    Hunks,
    Lines,
    Matches,
    Measure,
    Search,
    Searched,
    Text,
    Walked,
)


def kind(path: Path) -> str:
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return "absent"
    if stat.S_ISLNK(mode):
        return "link"
    return "directory" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"


def rows(root: Path, path: str) -> list[bytes]:
    content = (root / path).read_bytes()
    return content.removesuffix(b"\n").split(b"\n") if content else []


def below(root: Path, directory: str) -> list[str]:
    """Everything below a directory, relative to the root; links are not followed."""
    found = []
    for place, directories, files in os.walk(root / directory):
        for name in [*directories, *files]:
            found.append(os.path.relpath(os.path.join(place, name), root))
    return found


def words(content: bytes) -> int | None:
    """Words of a text of plain characters; of others it depends on what a character is."""
    if not re.fullmatch(rb"[\t-\r -~]*", content):
        return None
    return len(content.split())


def holds_text(line: bytes, fact: Matches | Searched) -> bool:
    assert fact.literal is not None
    text, literal = line.decode("utf-8", "surrogateescape"), fact.literal
    if fact.ignore_case:
        literal = "".join(
            f"[{sign.upper()}{sign.lower()}]" if sign.isalpha() else re.escape(sign) for sign in literal
        )
    else:
        literal = re.escape(literal)
    return re.search(rf"(?<!\w){literal}(?!\w)" if fact.word else literal, text) is not None


def selected(root: Path, path: str, fact: Matches | Searched) -> list[int]:
    inverted = isinstance(fact, Matches) and fact.inverted
    return [number for number, line in enumerate(rows(root, path), 1) if holds_text(line, fact) != inverted]


def found(root: Path, fact: Search) -> set[tuple[str, str]]:
    entries = set()
    for path in below(root, fact.directory):
        inside = os.path.relpath(path, fact.directory)
        name, parts = os.path.basename(path), inside.split(os.sep)
        if fact.names and not any(fnmatch.fnmatchcase(name, glob) for glob in fact.names):
            continue
        if fact.depth is not None and len(parts) > fact.depth:
            continue
        if not fact.hidden and any(part.startswith(".") for part in parts):
            continue
        if fact.kind is None or kind(root / path) == fact.kind:
            entries.add((path, kind(root / path)))
    return entries


def is_so(fact: Fact, root: Path) -> bool:
    """True if a fact is so of the files below a root."""
    if isinstance(fact, Walked):
        return _was_walked(fact, root)
    return _is_so(fact, root)


def _was_walked(fact: Walked, root: Path) -> bool:
    there = [path for path in below(root, fact.directory) if kind(root / path) == "directory"]
    return sorted(fact.paths) == sorted(there)


def _is_so(fact: Fact, root: Path) -> bool:
    if isinstance(fact, Entry):
        return kind(root / fact.path) == fact.kind
    if isinstance(fact, Text):
        return (root / fact.path).read_bytes() == fact.text.encode()
    if isinstance(fact, Lines):
        lines, told = rows(root, fact.path), [line.encode() for line in fact.lines]
        first = fact.first - 1 if fact.first is not None else len(lines) - len(told)
        reaches = first + len(told) == len(lines)
        ended = (root / fact.path).read_bytes().endswith(b"\n")
        end_is_so = fact.terminated is None or (fact.ends and fact.terminated == ended)
        return lines[first : first + len(told)] == told and (reaches or not fact.ends) and end_is_so
    if isinstance(fact, Measure):
        content = (root / fact.path).read_bytes()
        sizes = {"lines": content.count(b"\n"), "bytes": len(content), "words": words(content)}
        return sizes[fact.unit] in (fact.value, None)
    if isinstance(fact, Digest):
        return hashlib.sha256((root / fact.path).read_bytes()).hexdigest() == fact.sha256
    if isinstance(fact, Search):
        told_entries = [(entry.path, entry.kind) for entry in fact.found]
        return set(told_entries) == found(root, fact) and len(set(told_entries)) == len(told_entries)
    if isinstance(fact, Matches):
        return _matches_are_so(fact, root)
    if isinstance(fact, Searched):
        files = [path for path in below(root, fact.directory) if kind(root / path) == "file"]
        counts = {path: len(selected(root, path, fact)) for path in files}
        whole = {path: count for path, count in counts.items() if count}
        return set(fact.files) == set(whole) and fact.counts == tuple(whole[path] for path in fact.files)
    if isinstance(fact, Hunks):
        return _patched(rows(root, fact.old), fact) == rows(root, fact.new)
    assert isinstance(fact, Compared)
    return ((root / fact.old).read_bytes() == (root / fact.new).read_bytes()) == fact.same


def _patched(old: list[bytes], fact: Hunks) -> list[bytes]:
    """The new lines, made from the old ones by the hunks; nothing if these do not fit."""
    new: list[bytes] = []
    at = 0
    for hunk in fact.hunks:
        new += old[at : hunk.old_first - 1]
        at = hunk.old_first - 1 + len(hunk.old)
        if old[hunk.old_first - 1 : at] != [line.encode() for line in hunk.old]:
            return []
        if hunk.new_first != len(new) + 1:
            return []
        new += [line.encode() for line in hunk.new]
    return new + old[at:]


def _matches_are_so(fact: Matches, root: Path) -> bool:
    lines = rows(root, fact.path)
    shown = fact.lines or ()
    if fact.lines is not None and len(shown) != fact.count:
        return False
    if not all(match.path == fact.path and lines[match.number - 1] == match.text.encode() for match in shown):
        return False
    if fact.literal is None:
        return True
    numbers = selected(root, fact.path, fact)
    return fact.count == len(numbers) and (fact.lines is None or [match.number for match in shown] == numbers)
