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
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from configs.audit import AuditSettings
from configs.settings import SandboxChoice
from tools.audit.report import Changes, History
from tools.audit.repository import Repository, cut_off, repository_of
from tools.errors import CommandRefused, SandboxUnavailable
from tools.policy.git import check_git
from tools.process import Segment, opened, run_segment
from tools.sandbox.confinement import Confinement
from tools.sandbox.probe import choose

MEMORY_BYTES = 4 * 2**30
MOST_BYTES = 512 * 2**20
CHUNK = 2**20
LONGEST_NOTE = 300
# Git's own diff settings differ by user and by repository; the counts must not.
DIFF = ("--numstat", "--find-renames=50%", "--diff-algorithm=myers", "--root")
# The windows git maps of a pack would else be as large as the limit of its memory.
PACKS = ("core.packedGitWindowSize=64m", "core.packedGitLimit=512m", "diff.renameLimit=1000")
HEAD_MARK = b"@"
HEAD_FORMAT = "@%H %ct %ae"


@dataclass
class _Tally:
    commits: int = 0
    added: int = 0
    deleted: int = 0
    authors: set[bytes] = field(default_factory=set)


@dataclass
class _Log:
    """What a log says.

    Attributes:
        seen: commits in it.
        counted: those whose changes are known.
        newest: of their times, seconds since 1970; None without any.
        more: there are older ones.
        files: changes by path from the top, of those asked for.
    """

    seen: int = 0
    counted: int = 0
    newest: int | None = None
    more: bool = False
    files: dict[bytes, _Tally] = field(default_factory=dict)


async def history(
    root: Path, files: Sequence[str], settings: AuditSettings, *, sandbox: SandboxChoice = "auto"
) -> History:
    """What git says of files. Whatever is missing or broken is said in the note, and raises nothing.

    Args:
        root: the audited directory; its repository may begin further up, of which only what lies below the
            root is counted.
        files: paths relative to the root.
        settings: how many commits, and how long.
        sandbox: isolation wanted for git.
    """
    try:
        found = await asyncio.to_thread(_prepared, root, settings)
        if found is None:
            return History(note="There is no git repository here.")
        repository, command, boundary = found
        isolation = await asyncio.to_thread(choose, sandbox)
        limits = Confinement(repository.top, isolation, MEMORY_BYTES, settings.history_seconds)
        with closing(await opened(tempfile.TemporaryFile)) as output:
            async with asyncio.timeout(settings.history_seconds):
                ran = await run_segment([command], None, limits, MOST_BYTES, into=output)
            if ran.capped or ran.returncodes != [0]:
                return History(shallow=bool(boundary), note=_failure(ran, repository.top))
            wanted = [os.fsencode(repository.prefix + file) for file in files]
            log = await asyncio.to_thread(read_log, output, wanted, boundary, settings.most_commits)
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
    return _told(log, repository, boundary, settings)


def _prepared(root: Path, settings: AuditSettings) -> tuple[Repository, list[str], frozenset[bytes]] | None:
    """The repository, the command that reads it, and where it was cut off.

    Raises:
        CommandRefused: it lies elsewhere, or its configuration could run a program.
        OSError: it cannot be looked at.
    """
    repository = repository_of(Path(os.path.realpath(root)))
    if repository is None:
        return None
    words = ["log", "-z", *DIFF, "--no-merges", "--date-order", "--no-notes", "--encoding=UTF-8"]
    words += [f"--format={HEAD_FORMAT}", f"--max-count={settings.most_commits + 1}", repository.revision]
    # A path is taken as it is written: a directory may be named `:(top)` or `*`.
    literal = ["--literal-pathspecs"] if repository.prefix else []
    words += ["--", repository.prefix] if repository.prefix else []
    packs = [word for setting in PACKS for word in ("-c", setting)]
    command = ["git", *literal, *packs, *check_git(repository.top, words)]
    return repository, command, cut_off(repository.top)


def read_log(stream: IO[bytes], wanted: Collection[bytes], boundary: Collection[bytes], most: int) -> _Log:
    """Count what `git log -z --numstat` with our heads wrote, the newest commit first.

    Args:
        stream: read from its beginning.
        wanted: present paths from the top whose changes count.
        boundary: hashes of commits whose changes are not known.
        most: commits that are read.

    Raises:
        ValueError: it is no such log.
    """
    log, present = _Log(), {path: path for path in wanted}
    author, known, touched, renamed = b"", False, set[bytes](), dict[bytes, bytes]()
    tokens = _tokens(stream)
    for raw in tokens:
        # A line break follows a head, and nothing stands between two commits.
        token = raw.removeprefix(b"\n")
        if not token:
            continue
        if token.startswith(HEAD_MARK):
            # Only after a commit is known whole: two files may have taken each other's names.
            present |= renamed
            if log.seen == most:
                log.more = True
                break
            commit, when, author = token[1:].split(b" ", 2)
            log.seen += 1
            log.newest = max(int(when), log.newest or int(when))
            known, touched, renamed = commit not in boundary, set(), {}
            log.counted += known
            continue
        added, deleted, path = token.split(b"\t", 2)
        former = path
        if not path:
            former, path = next(tokens, b""), next(tokens, b"")
            if not path:
                raise ValueError("the log ends within a renaming")
        current = present.get(path)
        if current is None or not known:
            continue
        if former != path:
            renamed[former] = current
        tally = log.files.setdefault(current, _Tally())
        tally.commits += current not in touched
        touched.add(current)
        # Of what is not text, git counts no lines.
        tally.added += int(added) if added != b"-" else 0
        tally.deleted += int(deleted) if deleted != b"-" else 0
        tally.authors.add(author.lower())
    return log


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    """What ends with a NUL."""
    stream.seek(0)
    rest = b""
    while chunk := stream.read(CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest.strip():
        raise ValueError("the log ends within a record")


def _told(log: _Log, repository: Repository, boundary: Collection[bytes], settings: AuditSettings) -> History:
    notes = []
    if not log.seen:
        notes.append("No commit changed anything here.")
    if boundary:
        notes.append("The history is shallow: counts are lower bounds, and its first commits are left out.")
    if log.more:
        notes.append(f"Only the newest {settings.most_commits} commits were read.")
    start = len(os.fsencode(repository.prefix))
    changes = sorted((os.fsdecode(path[start:]), tally) for path, tally in log.files.items())
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
            for file, tally in changes
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
