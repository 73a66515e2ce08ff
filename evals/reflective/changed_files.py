"""What the files of a project are, and what they should be after a change."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

UNREADABLE = "private/keys.txt"
SKIPPED = {".git", ".reflect"}
Files = dict[str, bytes]


def snapshot(root: Path) -> Files:
    """Contents of every file by path; of the unreadable one its size. Trailing blank lines do not count."""
    found: Files = {}
    for folder, directories, names in os.walk(root):
        directories[:] = [name for name in directories if name not in SKIPPED]
        for name in names:
            path = Path(folder) / name
            relative = str(path.relative_to(root))
            # Of the file nobody may read the size is known; it is readable in the original only.
            found[relative] = (
                str(path.stat().st_size).encode()
                if relative == UNREADABLE
                else path.read_bytes().rstrip(b"\n")
            )
    return found


def with_operations(files: Files, operations: Sequence[dict[str, str]]) -> Files:
    """Files after some operations.

    Args:
        files: contents by path.
        operations: `{write: PATH, text: T}`, `{move: PATH, to: PATH}`, `{edit: PATH, old: T, new: T}` or
            `{delete: PATH}`.

    Raises:
        ValueError: an operation is none of these, or finds nothing to do.
    """
    changed = dict(files)
    for operation in operations:
        match operation:
            case {"write": path, "text": text}:
                changed[path] = text.encode()
            case {"move": path, "to": target} if path in changed:
                changed[target] = changed.pop(path)
            case {"edit": path, "old": old, "new": new} if old.encode() in changed.get(path, b""):
                changed[path] = changed[path].replace(old.encode(), new.encode())
            case {"delete": path} if path in changed:
                del changed[path]
            case _:
                raise ValueError(f"{operation} cannot be done.")
    return changed
