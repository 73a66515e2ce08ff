"""The threads of a project: where they stand, who is at work on one, and pruning them."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from filelock import FileLock, Timeout

from configs.errors import UsageError
from configs.redaction import escaped
from configs.settings import Settings
from memory.checkpoints import Saver, open_project_checkpointer
from memory.checkpoints.heads import PrunedRows
from memory.errors import (
    ProjectDirectoryUnwritable,
    ThreadNameReserved,
    reason_and_remedy,
)
from memory.ownership.thread_hold import chat_hold, run_hold
from memory.project_directory import DIRECTORY, ensure_project_directory, make_parent
from memory.thread_history import Moment, first_id_after, newest_moment
from memory.trace.session_trace import BELOW, file_name_of

ARTIFACTS = "artifacts"
LOCKS = "locks"
CHATS = "chats"
_PAUSE = 0.1
_ARTIFACT = re.compile(r"[0-9a-f]{64}\.txt")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ThreadSummary:
    """Where a thread stands.

    Attributes:
        thread: its name.
        checkpoints: how many it has.
        newest: the newest of them.
    """

    thread: str
    checkpoints: int
    newest: Moment


@dataclass(frozen=True)
class Pruned:
    """What pruning deleted, or would.

    Attributes:
        threads: how many lost a checkpoint.
        rows: what went.
        remark: why the space was not given back; empty if it was.
    """

    threads: int
    rows: PrunedRows
    remark: str


def artifact_directory(project: Path, thread: str) -> Path:
    """Where the long outputs of a thread are kept.

    Args:
        project: the project's `.reflect`.
        thread: any text; one that cannot name a directory is named by its hash.
    """
    return project / ARTIFACTS / file_name_of(thread)


def thread_lock(project: Path, thread: str) -> Path:
    """The file a process that is at work on a thread has locked; it need not exist."""
    return project / LOCKS / f"{file_name_of(thread)}.lock"


def checked_thread(thread: str) -> str:
    """A thread's name, which must not be one of a run below another: their files would be the same.

    Raises:
        ThreadNameReserved: it is one.
    """
    if BELOW in thread:
        raise ThreadNameReserved(
            f"{thread!r} cannot name a thread: {BELOW} stands between a thread and the runs below it.",
            "Choose a name without it.",
        )
    return thread


@asynccontextmanager
async def alone_on(
    root: Path, thread: str, settings: Settings, *, quiet: bool = False
) -> AsyncIterator[None]:
    """Keep other processes off a thread: what two ran at once, each from its own step, would be done twice.

    Whoever comes second is told, waits, and then finds the thread where the first left it. Where several
    hosts share the thread, processes of all hosts are kept off.

    Args:
        root: the project.
        thread: its name.
        settings: where threads are kept.
        quiet: wait without a word.

    Raises:
        ThreadNameReserved: the name is one of a run below another.
        ThreadElsewhere: the thread was begun in another directory, by a host that shares the threads.
        ProjectDirectoryUnwritable: the lock cannot be kept.
        MemoryStoreError: the database that hosts share cannot be used.
    """
    checked_thread(thread)
    async with run_hold(root, settings, thread, quiet=quiet), _alone_on_host(root, thread, quiet):
        yield


@asynccontextmanager
async def _alone_on_host(root: Path, thread: str, quiet: bool) -> AsyncIterator[None]:
    directory = ensure_project_directory(root) / LOCKS
    try:
        path = thread_lock(directory.parent, thread)
        make_parent(path)
        lock = FileLock(path)
        told = quiet
        while True:
            try:
                lock.acquire(timeout=0)
                break
            except Timeout:
                if not told:
                    _log.warning("Another process runs thread %s; this one waits for it.", escaped(thread))
                    told = True
                await asyncio.sleep(_PAUSE)
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ProjectDirectoryUnwritable(f"The thread's lock cannot be kept in {what}.", remedy) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def only_chat_on(root: Path, thread: str, settings: Settings) -> Iterator[None]:
    """Keep a second chat off a thread: each would answer what the other had asked.

    Single runs of the thread are not kept off; a chat's own run waits for them.

    Raises:
        UsageError: another chat is open on it.
        ThreadTaken: another host has one open on it.
        ProjectDirectoryUnwritable: the lock cannot be kept.
        MemoryStoreError: the database that hosts share cannot be used.
    """
    directory = ensure_project_directory(root) / LOCKS
    path = directory / CHATS / f"{file_name_of(thread)}.lock"
    try:
        make_parent(path)
        lock = FileLock(path)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise UsageError(
            f"Another chat is open on thread {thread!r}.", "Go on there, or choose another thread here."
        ) from error
    except OSError as error:
        what, remedy = reason_and_remedy(directory, error)
        raise ProjectDirectoryUnwritable(f"The chat's lock cannot be kept in {what}.", remedy) from error
    try:
        with chat_hold(root, settings, thread):
            yield
    finally:
        lock.release()


async def list_threads(root: Path, settings: Settings) -> list[str]:
    """Names of the threads of a project, the one that was worked on last first.

    Raises:
        MemoryStoreError: the checkpoints cannot be read.
    """
    async with open_project_checkpointer(root, settings) as saver:
        return [head.thread for head in await saver.heads()]


async def describe_threads(root: Path, settings: Settings) -> list[ThreadSummary]:
    """Where the threads of a project stand, the one that was worked on last first.

    Raises:
        MemoryStoreError: the checkpoints cannot be read.
    """
    async with open_project_checkpointer(root, settings) as saver:
        found = [(head, await newest_moment(saver, head.thread)) for head in await saver.heads()]
    return [
        ThreadSummary(head.thread, head.checkpoints, moment) for head, moment in found if moment is not None
    ]


async def prune_checkpoints(
    root: Path,
    settings: Settings,
    *,
    keep: int = 1,
    older_than: timedelta | None = None,
    dry_run: bool = False,
) -> Pruned:
    """Delete all but the newest checkpoints of every thread, and give the space back.

    A thread's newest checkpoint stays with all that was written on top of it, so a thread that is at work or
    waits for an approval goes on as if nothing had happened; only older steps can no longer be forked.

    Args:
        root: the project.
        settings: where threads are kept.
        keep: checkpoints of each thread that stay; at least 1.
        older_than: delete only checkpoints of at least that age.
        dry_run: delete nothing, and count.

    Raises:
        UsageError: `keep` is not positive, or the age is negative.
        MemoryStoreError: the checkpoints cannot be read or written.
    """
    if keep < 1 or (older_than is not None and older_than < timedelta(0)):
        raise UsageError("Nothing can be pruned that way.", "Keep at least 1; give an age of 0 days or more.")
    before = None if older_than is None else first_id_after(datetime.now(UTC) - older_than)
    rows, threads, remark = PrunedRows(), 0, ""
    async with open_project_checkpointer(root, settings) as saver:
        for head in await saver.heads():
            dropped = await saver.drop_old(head.thread, keep, before, only_count=dry_run)
            rows += dropped
            threads += bool(dropped.checkpoints)
        if rows.checkpoints and not dry_run:
            remark = await _give_back(saver)
    return Pruned(threads, rows, remark)


async def _give_back(saver: Saver) -> str:
    """Return the space to the file system; why not, if another process is in the way."""
    try:
        reason = "" if await saver.give_back() else "another process reads it"
    except sqlite3.OperationalError as error:
        reason = str(error)
    return f"The file keeps its size, and will be filled again: {reason}." if reason else ""


def copy_artifacts(root: Path, source: str, target: str, state: str) -> int:
    """Copy the stored outputs a state names to another thread, which outlives the first; returns how many.

    Args:
        root: the project.
        source: the thread that stored them.
        target: the thread that is to have them.
        state: the state as JSON.

    Raises:
        ProjectDirectoryUnwritable: they cannot be copied.
    """
    project = root / DIRECTORY
    old, new = artifact_directory(project, source), artifact_directory(project, target)
    # One that is gone already is missed by the step that reads it, which says so.
    named = [name for name in dict.fromkeys(_ARTIFACT.findall(state)) if (old / name).is_file()]
    try:
        if named:
            make_parent(new / named[0])
        for name in named:
            shutil.copyfile(old / name, new / name)
    except OSError as error:
        what, remedy = reason_and_remedy(new, error)
        raise ProjectDirectoryUnwritable(f"Stored outputs cannot be copied to {what}.", remedy) from error
    return len(named)
