"""Facts about commits, asked of git itself."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

from evals.reflective.facts.registry import fact


def _git(root: Path, *arguments: str) -> list[str]:
    result = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return [line for line in result.stdout.splitlines() if line]


@fact
def number_of_commits(root: Path, author: str = "", path: str = "", since: str = "") -> int:
    """Commits, of one author, of one path, or after a revision."""
    words = ["log", "--format=%H", *([f"--author={author}"] if author else [])]
    words += [f"{since}..HEAD"] if since else []
    return len(_git(root, *words, *(["--", path] if path else [])))


@fact
def authors(root: Path, path: str = "") -> list[str]:
    """Everybody who committed."""
    return sorted(set(_git(root, "log", "--format=%an", *(["--", path] if path else []))))


@fact
def commit_author(root: Path, which: str = "last", path: str = "") -> str:
    """Author of the last or first commit."""
    names = _git(root, "log", "--format=%an", *(["--", path] if path else []))
    return names[0] if which == "last" else names[-1]


@fact
def commit_message(root: Path, which: str = "last", path: str = "") -> str:
    """Subject of the last or first commit."""
    subjects = _git(root, "log", "--format=%s", *(["--", path] if path else []))
    return subjects[0] if which == "last" else subjects[-1]


@fact
def busiest_author(root: Path) -> str:
    """Who made the most commits."""
    return Counter(_git(root, "log", "--format=%an")).most_common(1)[0][0]


@fact
def files_of_commit(root: Path, revision: str = "HEAD") -> list[str]:
    """Files a commit changed."""
    return sorted(_git(root, "show", "--name-only", "--format=", revision))


@fact
def tags(root: Path) -> list[str]:
    """Tags, sorted."""
    return sorted(_git(root, "tag"))
