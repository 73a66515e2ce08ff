"""Paths as claims write them, and as facts name them. Pure."""

from __future__ import annotations

import re

LONGEST = 1024
_HOME = re.compile(r"~[\w.-]*(/|$)")
_NUMBERED = re.compile(r"(?s)(.+):([1-9][0-9]{0,8})")


def normal(written: str) -> str | None:
    """A path as facts name it; None if it may lead out of the sandbox, or is none."""
    if not written or len(written) > LONGEST or "\0" in written or written.startswith("/"):
        return None
    parts = [part for part in written.split("/") if part not in ("", ".")]
    if ".." in parts or _HOME.match(written):
        return None
    return "/".join(parts) or "."


def numbered(written: str) -> tuple[str, int] | None:
    """The path and the number of `path:line`; None if it has not this form."""
    found = _NUMBERED.fullmatch(written)
    path = normal(found[1]) if found else None
    return (path, int(found[2])) if found and path is not None else None


def parent(path: str) -> str:
    """The directory a path stands in; of the sandbox, itself."""
    return path.rpartition("/")[0] or "."


def name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def join(directory: str, last: str) -> str:
    """A path in a directory."""
    return last if directory == "." else f"{directory}/{last}"


def is_below(path: str, directory: str) -> bool:
    """True if a path is in a directory or deeper, and not the directory itself."""
    return path != "." and (directory == "." or path.startswith(f"{directory}/"))


def between(path: str, directory: str) -> list[str]:
    """The directories below one that lead to a path below it, outermost first."""
    found = []
    path = parent(path)
    while path != directory and path != ".":
        found.append(path)
        path = parent(path)
    return found[::-1]


def ancestors(path: str) -> list[str]:
    """A path and all directories it stands in, the sandbox last."""
    found = [path]
    while path != ".":
        path = parent(path)
        found.append(path)
    return found
