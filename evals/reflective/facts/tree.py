"""The files of a project that count: not ignored by git, not hidden."""

from __future__ import annotations

import fnmatch
import os
from pathlib import Path

SKIPPED = {".git", ".reflect", "node_modules", "build"}


def visible_files(root: Path) -> list[str]:
    """Paths of files below a directory, sorted, without what is ignored."""
    found = []
    for folder, directories, names in os.walk(root):
        directories[:] = [name for name in directories if name not in SKIPPED]
        found += [str((Path(folder) / name).relative_to(root)) for name in names]
    return sorted(found)


def chosen(root: Path, glob: str, under: str = "") -> list[str]:
    """Files whose name matches, at any depth below a directory; `glob` may offer several, split by blanks."""
    return [
        path
        for path in visible_files(root)
        if (not under or path.startswith(f"{under}/"))
        and any(fnmatch.fnmatch(path.rsplit("/", 1)[-1], one) for one in glob.split())
    ]


def text_of(root: Path, path: str) -> str:
    """A file's text; empty where nobody may read it."""
    try:
        return (root / path).read_text("utf-8", "replace")
    except PermissionError:
        return ""


def lines_of(root: Path, path: str) -> list[str]:
    """A file's lines."""
    return text_of(root, path).splitlines()


def size(root: Path, path: str, by: str) -> float:
    """Lines, bytes or words of a file; by anything else, seconds of its modification time."""
    content = (root / path).read_bytes()
    sizes = {"lines": content.count(b"\n"), "bytes": len(content), "words": len(content.split())}
    return sizes[by] if by in sizes else (root / path).stat().st_mtime
