"""Which files of a tree are source code, and which were left out, and why."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from configs.audit import AuditSettings
from configs.redaction import path_text
from configs.settings import SandboxChoice
from tools.audit.ignored import ignored_by_git
from tools.audit.labels import label
from tools.audit.languages import language_of
from tools.audit.report import LeftOut, Skipped
from tools.audit.walking import Found, Walk
from tools.errors import AuditFailed


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
        root: the directory that paths are relative to, with no link in its own path.
        files: sorted by `file`.
        skipped: what was left out.
        notes: what a reader should know of the choice.
    """

    root: Path
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


def sources(root: Path, settings: AuditSettings, sandbox: SandboxChoice = "auto") -> Sources:
    """Choose the files of a tree; it walks directories and asks git, so call it in a thread.

    Args:
        root: a directory, or one file.
        settings: `most_files`, `most_bytes`, `exclude`.
        sandbox: isolation wanted for git.

    Raises:
        AuditFailed: there is nothing at the root, or it cannot be listed.
    """
    place = Path(os.path.realpath(root))
    if not place.is_dir():
        return _of_one_file(place, settings)
    _check_readable(place)
    ignored, note = ignored_by_git(place, sandbox)
    excluded = _pattern(settings.exclude)

    def left_out(path: str) -> bool:
        return path in ignored or excluded(path.rstrip("/"))

    walk = Walk()
    found = [(label(one.path), one) for one in walk.files(place, left_out)]
    notes = [note, _built(walk.built)]
    files, skipped = _within_limits(place, sorted(found, key=lambda pair: pair[0]), settings)
    skipped = sorted([*walk.skipped, *skipped], key=lambda one: (one.file, one.reason))
    return Sources(place, files, tuple(skipped), tuple(filter(None, notes)))


def _of_one_file(place: Path, settings: AuditSettings) -> Sources:
    try:
        status = place.stat()
    except OSError as error:
        raise AuditFailed(
            f"{path_text(place)} cannot be audited ({error.strerror}).", "Name a directory, or a source file."
        ) from error
    if not stat.S_ISREG(status.st_mode) or language_of(place.name) is None:
        raise AuditFailed(
            f"{path_text(place)} is neither a directory nor a file of a language that is known.",
            "Name a directory, or a source file.",
        )
    files, skipped = _within_limits(
        place.parent, [(label(place.name), Found(place.name, status.st_size))], settings
    )
    return Sources(place.parent, files, tuple(skipped))


def _check_readable(place: Path) -> None:
    try:
        os.scandir(place).close()
    except OSError as error:
        raise AuditFailed(
            f"{path_text(place)} cannot be listed ({error.strerror}).", "Check its permissions."
        ) from error


def _within_limits(
    place: Path, found: Sequence[tuple[str, Found]], settings: AuditSettings
) -> tuple[tuple[Source, ...], list[Skipped]]:
    files: list[Source] = []
    skipped: list[Skipped] = []
    for name, one in found[: settings.most_files]:
        if one.size > settings.most_bytes:
            what = f"It has {one.size} bytes, and {settings.most_bytes} are read at most."
            skipped.append(Skipped(file=name, kernel="ast_scan", reason="too_large", what=what))
        else:
            language = language_of(one.path) or ""
            files.append(Source(name, place / one.path, language, one.size))
    if len(found) > settings.most_files:
        what = (
            f"Of {len(found)} source files, the first {settings.most_files} by their paths are looked at; "
            f"the next would have been {found[settings.most_files][0]}."
        )
        skipped.append(Skipped(file=".", kernel="ast_scan", reason="too_many", what=what))
    return tuple(files), skipped


def _pattern(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path below the root fits one of them; `*` goes over slashes, and `**/` may be nothing."""
    plain = [glob.strip("/") for glob in globs]
    wanted = [*plain, *(glob.removeprefix("**/") for glob in plain)]
    pattern = re.compile("|".join(map(fnmatch.translate, wanted)))
    return (lambda path: pattern.match(path) is not None) if globs else (lambda _: False)


def _built(names: Collection[str]) -> str:
    """Hidden directories and caches hold no source that anyone would look for."""
    told = sorted(label(name) for name in names if not name.startswith((".", "__")))
    return f"Directories of these names were left out: {', '.join(told)}." if told else ""
