"""Which files of a tree are source code, and which were left out, and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from configs.audit import AuditSettings
from tools.audit.report import LeftOut, Skipped


@dataclass(frozen=True)
class Source:
    """A file to look at.

    Attributes:
        file: path relative to the root, with `/`, escaped so that any report can hold it.
        path: where it lies; read it with `reading.read` only, which follows no link.
        language: lower case, e.g. "python".
        size: bytes, when the tree was walked.
    """

    file: str
    path: Path
    language: str
    size: int


@dataclass(frozen=True)
class Sources:
    """The files of a tree.

    Attributes:
        files: sorted by `file`.
        skipped: what was left out.
        notes: what a reader should know of the choice.
    """

    files: tuple[Source, ...]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


class Unusable(Exception):
    """A file that a kernel has to do without.

    Args:
        reason: machine-readable.
        what: what happened, for people.
        line: where, for a syntax error.
    """

    def __init__(self, reason: LeftOut, what: str, line: int | None = None) -> None:
        super().__init__(reason, what, line)
        self.reason = reason
        self.what = what
        self.line = line


def sources(root: Path, settings: AuditSettings) -> Sources:
    """Choose the files of a tree."""
    raise NotImplementedError
