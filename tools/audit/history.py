"""Changes by file, from git: how often, how much, by how many.

A file's changes are those of its path and of the paths it had before: where a commit renames a file (git
finds half of the lines again), what is older and of the former path counts for the present one. A merge has
no changes of its own, those of its sides stand in their commits. Commits a shallow clone begins with say that
they added everything, so they count for no file.

Git runs as every tool does: confined, with settings that keep a repository from running anything.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from configs.audit import AuditSettings
from configs.settings import SandboxChoice
from tools.audit.history_log import HEAD_FORMAT, Log, Wanted, read_log
from tools.audit.report import Changes, History
from tools.audit.repository import cut_off, repository_of
from tools.errors import CommandRefused, SandboxUnavailable
from tools.policy.git import check_git
from tools.process import Segment, opened, run_segment
from tools.sandbox.confinement import Confinement
from tools.sandbox.probe import choose

MEMORY_BYTES = 4 * 2**30
MOST_BYTES = 512 * 2**20
LONGEST_NOTE = 300
# Git's own diff settings differ by user and by repository; the counts must not.
DIFF = ("--numstat", "--find-renames=50%", "--diff-algorithm=myers", "--root")
# The windows git maps of a pack would else be as large as the limit of its memory.
PACKS = ("core.packedGitWindowSize=64m", "core.packedGitLimit=512m", "diff.renameLimit=1000")


async def history(
    root: Path, files: Sequence[str], settings: AuditSettings, *, sandbox: SandboxChoice = "auto"
) -> History:
    """What git says of files. Whatever is missing or broken is said in the note, and raises nothing.

    Args:
        root: the audited directory, or the only audited file. Its repository may begin further up; only what
            lies below the root is counted.
        files: names as `labels.label` writes them.
        settings: how many commits, and how long.
        sandbox: isolation wanted for git.
    """
    try:
        asked = await asyncio.to_thread(_question, root, settings)
        if asked is None:
            return History(note="There is no git repository here.")
        isolation = await asyncio.to_thread(choose, sandbox)
        limits = Confinement(asked.top, isolation, MEMORY_BYTES, settings.history_seconds)
        with closing(await opened(tempfile.TemporaryFile)) as output:
            async with asyncio.timeout(settings.history_seconds):
                ran = await run_segment([asked.command], None, limits, MOST_BYTES, into=output)
            if ran.capped or ran.returncodes != [0]:
                return History(shallow=bool(asked.boundary), note=_failure(ran, asked.top))
            wanted = Wanted(os.fsencode(asked.prefix), frozenset(files))
            log = await asyncio.to_thread(read_log, output, wanted, asked.boundary, settings.most_commits)
    except TimeoutError:
        return History(
            note=f"git took longer than {settings.history_seconds:g} seconds; "
            "lower audit.most_commits or raise audit.history_seconds."
        )
    except (CommandRefused, SandboxUnavailable) as error:
        return History(note=_short(f"{error.what} {error.remedy}"))
    except OSError as error:
        return History(note=f"The repository cannot be read: {error.strerror}.")
    except ValueError as error:
        return History(note=_short(f"What git wrote cannot be read: {error}."))
    return _told(log, asked.boundary, settings)


@dataclass(frozen=True)
class _Question:
    """What git is asked: where, by which command; and the commits a shallow repository begins with."""

    top: Path
    prefix: str
    command: list[str]
    boundary: frozenset[bytes]


def _question(root: Path, settings: AuditSettings) -> _Question | None:
    """What to ask; None where there is no repository.

    Raises:
        CommandRefused: it lies elsewhere, or its configuration could run a program.
        OSError: it cannot be looked at.
    """
    place = Path(os.path.realpath(root))
    repository = repository_of(place if place.is_dir() else place.parent)
    if repository is None:
        return None
    words = ["log", "-z", *DIFF, "--no-merges", "--date-order", "--no-notes", "--encoding=UTF-8"]
    words += [f"--format={HEAD_FORMAT}", f"--max-count={settings.most_commits + 1}", repository.revision]
    # A path is taken as it is written: a directory may be named `:(top)` or `*`.
    literal = ["--literal-pathspecs"] if repository.prefix else []
    words += ["--", repository.prefix] if repository.prefix else []
    packs = [word for setting in PACKS for word in ("-c", setting)]
    command = ["git", *literal, *packs, *check_git(repository.top, words)]
    return _Question(repository.top, repository.prefix, command, cut_off(repository.top))


def _told(log: Log, boundary: Collection[bytes], settings: AuditSettings) -> History:
    notes = []
    if not log.seen:
        notes.append("No commit changed anything here.")
    if boundary:
        notes.append("The history is shallow: counts are lower bounds, and its first commits are left out.")
    if log.more:
        notes.append(f"Only the newest {settings.most_commits} commits were read.")
    return History(
        available=log.seen > 0,
        shallow=bool(boundary),
        commits=log.counted,
        until=_date(log.newest),
        note=" ".join(notes),
        files=tuple(
            Changes(
                file=file,
                commits=tally.commits,
                added=tally.added,
                deleted=tally.deleted,
                authors=len(tally.authors),
            )
            for file, tally in sorted(log.files.items())
        ),
    )


def _date(seconds: int | None) -> str:
    """A date of a commit, which may lie anywhere; empty if the calendar does not reach so far."""
    if seconds is None:
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return ""


def _failure(ran: Segment, top: Path) -> str:
    if ran.capped:
        return f"git's log is longer than {MOST_BYTES // 2**20} MiB; lower audit.most_commits."
    said = ran.stderr.decode("utf-8", "replace").replace(str(top), ".")
    if "unknown revision" in said:
        return "Nothing is committed on the branch that is checked out."
    return _short(f"git cannot read the history: {said}")


def _short(text: str) -> str:
    """A note of one line, without signs that act instead of showing."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(line.split())[:LONGEST_NOTE]
