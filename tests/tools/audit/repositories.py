"""Small git repositories, each made by one `git fast-import`, so that a test takes a moment only."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

START = 1_700_000_000
GIT = ("git", "-c", "user.name=n", "-c", "user.email=n@x", "-c", "protocol.file.allow=always")


@dataclass(frozen=True)
class Commit:
    """A commit: what it writes, removes and renames, who made it, when, and its parents by number from 1."""

    writes: Mapping[str, bytes] = field(default_factory=dict)
    removes: Sequence[str] = ()
    renames: Mapping[str, str] = field(default_factory=dict)
    author: str = "a@x"
    when: int | None = None
    parents: Sequence[int] | None = None


def git(place: Path, *words: str) -> str:
    done = subprocess.run([*GIT, *words], cwd=place, capture_output=True, text=True, check=True, timeout=30)
    return done.stdout


def made(place: Path, *commits: Commit) -> Path:
    """A repository with these commits on `main`, and no file checked out."""
    place.mkdir(parents=True, exist_ok=True)
    git(place, "init", "-q", "-b", "main", ".")
    if commits:
        stream = b"".join(_record(number, commit) for number, commit in enumerate(commits, 1))
        subprocess.run(
            [*GIT, "fast-import", "--quiet", "--force"], cwd=place, input=stream, check=True, timeout=30
        )
    return place


def _record(number: int, commit: Commit) -> bytes:
    when = START + 60 * number if commit.when is None else commit.when
    parents = [number - 1] if commit.parents is None and number > 1 else list(commit.parents or [])
    lines = [b"commit refs/heads/main", b"mark :%d" % number]
    lines += [b"committer n <%s> %d +0000" % (commit.author.encode(), when), b"data 1", b"x"]
    lines += [b"%s :%d" % (b"merge" if place else b"from", mark) for place, mark in enumerate(parents)]
    lines += [b"R %s %s" % (old.encode(), new.encode()) for old, new in commit.renames.items()]
    lines += [b"D %s" % path.encode() for path in commit.removes]
    for path, content in commit.writes.items():
        lines += [b"M 100644 inline %s" % path.encode(), b"data %d" % len(content), content]
    return b"\n".join(lines) + b"\n"


def text(name: str, *changed: int) -> bytes:
    """Twenty lines of a file, some of which were changed, so that git knows it again under another name."""
    lines = [f"{name} {number}{' changed' if number in changed else ''}" for number in range(20)]
    return "\n".join([*lines, ""]).encode()
